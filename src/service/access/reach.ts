import { sql, type SqlBool } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { Call } from './call.ts'
import { type Condition, findRecord, type Records, selectIn, sharing } from '#service/store/records.ts'
import type { Database } from '#service/store/tables.ts'
import { mayReach, type Scope, type Within, withinScope } from './authorization.ts'
import { NotFound } from '#service/kernel/problem.ts'
import type { Note } from '#contract/model/note.ts'

export type ReachedTable =
  | 'clients'
  | 'sessions'
  | 'consents'
  | 'transcripts'
  | 'notes'
  | 'analyses'
  | 'coverages'
  | 'authorisations'

const either = (...conditions: Condition[]): Condition => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
const among = (column: string, ids: ReadonlySet<string>): Condition[] =>
  ids.size === 0 ? [] : [sql<SqlBool>`${sql.ref(column)} in (${sql.join([...ids])})`]

/**
 * A client is accessible through its clinician or if its id is in `clients`; with `unassigned`, also if it has no clinician. A
 * session is accessible through its client or clinician. Other records are accessible through their session or client, or through
 * their author if they name neither.
 */
const rules: Readonly<Record<ReachedTable, (within: Within) => Condition>> = {
  clients: (within) => either(withinScope(within, 'clients.clinician_id'), ...among('clients.id', within.clients)),
  sessions: (within) =>
    either(withinScope({ ...within, unassigned: false }, 'sessions.clinician_id'), ofClient('sessions', within)),
  consents: (within) => ofClient('consents', within),
  transcripts: (within) => either(ofSession('transcripts', within), ofNobody('transcripts', within, 'session_id')),
  notes: ofBoth('notes'),
  analyses: ofBoth('analyses'),
  coverages: (within) => either(ofClient('coverages', within), ofNobody('coverages', within, 'client_id')),
  authorisations: (within) => ofClient('authorisations', within),
}

function ofBoth(table: 'notes' | 'analyses') {
  return (within: Within): Condition =>
    either(ofSession(table, within), ofClient(table, within), ofNobody(table, within, 'session_id', 'client_id'))
}

function ofClient(table: ReachedTable, within: Within): Condition {
  return sql<SqlBool>`${sql.ref(`${table}.client_id`)} in (select clients.id from clients where ${rules.clients(within)})`
}

function ofSession(table: ReachedTable, within: Within): Condition {
  return sql<SqlBool>`${sql.ref(`${table}.session_id`)} in (select sessions.id from sessions where ${rules.sessions(within)})`
}

function ofNobody(table: 'transcripts' | 'notes' | 'analyses' | 'coverages', within: Within, ...columns: string[]): Condition {
  const names = columns.map((column) => sql<SqlBool>`${sql.ref(`${table}.${column}`)} is null`)
  return sql<SqlBool>`(${sql.join(names, sql` and `)} and ${withinScope(within, `${table}.author_id`)})`
}

export function rowsWithin(table: ReachedTable, within: Within): Condition[] {
  return within.clinicians === 'all' ? [] : [rules[table](within)]
}

export async function requireReach(
  db: Database,
  { practice, scope }: Pick<Call, 'practice' | 'scope'>,
  table: ReachedTable,
  id: string,
): Promise<void> {
  if ((await idsWithin(db, practice, scope, table, [id])).has(id)) return
  if (await opensByPurpose(db, practice, scope, table, id)) throw new AppError('purpose-missing')
  throw new NotFound(id)
}

export async function getReached<Table extends ReachedTable>(
  db: Database,
  call: Pick<Call, 'practice' | 'scope'>,
  table: Table,
  id: string,
): Promise<Records[Table]> {
  const found = await findRecord(db, table, call.practice, id, rowsWithin(table, call.scope))
  if (found !== null) return found
  await requireReach(db, call, table, id)
  throw new NotFound(id)
}

export async function idsWithin(db: Database, practice: string, within: Within, table: ReachedTable, ids: readonly string[]) {
  if (within.clinicians === 'all' || ids.length === 0) return new Set(ids)
  const named = selectIn(db, sharing(table), practice).select('id').where('id', 'in', ids)
  const rows = await named.where(rules[table](within)).execute()
  return new Set(rows.map(({ id }) => id))
}

async function opensByPurpose(db: Database, practice: string, { withPurpose }: Scope, table: ReachedTable, id: string) {
  if (withPurpose === null) return false
  let found = selectIn(db, sharing(table), practice).select('id').where('id', '=', id)
  for (const condition of rowsWithin(table, withPurpose)) found = found.where(condition)
  return (await found.executeTakeFirst()) !== undefined
}

type Reading = Pick<Call, 'practice' | 'caller' | 'scope'>

interface Whose {
  readonly clinician: string | null
  readonly author: string | null
}

/**
 * Requires that the caller wrote the note or that the caller's scope includes the clinician of its session (or else of its
 * client). An owner's scope includes notes without a clinician. For supervisors who call `enterInError`, the scope includes
 * supervisees. Shared access to the client is not enough.
 */
export async function requireOwnNote(db: Database, call: Reading, note: Note): Promise<void> {
  const { clinician, author } = await whoseNote(db, call, note)
  if (author === call.caller.person_id || mayReach(call.scope, clinician)) return
  throw new AppError('forbidden', 'A note is signed, amended or marked by its own clinician.')
}

export async function requireSuperviseesNote(db: Database, call: Reading, note: Note): Promise<void> {
  const { clinician, author } = await whoseNote(db, call, note)
  const own = clinician ?? author
  const me = call.caller.person_id
  if (own === me || note.signed_by === me) throw new AppError('forbidden', 'Nobody is the supervisor of their own note.')
  if (mayReach(call.scope, note.signed_by ?? own)) return
  throw new AppError('forbidden', 'A note is cosigned or returned by the supervisor of who signed it.')
}

async function whoseNote(db: Database, { practice }: Reading, note: Note): Promise<Whose> {
  const row = await db
    .selectFrom('notes')
    .leftJoin('sessions', 'sessions.id', 'notes.session_id')
    .leftJoin('clients', (join) =>
      join.on((where) => where('clients.id', '=', where.fn.coalesce('notes.client_id', 'sessions.client_id'))),
    )
    .select(['notes.author_id', 'sessions.clinician_id as held_by', 'clients.clinician_id as treated_by'])
    .where('notes.practice_id', '=', practice)
    .where('notes.id', '=', note.id)
    .executeTakeFirst()
  return { clinician: row?.held_by ?? row?.treated_by ?? null, author: row?.author_id ?? null }
}
