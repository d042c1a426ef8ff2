import type { Segment, Speaker, Transcript } from '#contract/model/transcript.ts'

export interface HeardPiece {
  readonly start_ms: number
  readonly end_ms: number
  readonly transcript: Transcript
}

export type Joined = Pick<Transcript, 'language' | 'duration_ms' | 'speakers' | 'segments' | 'engine'>

const MAX_SPEAKERS = 40
/** Labels that the engine numbered within one piece. In another piece, the same number may be another speaker. */
const numbered = /^\W*(?:speaker|spk|sprecher|voice|person|unknown)?[\s_-]*(?:\d+|[a-z])?\W*$/i

/**
 * Joins pieces, with times from the start of the recording. Speakers match across pieces only by a role or name from
 * the engine.
 */
export function joinPieces(pieces: readonly HeardPiece[]): Joined {
  const speakers = new Map<string, Speaker>()
  const segments: Segment[] = []
  for (const [number, { start_ms, end_ms, transcript }] of pieces.entries()) {
    const length = end_ms - start_ms
    const ids = speakersOf(transcript, pieces.length === 1 ? null : number, speakers)
    for (const segment of transcript.segments) {
      const id = `s${segments.length + 1}`
      const speaker_id = segment.speaker_id === null ? null : (ids.get(segment.speaker_id) ?? null)
      segments.push({ ...onWholeClock(segment, start_ms, length), id, speaker_id, ...voiceOf(segment, number) })
    }
  }
  const transcripts = pieces.map(({ transcript }) => transcript)
  return {
    language: transcripts.map(({ language }) => language).find((language) => language !== null) ?? null,
    duration_ms: pieces.at(-1)?.end_ms ?? 0,
    speakers: [...speakers.values()],
    segments,
    engine: transcripts[0]?.engine ?? { name: 'unknown', version: '', model: null },
  }
}

function speakersOf({ speakers }: Transcript, piece: number | null, known: Map<string, Speaker>): Map<string, string> {
  const ids = new Map<string, string>()
  for (const speaker of speakers) {
    const key = isTold(speaker, speakers) ? `${speaker.role} ${speaker.label}` : `${piece} ${speaker.id}`
    if (!known.has(key) && known.size >= MAX_SPEAKERS) continue
    const label = piece === null || isTold(speaker, speakers) ? speaker.label : inPart(speaker.label, piece)
    const whole = known.get(key) ?? { id: `p${known.size + 1}`, label, role: speaker.role }
    known.set(key, whole)
    ids.set(speaker.id, whole.id)
  }
  return ids
}

function isTold({ role, label }: Speaker, speakers: readonly Speaker[]): boolean {
  if (role === 'unknown' && numbered.test(label)) return false
  return speakers.filter((other) => other.role === role && other.label === label).length === 1
}

const inPart = (label: string, piece: number): string => `${label.slice(0, 180)} (part ${piece + 1})`

function onWholeClock(segment: Segment, start_ms: number, length: number): Segment {
  const at = (ms: number): number => start_ms + Math.min(ms, length)
  const { words, ...rest } = segment
  return {
    ...rest,
    start_ms: segment.start_ms === null ? null : at(segment.start_ms),
    end_ms: segment.end_ms === null ? null : at(segment.end_ms),
    ...(words === undefined
      ? {}
      : { words: words.map((word) => ({ ...word, start_ms: at(word.start_ms), end_ms: at(word.end_ms) })) }),
  }
}

const voiceOf = ({ voice }: Segment, piece: number) =>
  voice === undefined ? {} : { voice: `${piece + 1} ${voice}`.slice(0, 64) }
