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

/** What a role that reaches records with limited fields sees of them. */
interface Limit<Item> {
  readonly table: ReachedTable
  /** Ids, times and states: everybody who reaches the record at all sees them. */
  readonly always: readonly (keyof Item)[]
  readonly seen: Readonly<Partial<Record<Role, readonly (keyof Item)[]>>>
  /** In place of what is not seen. */
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
  // A client has to have a name: for who sees ids alone, the id.
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

/** Code, diagnoses and times stand in `billing`; of the note itself a biller sees whose it is and whether it is signed. */
const note: Limit<Note> = {
  table: 'notes',
  always: [...record, 'session_id', 'client_id', 'template', 'status', 'engine'],
  seen: { biller: ['billing'] },
  blank: () => ({ sections: [], unsupported: [], omissions: [], checks: [], signature: null, addenda: [] }),
}

export const limits: { readonly [Kind in LimitedKind]: Limit<LimitedRecords[Kind]> } = { client, session, note }

/** The record with the fields these roles see; the names of the others stand in `withheld`. */
export function shownTo<Kind extends LimitedKind>(
  kind: Kind,
  roles: readonly Role[],
  item: LimitedRecords[Kind],
): LimitedRecords[Kind] {
  const { always, blank } = limits[kind]
  const seen = new Set<PropertyKey>([...always, ...fieldsSeenBy(kind, roles)])
  const kept = Object.entries(item).filter(([field]) => seen.has(field))
  const withheld = Object.keys(blank(item.id)).filter((field) => !seen.has(field))
  // Blank in part, it is the same kind of record still, which no type of a generic one can say.
  return { ...blank(item.id), ...Object.fromEntries(kept), withheld } as unknown as LimitedRecords[Kind]
}

export function fieldsSeenBy<Kind extends LimitedKind>(kind: Kind, roles: readonly Role[]): readonly PropertyKey[] {
  const { seen } = limits[kind]
  return roles.flatMap((role) => seen[role] ?? [])
}
