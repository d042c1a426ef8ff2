import type { Segment, Transcript } from '#contract/model/transcript.ts'
import type { SessionData } from '../session-data.ts'
import { hasVoice } from './speakers.ts'

const CLEAR_ENOUGH = 0.5

export function textParts(segment: Segment) {
  const parts: { readonly text: string; readonly unclear: boolean }[] = []
  let from = 0
  for (const word of unclearWords(segment)) {
    const at = segment.text.indexOf(word, from)
    if (at < 0) continue
    if (at > from) parts.push({ text: segment.text.slice(from, at), unclear: false })
    parts.push({ text: word, unclear: true })
    from = at + word.length
  }
  if (from < segment.text.length || from === 0) parts.push({ text: segment.text.slice(from), unclear: false })
  return parts
}

export function unclearWords(segment: Segment): string[] {
  if (segment.edited || segment.words === undefined) return []
  return segment.words
    .filter((word) => word.confidence !== null && word.confidence < CLEAR_ENOUGH)
    .map((word) => word.text.trim())
}

export type WorthAListen = ReturnType<typeof worthAListen>[number]

export function worthAListen(body: Pick<Transcript, 'speakers' | 'segments'>) {
  return body.segments.flatMap((segment, index) => {
    const words = unclearWords(segment)
    const isUnclear = !segment.edited && segment.confidence !== null && segment.confidence < CLEAR_ENOUGH
    const reason: 'words' | 'turn' | 'voice' = words.length > 0 ? 'words' : isUnclear ? 'turn' : 'voice'
    if (reason === 'voice' && hasVoice(body, segment)) return []
    return [{ index, segment_id: segment.id, start_ms: segment.start_ms, reason, words }]
  })
}

/** The index of the last turn that starts by `ms`; -1 before the first turn or without times. */
export function turnAt(segments: readonly Segment[], ms: number): number {
  let low = 0
  let high = segments.length - 1
  let found = -1
  while (low <= high) {
    const middle = (low + high) >> 1
    const start = segments[middle]?.start_ms ?? null
    if (start === null) return -1
    if (start <= ms) {
      found = middle
      low = middle + 1
    } else high = middle - 1
  }
  return found
}

export function correctTurn<Body extends Pick<Transcript, 'segments'>>(body: Body, segmentId: string, text: string): Body {
  const segments = body.segments.map((segment) => {
    if (segment.id !== segmentId || segment.text === text) return segment
    const { words: _words, ...rest } = segment
    return { ...rest, text, edited: true }
  })
  return { ...body, segments }
}

type WhyNotAgain = 'no-engine' | 'no-sound' | 'own' | 'corrected' | 'note'

export function whyNotAgain(
  { recording, row }: Pick<SessionData, 'recording' | 'row'>,
  { engine, segments }: Pick<Transcript, 'engine' | 'segments'>,
  speechReady: boolean,
): WhyNotAgain | null {
  if (recording === null || recording.state !== 'finished') return 'no-sound'
  if (!speechReady) return 'no-engine'
  if (engine.name === 'person' || engine.name === 'import') return 'own'
  if (segments.some(({ edited }) => edited)) return 'corrected'
  // The note's evidence refers to this transcript's turns.
  return row.note === null ? null : 'note'
}
