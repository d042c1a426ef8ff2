import { sessionWords } from '#renderer/strings/session.ts'
import { formatLength } from '#renderer/strings/time.ts'

/** A break that was too short for a second still was one. */
export function gapLength(ms: number): string {
  return ms < 1000 ? sessionWords.underASecond : formatLength(ms)
}
