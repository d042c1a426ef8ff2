import type { AnalysisBody } from '#contract/model/analysis.ts'
import type { Segment, Speaker } from '#contract/model/transcript.ts'
import { wordsOf } from '#engines/language/rules/tokens.ts'

/** Shorter than this is taking turns. */
const silenceMs = 3_000
/** Speaking time under which a pace would be chance. */
const fewestMs = 10_000

interface Timed {
  readonly segment: Segment
  readonly start: number
  readonly end: number
}

/** Share of all spoken time, by speaker id; null where not every word has its time. */
export function talkRatio(speakers: readonly Speaker[], segments: readonly Segment[]): AnalysisBody['talk_ratio'] {
  const timed = timedOf(segments)
  if (timed === null) return null
  const total = timed.reduce((sum, { start, end }) => sum + end - start, 0)
  if (total === 0) return null
  return Object.fromEntries(speakers.map(({ id }) => [id, spokenBy(timed, id) / total]))
}

export function paceOf(speakers: readonly Speaker[], segments: readonly Segment[]): AnalysisBody['pace'] {
  const timed = timedOf(segments)
  return speakers.map(({ id }) => {
    const words = segments.filter(({ speaker_id }) => speaker_id === id).reduce((sum, { text }) => sum + wordsOf(text).length, 0)
    const spoken = timed === null ? 0 : spokenBy(timed, id)
    return { speaker_id: id, words, words_per_minute: spoken < fewestMs ? null : Math.round(words / (spoken / 60_000)) }
  })
}

/** Pauses in which nobody spoke. What was not recorded is not on the audio's clock and counts for nothing. */
export function silenceOf(segments: readonly Segment[]): AnalysisBody['silence'] {
  const timed = timedOf(segments)
  if (timed === null) return null
  const pauses: { start_ms: number; end_ms: number; after_segment_id: string }[] = []
  let last: Timed | null = null
  for (const each of timed.toSorted((left, right) => left.start - right.start)) {
    if (last !== null && each.start - last.end >= silenceMs)
      pauses.push({ start_ms: last.end, end_ms: each.start, after_segment_id: last.segment.id })
    if (last === null || each.end > last.end) last = each
  }
  const length = (pause: { start_ms: number; end_ms: number }): number => pause.end_ms - pause.start_ms
  const longest = pauses.reduce<(typeof pauses)[number] | null>(
    (found, pause) => (found === null || length(pause) > length(found) ? pause : found),
    null,
  )
  return { count: pauses.length, total_ms: pauses.reduce((sum, pause) => sum + length(pause), 0), longest }
}

function timedOf(segments: readonly Segment[]): Timed[] | null {
  const timed: Timed[] = []
  for (const segment of segments) {
    const { start_ms, end_ms } = segment
    if (start_ms === null || end_ms === null) {
      if (segment.text.trim() !== '') return null
      continue
    }
    timed.push({ segment, start: start_ms, end: Math.max(start_ms, end_ms) })
  }
  return timed.length === 0 ? null : timed
}

function spokenBy(timed: readonly Timed[], speaker: string): number {
  return timed.reduce((sum, { segment, start, end }) => sum + (segment.speaker_id === speaker ? end - start : 0), 0)
}
