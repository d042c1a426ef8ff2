import type { ErasedKind, Erasure, RetentionPolicy, LegalHold } from '#contract/model/retention.ts'
import { AppError } from '#contract/errors.ts'
import type { Page, PageQuery } from './records.ts'
import { pageOfRecords, rowOf, changesOf, getRecord, isTaken } from './records.ts'
import { sealed } from './sealed.ts'
import type { Database, Write } from './tables.ts'

/** Until a practice sets a policy, transcripts have no time limit. */
const untilSaid = { transcript_days: null, note_years: 7, version: 1 } as const

export async function getPolicy(db: Database, practice: string): Promise<RetentionPolicy> {
  const row = await db
    .selectFrom('retention_policies')
    .select(['transcript_days', 'note_years', 'version', 'updated_at'])
    .where('practice_id', '=', practice)
    .executeTakeFirst()
  return row ?? { ...untilSaid, updated_at: new Date(0).toISOString() }
}

export async function putPolicy(db: Write, practice: string, policy: RetentionPolicy): Promise<void> {
  await db
    .insertInto('retention_policies')
    .values({ ...policy, practice_id: practice, sweep_at: policy.updated_at })
    .onConflict((conflict) => conflict.column('practice_id').doUpdateSet({ ...policy, sweep_at: policy.updated_at }))
    .execute()
}

export async function sweepAt(db: Write, practice: string, time: string): Promise<void> {
  await db.updateTable('retention_policies').set({ sweep_at: time }).where('practice_id', '=', practice).execute()
}

export async function practicesToSweep(db: Database, now: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('retention_policies')
    .innerJoin('practices', 'practices.id', 'retention_policies.practice_id')
    .select('practice_id')
    .where('state', '=', 'open')
    .where('transcript_days', 'is not', null)
    .where('sweep_at', '<=', now)
    .orderBy('sweep_at')
    .limit(limit)
    .execute()
  return rows.map(({ practice_id }) => practice_id)
}

export const listErasures = (db: Database, practice: string, query: PageQuery): Promise<Page<Erasure>> =>
  pageOfRecords(db, 'erasures', practice, query)

export async function insertErasure(db: Write, practice: string, erasure: Erasure): Promise<void> {
  const { erased_at } = erasure
  await db
    .insertInto('erasures')
    .values(rowOf(practice, { ...erasure, created_at: erased_at, updated_at: erased_at, version: 1 }))
    .execute()
}

const tables = { transcript: 'transcripts', analysis: 'analyses', note: 'notes' } as const

export async function eraseBody(db: Write, practice: string, kind: ErasedKind, id: string, now: string): Promise<void> {
  await db
    .updateTable(tables[kind] as 'notes')
    .set((row) => ({ body: sealed('{}'), deleted_at: now, updated_at: now, version: row('version', '+', 1) }))
    .where('practice_id', '=', practice)
    .where('id', '=', id)
    .execute()
}

export interface Due {
  readonly id: string
  readonly session_id: string
}

export async function oldTranscripts(
  db: Database,
  practice: string,
  before: string,
  after: string,
  limit: number,
): Promise<Due[]> {
  const rows = await db
    .selectFrom('transcripts')
    .select(['id', 'session_id'])
    .where('practice_id', '=', practice)
    .where('deleted_at', 'is', null)
    .where('session_id', 'is not', null)
    .where('created_at', '<=', before)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.flatMap(({ id, session_id }) => (session_id === null ? [] : [{ id, session_id }]))
}

export async function firstTranscriptAfter(db: Database, practice: string, time: string): Promise<string | null> {
  const row = await db
    .selectFrom('transcripts')
    .select('created_at')
    .where('practice_id', '=', practice)
    .where('deleted_at', 'is', null)
    .where('created_at', '>', time)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at ?? null
}

export async function isSourceErased(db: Database, practice: string, session_id: string | null): Promise<boolean> {
  if (session_id === null) return false
  const rows = await db
    .selectFrom('transcripts')
    .select('deleted_at')
    .where('practice_id', '=', practice)
    .where('session_id', '=', session_id)
    .execute()
  return rows.length > 0 && rows.every(({ deleted_at }) => deleted_at !== null)
}

export async function hasWork(db: Database, practice: string): Promise<boolean> {
  const row = await db
    .selectFrom('operations')
    .select('id')
    .where('practice_id', '=', practice)
    .where('status', 'in', ['queued', 'running'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const getLegalHold = (db: Database, practice: string, id: string): Promise<LegalHold> =>
  getRecord(db, 'legal_holds', practice, id)
export const listLegalHolds = (db: Database, practice: string, query: PageQuery): Promise<Page<LegalHold>> =>
  pageOfRecords(db, 'legal_holds', practice, query)

export async function insertLegalHold(db: Write, practice: string, hold: LegalHold): Promise<void> {
  if (await isTaken(db, 'legal_holds', hold.id)) throw new AppError('already-exists')
  await db
    .insertInto('legal_holds')
    .values({ ...rowOf(practice, hold), client_id: hold.client_id, is_released: 0 })
    .execute()
}

export async function releaseLegalHold(db: Write, practice: string, hold: LegalHold): Promise<void> {
  await db
    .updateTable('legal_holds')
    .set({ ...changesOf(hold), is_released: 1 })
    .where('practice_id', '=', practice)
    .where('id', '=', hold.id)
    .execute()
  await sweepAt(db, practice, hold.updated_at)
}

interface HeldBy {
  readonly client_id: string | null
  readonly session_id: string | null
}

/** Only a hold on the whole practice covers records without a client. */
export async function isHeld(db: Database, practice: string, { client_id, session_id }: HeldBy): Promise<boolean> {
  const clients = [...(client_id === null ? [] : [client_id]), ...(await clientsIn(db, practice, session_id))]
  const hold = await db
    .selectFrom('legal_holds')
    .select('id')
    .where('practice_id', '=', practice)
    .where('is_released', '=', 0)
    .where((where) =>
      where.or([where('client_id', 'is', null), ...(clients.length === 0 ? [] : [where('client_id', 'in', clients)])]),
    )
    .limit(1)
    .executeTakeFirst()
  return hold !== undefined
}

export async function refuseHeld(db: Database, practice: string, what: HeldBy): Promise<void> {
  if (await isHeld(db, practice, what)) throw new AppError('legal-hold')
}

async function clientsIn(db: Database, practice: string, session: string | null): Promise<string[]> {
  if (session === null) return []
  const rows = await db
    .selectFrom('session_clients')
    .select('client_id')
    .where('practice_id', '=', practice)
    .where('session_id', '=', session)
    .union(db.selectFrom('sessions').select('client_id').where('practice_id', '=', practice).where('id', '=', session))
    .execute()
  return rows.map(({ client_id }) => client_id)
}
