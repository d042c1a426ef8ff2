import type { AnalysisBody } from '#contract/model/analysis.ts'

/** Removes content from the previous session if it may no longer be stored. */
export function withoutSessionBefore<Found extends Pick<AnalysisBody, 'changes' | 'next_questions'>>(found: Found): Found {
  return {
    ...found,
    changes: null,
    next_questions: found.next_questions.filter(({ evidence_of }) => evidence_of !== 'session_before'),
  }
}
