import { AppError } from '#contract/errors.ts'
import { withoutSessionBefore } from '#domain/analysis-before.ts'
import type { Analysis } from '#contract/model/analysis.ts'
import type { ConsentService } from '../consent/consent-service.ts'

/** Removes quotes of the previous session if its participants no longer all consent. */
export function agreedInsights(consentService: ConsentService, analysis: Analysis): Analysis {
  const before = analysis.changes?.session_id
  return before === undefined || isAgreed(consentService, before) ? analysis : withoutSessionBefore(analysis)
}

/** Deny if the session no longer exists. */
function isAgreed(consentService: ConsentService, sessionId: string): boolean {
  try {
    return consentService.allows(sessionId, 'analyze')
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return false
    throw error
  }
}
