import type { StoredCoverage } from '#contract/model/coverage.ts'
import type { Condition, Page, PageQuery } from './records.ts'
import { findRecord, getRecord, having, pageOfRecords, rowOf } from './records.ts'
import { sealedOrNull } from './sealed.ts'
import type { Database, Write } from './tables.ts'

export interface CoverageQuery extends PageQuery {
  readonly client_id?: string | undefined
}

export interface CoverageOrigin {
  readonly author_id: string
  readonly question: string
  readonly is_answer: boolean
  readonly raw: { readonly text: string; readonly media_type: string } | null
}

export const getCoverage = (db: Database, practice: string, id: string): Promise<StoredCoverage> =>
  getRecord(db, 'coverages', practice, id)

export function listCoverage(
  db: Database,
  practice: string,
  query: CoverageQuery,
  within: readonly Condition[],
): Promise<Page<StoredCoverage>> {
  return pageOfRecords(db, 'coverages', practice, query, [...within, ...having('client_id', query.client_id)])
}

export async function insertCoverage(
  db: Write,
  practice: string,
  coverage: StoredCoverage,
  origin: CoverageOrigin,
): Promise<void> {
  const { author_id, question, raw } = origin
  await db
    .insertInto('coverages')
    .values({
      ...rowOf(practice, coverage),
      client_id: coverage.client_id ?? null,
      author_id,
      question,
      is_answer: origin.is_answer ? 1 : 0,
      checked_at: coverage.checked_at,
      raw: sealedOrNull(raw?.text ?? null),
      raw_type: raw?.media_type ?? null,
    })
    .execute()
}

export async function findAnswer(
  db: Database,
  practice: string,
  question: string,
  client_id: string | null,
  since: string,
): Promise<StoredCoverage | null> {
  const row = await db
    .selectFrom('coverages')
    .select('id')
    .where('practice_id', '=', practice)
    .where('question', '=', question)
    .where('client_id', client_id === null ? 'is' : '=', client_id)
    .where('is_answer', '=', 1)
    .where('checked_at', '>=', since)
    .where('deleted_at', 'is', null)
    .orderBy('checked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : findRecord(db, 'coverages', practice, row.id)
}

export async function findRaw(db: Database, practice: string, id: string): Promise<{ text: string; media_type: string } | null> {
  const row = await db
    .selectFrom('coverages')
    .select(['raw', 'raw_type'])
    .where('practice_id', '=', practice)
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined || row.raw === null || row.raw_type === null ? null : { text: row.raw, media_type: row.raw_type }
}
