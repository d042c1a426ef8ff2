import type { Analysis } from '#contract/model/analysis.ts'
import { ofClient } from './clients.ts'
import { type BySession, everyPage, having, recordsIn, updateIn } from './records.ts'
import { sealed } from './sealed.ts'
import type { Database, Write } from './tables.ts'

export const {
  get: getAnalysis,
  list: listAnalyses,
  insert: insertAnalysis,
  update: updateAnalysis,
} = recordsIn('analyses', {
  narrow: ({ session_id, client_id }: BySession) => [...having('session_id', session_id), ...having('client_id', client_id)],
  columnsOfNew: ({ session_id, client_id }, author_id: string) => ({ session_id, client_id, author_id }),
})

export async function analysedSessions(db: Database, practice: string, client: string): Promise<string[]> {
  const rows = await db
    .selectFrom('analyses')
    .innerJoin('sessions', 'sessions.id', 'analyses.session_id')
    .select('analyses.session_id as id')
    .where('analyses.practice_id', '=', practice)
    .where(ofClient(client))
    .where('analyses.deleted_at', 'is', null)
    .distinct()
    .execute()
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

export function analysesOf(db: Database, practice: string, session_id: string): Promise<Analysis[]> {
  return everyPage((cursor) => listAnalyses(db, practice, { limit: 200, session_id, cursor }))
}

export async function eraseAnalyses(db: Write, practice: string, session: string, now: string): Promise<void> {
  const erased = { body: sealed('{}'), deleted_at: now, updated_at: now }
  const open = updateIn(db, 'analyses', practice).set(erased).where('session_id', '=', session)
  await open.where('deleted_at', 'is', null).execute()
}
