import { z } from 'zod'
import type { Heard, HeardSegment, HeardWord } from './port.ts'
import { attempt } from '#base/control.ts'

/** A missing number is allowed and an invalid one becomes null, because servers differ. */
const seconds = z.number().finite().nullish().catch(null)
const wordSchema = z.object({
  word: z.string().nullish(),
  text: z.string().nullish(),
  start: seconds,
  end: seconds,
  confidence: seconds,
  probability: seconds,
})
const wordsSchema = z.array(wordSchema.nullable().catch(null)).nullish().catch(null)
const segmentSchema = z.object({
  text: z.string(),
  start: seconds,
  end: seconds,
  confidence: seconds,
  avg_logprob: seconds,
  no_speech_prob: seconds,
  speaker: z.union([z.string(), z.number()]).nullish().catch(null),
  words: wordsSchema,
})
type ToldSegment = z.infer<typeof segmentSchema>

const answerSchema = z.object({
  text: z.string().nullish(),
  language: z.string().nullish().catch(null),
  duration: seconds,
  segments: z.array(segmentSchema.nullable().catch(null)).nullish().catch(null),
  words: wordsSchema,
})

const PAUSE_MS = 700
const MAX_GROUP = 60

/** With `isGuess`, `longestMs` is only an upper limit, so a shorter duration reported by the server counts. */
export function readVerboseJson(body: string, longestMs: number, isGuess = false): Heard | null {
  const answer = answerSchema.safeParse(attempt(() => JSON.parse(body)))
  if (!answer.success) return null
  const { text, segments, words, language, duration } = answer.data
  const durationMs = isGuess && duration ? Math.min(longestMs, Math.round(duration * 1000)) : longestMs
  if (typeof text !== 'string' && !segments && !words) return null
  const heardWords = wordsOf(words, durationMs)
  const fromSegments = segmentsOf(segments, heardWords, durationMs)
  return {
    language: language ?? null,
    segments: fromSegments ?? (heardWords.length > 0 ? grouped(heardWords) : whole(text ?? '', durationMs)),
  }
}

function segmentsOf(
  segments: z.infer<typeof answerSchema>['segments'],
  allWords: readonly HeardWord[],
  durationMs: number,
): HeardSegment[] | null {
  const told = (segments ?? []).filter((segment) => segment !== null && segment.text.trim() !== '')
  if (told.length === 0) return null
  const heard: HeardSegment[] = []
  for (const segment of told) {
    if (segment === null || isSilence(segment)) continue
    const start_ms = milliseconds(segment.start, durationMs) ?? heard.at(-1)?.end_ms ?? 0
    const end_ms = Math.max(start_ms, milliseconds(segment.end, durationMs) ?? durationMs)
    const own = wordsOf(segment.words, durationMs)
    const words = own.length > 0 ? own : allWords.filter((word) => isWithin(word, start_ms, end_ms))
    const speaker = segment.speaker == null ? null : String(segment.speaker).slice(0, 40)
    heard.push({ text: plain(segment.text), start_ms, end_ms, speaker, words, confidence: confidenceOf(segment, words) })
  }
  return heard
}

/** Whisper's default thresholds for silence. */
const isSilence = ({ no_speech_prob, avg_logprob }: ToldSegment): boolean =>
  (no_speech_prob ?? 0) > 0.6 && (avg_logprob ?? 0) < -1

function isWithin(word: HeardWord, start: number, end: number): boolean {
  const middle = (word.start_ms + word.end_ms) / 2
  return middle >= start && middle < end
}

const wordsOf = (words: z.infer<typeof wordsSchema>, durationMs: number): HeardWord[] =>
  (words ?? []).flatMap((word) => {
    const text = plain(word?.word ?? word?.text ?? '')
    const start_ms = milliseconds(word?.start, durationMs)
    if (word === null || text === '' || start_ms === null) return []
    const end_ms = Math.max(start_ms, milliseconds(word.end, durationMs) ?? start_ms)
    return [{ text, start_ms, end_ms, confidence: share(word.confidence ?? word.probability) }]
  })

function grouped(words: readonly HeardWord[]): HeardSegment[] {
  const groups: HeardWord[][] = []
  for (const word of words) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && word.start_ms - last.end_ms <= PAUSE_MS && group.length < MAX_GROUP) group.push(word)
    else groups.push([word])
  }
  return groups.map((group) => ({
    text: group.map(({ text }) => text).join(' '),
    start_ms: group[0]?.start_ms ?? 0,
    end_ms: group.at(-1)?.end_ms ?? 0,
    speaker: null,
    words: group,
    confidence: mean(group),
  }))
}

function whole(text: string, durationMs: number): HeardSegment[] {
  const said = plain(text)
  return said === '' ? [] : [{ text: said, start_ms: 0, end_ms: durationMs, speaker: null, words: [], confidence: null }]
}

const confidenceOf = ({ confidence, avg_logprob }: ToldSegment, words: readonly HeardWord[]): number | null =>
  share(confidence) ?? mean(words) ?? share(avg_logprob == null ? null : Math.exp(avg_logprob))

function mean(words: readonly HeardWord[]): number | null {
  const known = words.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]))
  return known.length === 0 ? null : Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 1000) / 1000
}

const share = (value: number | null | undefined): number | null => (value == null ? null : Math.min(1, Math.max(0, value)))

const milliseconds = (value: number | null | undefined, most: number): number | null =>
  value == null ? null : Math.min(most, Math.max(0, Math.round(value * 1000)))

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
