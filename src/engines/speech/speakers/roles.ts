import type { Speaker } from '#contract/model/transcript.ts'
import type { VoicedSegment } from './assign.ts'
import type { FoundVoice } from './diarizer-port.ts'

const question =
  /\?|^(?:and |so |but |well |okay |um )*(?:what|how|when|where|who|why|which|do|does|did|are|is|was|were|have|has|can|could|would|will)\b/i
const interviewer =
  /\b(?:tell me|how long|any other|sounds like|on a scale|last session|last time|how (?:was|did|do|are) (?:that|you|it)|what (?:was|would|do you))\b/gi
/** Fewer turns tell nothing, and so does a smaller lead. */
const fewestTurns = 20
const clearLead = 1.5

/** A transcript names no more. */
const mostSpeakers = 40

/** Speakers of a transcript by the number of their voice. */
export type SpeakersByVoice = ReadonlyMap<number, Speaker>

/**
 * Who the voices are: the therapist by the voice they enrolled, else by what only an interviewer says, else nobody knows.
 * Where two were expected and two are there, the other one is the client. Everybody else is named by a person alone.
 */
export function nameVoices(
  segments: readonly VoicedSegment[],
  found: readonly FoundVoice[],
  people: number | null,
): SpeakersByVoice {
  const heard = [...new Set(segments.flatMap(({ voice }) => voice ?? []))].slice(0, mostSpeakers)
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

/** The one of two voices whose words are clearly an interviewer's; null where that is not clear. */
function interviewerAmong(segments: readonly VoicedSegment[], heard: readonly number[]): number | null {
  const turns = turnsOf(segments)
  if (heard.length !== 2 || turns.length < fewestTurns) return null
  const [first, second] = heard
    .map((voice) => ({ voice, score: scoreOf(turns.filter((turn) => turn.voice === voice).map(({ text }) => text)) }))
    .toSorted((left, right) => right.score - left.score)
  return first!.score - second!.score >= clearLead ? first!.voice : null
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

function scoreOf(turns: readonly string[]): number {
  const words =
    turns
      .join(' ')
      .toLowerCase()
      .match(/[\p{L}']+/gu) ?? []
  const hundreds = Math.max(words.length, 1) / 100
  const asks = turns.filter((turn) => turn.split(/(?<=[.!?])\s+/).some((sentence) => question.test(sentence))).length
  const you = words.filter((word) => /^(?:you|your|you're|you've)$/.test(word)).length
  const own = words.filter((word) => /^(?:i|my|me|i'm|i've)$/.test(word)).length
  const phrases = turns.join(' ').match(interviewer)?.length ?? 0
  return (1.2 * asks) / Math.max(turns.length, 1) + (0.25 * (you - own) + 0.8 * phrases) / hundreds
}
