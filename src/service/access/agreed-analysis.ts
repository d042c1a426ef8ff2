import { AppError } from '#contract/errors.ts'
import { withoutSessionBefore } from '#domain/analysis-before.ts'
import type { Analysis, AnalysisBody } from '#contract/model/analysis.ts'
import { idsWithin } from './reach.ts'
import { isAgreed } from './consent.ts'
import type { Call } from './call.ts'
import type { ConsentPolicy } from './consent.ts'
import { getSession } from '#service/store/sessions.ts'
import type { Database } from '#service/store/tables.ts'

type Found = Pick<AnalysisBody, 'session_id' | 'changes' | 'next_questions'>

/** As far as those whose words it quotes agree: without the session before, or null where not even its own is agreed to. */
export async function agreedAnalysis<Of extends Found>(
  db: Database,
  practice: string,
  policy: ConsentPolicy,
  found: Of,
): Promise<Of | null> {
  const mayQuote = (session: string): Promise<boolean> => isOpen(db, practice, policy, session)
  if (found.session_id !== null && !(await mayQuote(found.session_id))) return null
  return found.changes == null || (await mayQuote(found.changes.session_id)) ? found : withoutSessionBefore(found)
}

/**
 * As far as who reads it now may. Somebody may have joined the session since, or be found in the one before, who did not
 * agree to it; and the one before may be a colleague's.
 */
export async function readableAnalysis(
  db: Database,
  { practice, scope }: Pick<Call, 'practice' | 'scope'>,
  policy: ConsentPolicy,
  analysis: Analysis,
): Promise<Analysis | null> {
  const agreed = await agreedAnalysis(db, practice, policy, analysis)
  const before = agreed?.changes?.session_id
  if (agreed === null || before === undefined) return agreed
  return (await idsWithin(db, practice, scope, 'sessions', [before])).has(before) ? agreed : withoutSessionBefore(agreed)
}

/** Of a session that is no longer there nobody can be asked. */
async function isOpen(db: Database, practice: string, policy: ConsentPolicy, id: string): Promise<boolean> {
  try {
    return await isAgreed(db, practice, policy, await getSession(db, practice, id), 'analyze')
  } catch (error) {
    if (error instanceof AppError && (error.code === 'gone' || error.code === 'not-found')) return false
    throw error
  }
}
