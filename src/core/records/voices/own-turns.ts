import type { Transcript } from '#contract/model/transcript.ts'

export interface Stretch {
  readonly start_ms: number
  readonly end_ms: number
}

/** Turns begin and end a little early or late; what lies between two people belongs to neither. */
const edgeMs = 250
const leastTurnMs = 1500
/** As much as is read aloud, where it is read. */
const mostMs = 18_000

/** The longest turns of the therapist, in order, until there is enough to know a voice by. */
export function ownTurns({ segments, speakers }: Pick<Transcript, 'segments' | 'speakers'>): Stretch[] {
  const own = new Set(speakers.filter(({ role }) => role === 'therapist').map(({ id }) => id))
  const turns = segments
    .flatMap(({ speaker_id, start_ms, end_ms }) =>
      own.has(speaker_id ?? '') && start_ms !== null && end_ms !== null
        ? [{ start_ms: start_ms + edgeMs, end_ms: end_ms - edgeMs }]
        : [],
    )
    .filter((turn) => lengthOf(turn) >= leastTurnMs)
    .toSorted((left, right) => lengthOf(right) - lengthOf(left))
  const chosen: Stretch[] = []
  let left = mostMs
  for (const { start_ms, end_ms } of turns) {
    if (left < leastTurnMs) break
    const length = Math.min(left, end_ms - start_ms)
    chosen.push({ start_ms, end_ms: start_ms + length })
    left -= length
  }
  return chosen.toSorted((one, other) => one.start_ms - other.start_ms)
}

export function lengthOf({ start_ms, end_ms }: Stretch): number {
  return end_ms - start_ms
}
