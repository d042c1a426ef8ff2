import { AppError } from '#contract/errors.ts'
import type { Consent } from '#contract/model/consent.ts'
import type { Condition, Page, PageQuery } from './records.ts'
import { changesOf, getRecord, having, isTaken, pageOfRecords, rowOf } from './records.ts'
import type { Database, Write } from './tables.ts'

export const getConsent = (db: Database, practice: string, id: string): Promise<Consent> =>
  getRecord(db, 'consents', practice, id)

export function listConsents(
  db: Database,
  practice: string,
  query: PageQuery & { client_id?: string | undefined },
  within: readonly Condition[] = [],
): Promise<Page<Consent>> {
  return pageOfRecords(db, 'consents', practice, query, [...within, ...having('client_id', query.client_id)])
}

export async function consentsOf(db: Database, practice: string, clients: readonly string[]): Promise<Consent[]> {
  const rows = await db
    .selectFrom('consents')
    .select(['id', 'body', 'created_at', 'updated_at', 'version'])
    .where('practice_id', '=', practice)
    .where('client_id', 'in', clients)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ body, ...fields }) => ({ ...JSON.parse(body), ...fields }) as Consent)
}

/** @throws AppError `already-exists` */
export async function insertConsent(db: Write, practice: string, consent: Consent): Promise<void> {
  if (await isTaken(db, 'consents', consent.id)) throw new AppError('already-exists')
  const { client_id } = consent
  await db
    .insertInto('consents')
    .values({ ...rowOf(practice, consent), client_id })
    .execute()
}

/** Used only to revoke; consents are never edited. */
export async function updateConsent(db: Write, practice: string, consent: Consent): Promise<void> {
  await db
    .updateTable('consents')
    .set(changesOf(consent))
    .where('practice_id', '=', practice)
    .where('id', '=', consent.id)
    .execute()
}
