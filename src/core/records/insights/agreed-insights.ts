import { AppError } from '#contract/errors.ts'
import { withoutSessionBefore } from '#domain/analysis-before.ts'
import type { Analysis } from '#contract/model/analysis.ts'
import type { Gatekeeper } from '../consent/gatekeeper.ts'

/** Without the words of the session before, where not everyone who was in that one agrees to it any more. */
export function agreedInsights(gatekeeper: Gatekeeper, analysis: Analysis): Analysis {
  const before = analysis.changes?.session_id
  return before === undefined || isAgreed(gatekeeper, before) ? analysis : withoutSessionBefore(analysis)
}

/** Of a session that is no longer there nobody can be asked. */
function isAgreed(gatekeeper: Gatekeeper, sessionId: string): boolean {
  try {
    return gatekeeper.allows(sessionId, 'analyze')
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return false
    throw error
  }
}
