import type { LegalHold } from '#contract/model/retention.ts'
import type { Page, PageQuery } from './records.ts'
import { changesOf, getRecord, isTaken, pageOfRecords, rowOf } from './records.ts'
import { sweepAt } from './retention.ts'
import type { Database, Write } from './tables.ts'
import { AppError } from '#contract/errors.ts'

export const getLegalHold = (db: Database, practice: string, id: string): Promise<LegalHold> =>
  getRecord(db, 'legal_holds', practice, id)
export const listLegalHolds = (db: Database, practice: string, query: PageQuery): Promise<Page<LegalHold>> =>
  pageOfRecords(db, 'legal_holds', practice, query)

/** @throws AppError `already-exists` */
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

/** Clients of a record to be erased: one client, all clients of a session, or no client. */
export interface HeldBy {
  readonly client_id: string | null
  readonly session_id: string | null
}

/**
 * True if a hold covers one of the clients or the whole practice. Only a hold on the whole practice covers records without a
 * client.
 */
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

/** @throws AppError `legal-hold` */
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
