import type { Analysis } from '#contract/model/analysis.ts'
import type { BySession, Condition, Page } from './records.ts'
import { changesOf, everyPage, getRecord, having, pageOfRecords, rowOf } from './records.ts'
import { sealed } from './sealed.ts'
import type { Database, Write } from './tables.ts'

export const getAnalysis = (db: Database, practice: string, id: string): Promise<Analysis> =>
  getRecord(db, 'analyses', practice, id)

export function listAnalyses(
  db: Database,
  practice: string,
  query: BySession,
  within: readonly Condition[] = [],
): Promise<Page<Analysis>> {
  return pageOfRecords(db, 'analyses', practice, query, [
    ...within,
    ...having('session_id', query.session_id),
    ...having('client_id', query.client_id),
  ])
}

export async function insertAnalysis(db: Write, practice: string, analysis: Analysis, author_id: string): Promise<void> {
  const { session_id, client_id } = analysis
  await db
    .insertInto('analyses')
    .values({ ...rowOf(practice, analysis), session_id, client_id, author_id })
    .execute()
}

export async function analysedSessions(db: Database, practice: string, client: string): Promise<string[]> {
  const rows = await db
    .selectFrom('analyses')
    .innerJoin('sessions', 'sessions.id', 'analyses.session_id')
    .select('analyses.session_id as id')
    .where('analyses.practice_id', '=', practice)
    .where((where) =>
      where.or([
        where('sessions.client_id', '=', client),
        where(
          'sessions.id',
          'in',
          where
            .selectFrom('session_clients')
            .select('session_clients.session_id')
            .where('session_clients.client_id', '=', client),
        ),
      ]),
    )
    .where('analyses.deleted_at', 'is', null)
    .distinct()
    .execute()
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

export function analysesOf(db: Database, practice: string, session_id: string): Promise<Analysis[]> {
  return everyPage((cursor) => listAnalyses(db, practice, { limit: 200, session_id, cursor }))
}

export async function updateAnalysis(db: Write, practice: string, analysis: Analysis): Promise<void> {
  await db
    .updateTable('analyses')
    .set(changesOf(analysis))
    .where('practice_id', '=', practice)
    .where('id', '=', analysis.id)
    .execute()
}

export async function eraseAnalyses(db: Write, practice: string, session: string, now: string): Promise<void> {
  await db
    .updateTable('analyses')
    .set({ body: sealed('{}'), deleted_at: now, updated_at: now })
    .where('practice_id', '=', practice)
    .where('session_id', '=', session)
    .where('deleted_at', 'is', null)
    .execute()
}
