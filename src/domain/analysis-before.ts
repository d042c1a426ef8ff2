import type { AnalysisBody } from '#contract/model/analysis.ts'

/** Removes what an analysis says about the previous session, for when that may no longer be stored. */
export function withoutSessionBefore<Found extends Pick<AnalysisBody, 'changes' | 'next_questions'>>(found: Found): Found {
  return {
    ...found,
    changes: null,
    next_questions: found.next_questions.filter(({ evidence_of }) => evidence_of !== 'session_before'),
  }
}
