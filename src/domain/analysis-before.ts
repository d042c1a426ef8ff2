import type { AnalysisBody } from '#contract/model/analysis.ts'

/** What stands on this session alone: words of the session before go, where they may not be kept any longer. */
export function withoutSessionBefore<Found extends Pick<AnalysisBody, 'changes' | 'next_questions'>>(found: Found): Found {
  return {
    ...found,
    changes: null,
    next_questions: found.next_questions.filter(({ evidence_of }) => evidence_of !== 'session_before'),
  }
}
