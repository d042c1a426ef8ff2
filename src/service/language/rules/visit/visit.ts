import type { SessionView } from '../session.ts'
import type { Person } from '../types.ts'

export interface Visit {
  readonly view: SessionView
  readonly patient: Person
  readonly clinician: Person
  /** The same person under the name that the note of a visit uses. */
  readonly writer: Person
  /** Sentence indexes at which the examination and the plan begin. */
  readonly examFrom: number
  readonly planFrom: number
}

/** Full marks for what reads as one line. */
export function lengthScore(words: number): number {
  if (words < 5) return -0.5
  if (words <= 26) return 0.3
  return words <= 36 ? 0 : -0.6
}
