import type { Segment, Transcript } from '#contract/model/transcript.ts'
import type { SessionData } from '../session-data.ts'
import { hasVoice } from './speakers.ts'

const CLEAR_ENOUGH = 0.5

const MAX_SKIPPED = 3

export function textParts(segment: Segment) {
  const parts: { readonly text: string; readonly unclear: boolean }[] = []
  const { text } = segment
  const written = wordsIn(text)
  let from = 0
  let next = 0
  // Every recognized word is followed through the text, so that an unclear one is found at its own place.
  for (const heard of segment.edited ? [] : (segment.words ?? []))
    for (const { word } of wordsIn(heard.text)) {
      const skipped = written.slice(next, next + MAX_SKIPPED + 1).findIndex((other) => other.word === word)
      const found = written[next + skipped]
      if (skipped < 0 || found === undefined) continue
      next += skipped + 1
      if (!isUnclear(heard)) continue
      if (found.from > from) parts.push({ text: text.slice(from, found.from), unclear: false })
      parts.push({ text: text.slice(found.from, found.to), unclear: true })
      from = found.to
    }
  if (from < text.length || from === 0) parts.push({ text: text.slice(from), unclear: false })
  return parts
}

const wordsIn = (text: string) =>
  [...text.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)].map(({ 0: word, index }) => ({
    word: word.toLowerCase().replaceAll('’', "'"),
    from: index,
    to: index + word.length,
  }))

const isUnclear = ({ confidence }: { readonly confidence: number | null }): boolean =>
  confidence !== null && confidence < CLEAR_ENOUGH

export function unclearWords(segment: Segment): string[] {
  if (segment.edited || segment.words === undefined) return []
  return segment.words.filter(isUnclear).map((word) => word.text.trim())
}

export type WorthAListen = ReturnType<typeof worthAListen>[number]

export function worthAListen(body: Pick<Transcript, 'speakers' | 'segments'>) {
  return body.segments.flatMap((segment, index) => {
    const words = unclearWords(segment)
    const isTurnUnclear = !segment.edited && isUnclear(segment)
    const reason: 'words' | 'turn' | 'voice' = words.length > 0 ? 'words' : isTurnUnclear ? 'turn' : 'voice'
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
