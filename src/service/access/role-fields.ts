import type { Client } from '#contract/model/client.ts'
import type { Note } from '#contract/model/note.ts'
import type { Session } from '#contract/model/session.ts'
import type { Role } from '#contract/rest/route.ts'
import type { ReachedTable } from './reach.ts'

export interface LimitedRecords {
  readonly client: Client
  readonly session: Session
  readonly note: Note
}
export type LimitedKind = keyof LimitedRecords

interface Limit<Item> {
  readonly table: ReachedTable
  /** Ids, times, and states, visible to every role that may access the record. */
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
  // A client must have a name, so the id replaces it.
  blank: (id) => ({
    display_name: id,
    given_name: null,
    family_name: null,
    pronouns: null,
    date_of_birth: null,
    email: null,
    phone: null,
    state: null,
    diagnoses: [],
    insurance: null,
    goals: [],
    vocabulary: [],
  }),
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

/** Billers see `billing` (code, diagnoses, times), not the note's text. */
const note: Limit<Note> = {
  table: 'notes',
  always: [...record, 'session_id', 'client_id', 'template', 'status', 'engine'],
  seen: { biller: ['billing'] },
  blank: () => ({ sections: [], unsupported: [], omissions: [], checks: [], signature: null, addenda: [] }),
}

export const limits: { readonly [Kind in LimitedKind]: Limit<LimitedRecords[Kind]> } = { client, session, note }

/** Replaces hidden fields with placeholders and lists their names in `withheld`. */
export function shownTo<Kind extends LimitedKind>(
  kind: Kind,
  roles: readonly Role[],
  item: LimitedRecords[Kind],
): LimitedRecords[Kind] {
  const { always, blank } = limits[kind]
  const seen = new Set<PropertyKey>([...always, ...fieldsSeenBy(kind, roles)])
  const kept = Object.entries(item).filter(([field]) => seen.has(field))
  const withheld = Object.keys(blank(item.id)).filter((field) => !seen.has(field))
  // TypeScript cannot express that the merged object is still this record kind.
  return { ...blank(item.id), ...Object.fromEntries(kept), withheld } as unknown as LimitedRecords[Kind]
}

export function fieldsSeenBy<Kind extends LimitedKind>(kind: Kind, roles: readonly Role[]): readonly PropertyKey[] {
  const { seen } = limits[kind]
  return roles.flatMap((role) => seen[role] ?? [])
}
