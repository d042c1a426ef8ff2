import { AppError } from '#contract/errors.ts'
import { withoutSessionBefore } from '#domain/analysis-before.ts'
import type { Analysis } from '#contract/model/analysis.ts'
import type { ConsentService } from '../consent/consent-service.ts'

export function agreedInsights(consentService: ConsentService, analysis: Analysis): Analysis {
  const before = analysis.changes?.session_id
  return before === undefined || isAgreed(consentService, before) ? analysis : withoutSessionBefore(analysis)
}

function isAgreed(consentService: ConsentService, sessionId: string): boolean {
  try {
    return consentService.allows(sessionId, 'analyze')
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return false
    throw error
  }
}
