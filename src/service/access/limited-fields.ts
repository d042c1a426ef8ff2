import { AppError } from '#contract/errors.ts'
import type { OperationId } from '#contract/rest/routes.ts'
import { Stale } from '#service/kernel/problem.ts'
import type { Database } from '#service/store/tables.ts'
import type { Client } from '#contract/model/client.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import { recordsById } from '#service/store/records.ts'
import type { Call, Effect, Handler } from './call.ts'
import { idsWithin, type ReachedTable } from './reach.ts'
import { mayReach } from './authorization.ts'
import type { Staff } from '#contract/model/staff.ts'
import type { Role } from '#contract/rest/route.ts'

interface LimitedRecords {
  readonly client: Client
  readonly session: Session
  readonly note: Note
}
export type LimitedKind = keyof LimitedRecords

interface Limit<Item> {
  readonly table: ReachedTable
  readonly always: readonly (keyof Item)[]
  readonly seen: Readonly<Partial<Record<Role, readonly (keyof Item)[]>>>
  blank(id: string): Partial<Item>
}

const record = ['id', 'created_at', 'updated_at', 'version'] as const
const demographics = [
  'display_name',
  'given_name',
  'family_name',
  'pronouns',
  'date_of_birth',
  'email',
  'phone',
  'state',
] as const

const client: Limit<Client> = {
  table: 'clients',
  always: [...record, 'clinician_id', 'status'],
  seen: { front_desk: demographics, biller: [...demographics, 'insurance'], auditor: [] },
  // The schema requires a name, so the id replaces a hidden name.
  blank: (id) => {
    const nulls = Object.fromEntries(demographics.map((name) => [name, null]))
    return { ...nulls, display_name: id, diagnoses: [], insurance: null, goals: [], vocabulary: [] }
  },
}

const session: Limit<Session> = {
  table: 'sessions',
  always: [
    ...record,
    'client_id',
    'clinician_id',
    'session_type',
    'modality',
    'status',
    'starts_at',
    'ends_at',
    'duration_minutes',
  ],
  seen: {
    front_desk: [
      ...(['time_zone', 'recurrence', 'room_id', 'cpt_code', 'participants'] as const),
      ...(['started_at', 'finished_at', 'series_id', 'occurrence_start'] as const),
    ],
  },
  blank: () => ({ presenting_concerns: [] }),
}

const note: Limit<Note> = {
  table: 'notes',
  always: [...record, 'session_id', 'client_id', 'template', 'status', 'engine'],
  seen: { biller: ['billing'] },
  blank: () => ({ sections: [], unsupported: [], omissions: [], checks: [], signature: null, addenda: [] }),
}

const limits: { readonly [Kind in LimitedKind]: Limit<LimitedRecords[Kind]> } = { client, session, note }

function shownTo<Kind extends LimitedKind>(kind: Kind, roles: readonly Role[], item: LimitedRecords[Kind]): LimitedRecords[Kind] {
  const { always, blank } = limits[kind]
  const seen = new Set<PropertyKey>([...always, ...fieldsSeenBy(kind, roles)])
  const kept = Object.entries(item).filter(([field]) => seen.has(field))
  const withheld = Object.keys(blank(item.id)).filter((field) => !seen.has(field))
  return { ...blank(item.id), ...Object.fromEntries(kept), withheld } as unknown as LimitedRecords[Kind]
}

export function fieldsSeenBy<Kind extends LimitedKind>(kind: Kind, roles: readonly Role[]): readonly PropertyKey[] {
  const { seen } = limits[kind]
  return roles.flatMap((role) => seen[role] ?? [])
}

const kinds: Partial<Readonly<Record<OperationId, LimitedKind>>> = {
  listClients: 'client',
  getClient: 'client',
  createClient: 'client',
  updateClient: 'client',
  listSessions: 'session',
  getSession: 'session',
  updateSession: 'session',
  updateFollowing: 'session',
  listNotes: 'note',
  getNote: 'note',
}

type Limited = Pick<Call, 'practice' | 'scope'>
type AnyRecord = LimitedRecords[LimitedKind]

export function withLimits(operation: OperationId, handler: Handler): Handler {
  const kind = kinds[operation]
  if (kind === undefined) return handler
  return async (call) => {
    const effect = await handler(call)
    return call.scope.limited === null ? effect : limitedEffect(call, kind, effect as Effect)
  }
}

function limitedEffect(call: Limited, kind: LimitedKind, effect: Effect): Effect<never> {
  return (async (db) => {
    try {
      const reply = await effect(db)
      return 'operation' in reply || 'refusal' in reply ? reply : { ...reply, data: await limited(db, call, kind, reply.data) }
    } catch (error) {
      if (error instanceof Stale) throw new Stale(await limited(db, call, kind, error.current))
      throw error
    }
  }) as Effect<never>
}

export async function limited(db: Database, call: Limited, kind: LimitedKind, data: unknown): Promise<unknown> {
  if (data === null || call.scope.limited === null) return data
  const page = data as { readonly data: AnyRecord[] } | AnyRecord
  if (!('data' in page)) return (await limitedAll(db, call, kind, [page]))[0]
  return { ...page, data: await limitedAll(db, call, kind, page.data) }
}

async function limitedAll(db: Database, { practice, scope }: Limited, kind: LimitedKind, items: readonly AnyRecord[]) {
  const { roles, whole } = scope.limited ?? { roles: [], whole: scope }
  const ids = items.map(({ id }) => id)
  const own = await idsWithin(db, practice, whole, limits[kind].table, ids)
  const billed = kind === 'note' ? await withBilling(db, practice, items as LimitedRecords['note'][]) : items
  return items.map((item, index) => (own.has(item.id) ? item : shownTo(kind, roles, billed[index] as never)))
}

export async function requireMayWrite(
  db: Database,
  { practice, scope }: Limited,
  kind: LimitedKind,
  { id, clinician_id, fields }: { id: string | null; clinician_id: string | null; fields: readonly string[] },
): Promise<void> {
  if (scope.limited === null) return
  const { roles, whole } = scope.limited
  const isWhole =
    id === null ? mayReach(whole, clinician_id) : (await idsWithin(db, practice, whole, limits[kind].table, [id])).has(id)
  if (isWhole) return
  const writable = new Set<PropertyKey>([...fieldsSeenBy(kind, roles), ...writableStates[kind]])
  const others = fields.filter((field) => !writable.has(field))
  if (others.length > 0) throw new AppError('forbidden', `Your role does not write these fields: ${others.join(', ')}.`)
}

const writableStates: Readonly<Record<LimitedKind, readonly string[]>> = {
  client: ['status', 'clinician_id'],
  session: ['session_type', 'modality', 'status', 'starts_at', 'duration_minutes'],
  note: [],
}

async function withBilling(db: Database, practice: string, notes: readonly Note[]): Promise<Note[]> {
  const sessions = await recordsById(db, 'sessions', practice, idsOf(notes.map(({ session_id }) => session_id)))
  const whose = ({ client_id, session_id }: Note): string | null => client_id ?? sessions.get(session_id ?? '')?.client_id ?? null
  const clients = await recordsById(db, 'clients', practice, idsOf(notes.map(whose)))
  return notes.map((note) => {
    const session = sessions.get(note.session_id ?? '')
    const billing = {
      cpt_code: session?.cpt_code ?? null,
      diagnoses: clients.get(whose(note) ?? '')?.diagnoses ?? [],
      starts_at: session?.starts_at ?? null,
      ends_at: session?.ends_at ?? null,
      duration_minutes: session?.duration_minutes ?? null,
      started_at: session?.started_at ?? null,
      finished_at: session?.finished_at ?? null,
      signed_at: note.signature?.at ?? null,
    }
    return { ...note, billing }
  })
}

const idsOf = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id) => id !== null))]

export function staffShown({ caller, scope }: Pick<Call, 'caller' | 'scope'>, person: Staff): Staff {
  if (scope.limited === null || person.id === caller.person_id) return person
  return { ...person, shared_clients: [], withheld: ['shared_clients'] }
}
