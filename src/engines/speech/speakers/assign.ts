import { interviewerScore } from '#domain/speaker-roles.ts'
import { wordRuns } from '#base/word-runs.ts'
import type { HeardSegment, HeardWord, VoiceTurn, FoundVoice } from '../port.ts'
import type { Speaker } from '#contract/model/transcript.ts'

type VoicedSegment = Omit<HeardSegment, 'speaker'> & {
  readonly voice: number | null
  readonly part: number
}
type Given = Omit<VoicedSegment, 'part'>

const NEAR_MS = 250

/**
 * A segment without word times gets a voice only if turns cover at least a quarter of the segment and this voice has more than
 * half of the covered time.
 */
export function assignSpeakers(segments: readonly Omit<HeardSegment, 'speaker'>[], turns: readonly VoiceTurn[]): VoicedSegment[] {
  const sorted = turns.toSorted((left, right) => left.start_ms - right.start_ms)
  const given = segments.flatMap((segment): Given[] => {
    const { text, start_ms, end_ms, confidence, words } = segment
    const runs = wordRuns(segment, (words) => wordVoices(words, sorted))
    if (runs === null) return [{ text, start_ms, end_ms, confidence, words, voice: majority(segment, sorted) }]
    return runs.map(({ whose, from: _from, ...run }) => ({ ...run, confidence, voice: whose }))
  })
  return given.map((segment) => ({ ...segment, part: partOf(segment, sorted) }))
}

function partOf({ start_ms, end_ms, voice }: Given, turns: readonly VoiceTurn[]): number {
  const parts = [0, 0]
  for (const turn of turnsNear(turns, start_ms, end_ms))
    if (turn.voice === voice) parts[turn.part]! += Math.min(end_ms, turn.end_ms) - Math.max(start_ms, turn.start_ms)
  return parts[1]! > parts[0]! ? 1 : 0
}

function wordVoices(words: readonly HeardWord[], turns: readonly VoiceTurn[]): (number | null)[] {
  const own = words.map((word) => voiceOfWord(word, turns))
  return own.map((voice, index) => {
    if (voice !== undefined) return voice
    const before = own.slice(0, index).findLast((other) => other !== undefined)
    const after = own.slice(index + 1).find((other) => other !== undefined)
    return before === undefined || after === undefined || before === after ? (before ?? after ?? null) : null
  })
}

function voiceOfWord({ start_ms, end_ms }: HeardWord, turns: readonly VoiceTurn[]): number | null | undefined {
  let best: { voice: number | null; inside: number } | null = null
  for (const turn of turnsNear(turns, start_ms - NEAR_MS, end_ms + NEAR_MS)) {
    const inside = Math.min(end_ms, turn.end_ms) - Math.max(start_ms, turn.start_ms)
    if (inside >= -NEAR_MS && (best === null || inside > best.inside)) best = { voice: turn.voice, inside }
  }
  return best?.voice
}

function majority({ start_ms, end_ms }: Pick<HeardSegment, 'start_ms' | 'end_ms'>, turns: readonly VoiceTurn[]): number | null {
  const shares = new Map<number | null, number>()
  let covered = 0
  for (const turn of turnsNear(turns, start_ms, end_ms)) {
    const inside = Math.min(end_ms, turn.end_ms) - Math.max(start_ms, turn.start_ms)
    if (inside <= 0) continue
    covered += inside
    shares.set(turn.voice, (shares.get(turn.voice) ?? 0) + inside)
  }
  if (covered * 4 < end_ms - start_ms) return null
  for (const [voice, share] of shares) if (share * 2 > covered) return voice
  return null
}

function turnsNear(turns: readonly VoiceTurn[], from: number, to: number): VoiceTurn[] {
  let low = 0
  let high = turns.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (turns[middle]!.end_ms < from) low = middle + 1
    else high = middle
  }
  const near: VoiceTurn[] = []
  for (let index = low; index < turns.length && turns[index]!.start_ms <= to; index++) near.push(turns[index]!)
  return near
}

const question =
  /\?|^(?:and |so |but |well |okay |um )*(?:what|how|when|where|who|why|which|do|does|did|are|is|was|were|have|has|can|could|would|will)\b/i
const MIN_TURNS = 20
const CLEAR_LEAD = 1.5

const MAX_SPEAKERS = 40

/** The therapist is the only enrolled voice or, if none is, the one of two voices that clearly sounds like an interviewer. */
export function nameVoices(
  segments: readonly VoicedSegment[],
  found: readonly FoundVoice[],
  people: number | null,
): ReadonlyMap<number, Speaker> {
  const heard = [...new Set(segments.flatMap(({ voice }) => voice ?? []))].slice(0, MAX_SPEAKERS)
  const enrolled = found.filter(({ enrolled_id, voice }) => enrolled_id !== null && heard.includes(voice))
  const therapist = enrolled.length === 1 ? enrolled[0]!.voice : enrolled.length === 0 ? interviewerAmong(segments, heard) : null
  const isPair = people === 2 && heard.length === 2 && therapist !== null
  const speakerOf = (voice: number, index: number): Speaker => {
    const id = `voice-${index + 1}`
    if (voice === therapist) return { id, label: 'Therapist', role: 'therapist' }
    return isPair ? { id, label: 'Client', role: 'client' } : { id, label: `Speaker ${index + 1}`, role: 'unknown' }
  }
  return new Map(heard.map((voice, index) => [voice, speakerOf(voice, index)]))
}

function interviewerAmong(segments: readonly VoicedSegment[], heard: readonly number[]): number | null {
  const turns = turnsOf(segments).map((turn) => ({ ...turn, isAsking: isAsking(turn.text) }))
  if (heard.length !== 2 || turns.length < MIN_TURNS) return null
  const [first, second] = heard
    .map((voice) => ({ voice, score: interviewerScore(turns.filter((turn) => turn.voice === voice)) }))
    .toSorted((left, right) => right.score - left.score)
  return first!.score - second!.score >= CLEAR_LEAD ? first!.voice : null
}

function turnsOf(segments: readonly VoicedSegment[]): { voice: number | null; text: string }[] {
  const turns: { voice: number | null; text: string }[] = []
  for (const { voice, text } of segments) {
    const last = turns.at(-1)
    if (last !== undefined && last.voice === voice) last.text += ` ${text}`
    else turns.push({ voice, text })
  }
  return turns
}

const isAsking = (turn: string): boolean => turn.split(/(?<=[.!?])\s+/).some((sentence) => question.test(sentence))
