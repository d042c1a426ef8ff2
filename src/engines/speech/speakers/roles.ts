import { interviewerScore } from '#domain/speaker-roles.ts'
import type { Speaker } from '#contract/model/transcript.ts'
import type { VoicedSegment } from './assign.ts'
import type { FoundVoice } from './diarizer-port.ts'

const question =
  /\?|^(?:and |so |but |well |okay |um )*(?:what|how|when|where|who|why|which|do|does|did|are|is|was|were|have|has|can|could|would|will)\b/i
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
  const turns = turnsOf(segments).map((turn) => ({ ...turn, isAsking: isAsking(turn.text) }))
  if (heard.length !== 2 || turns.length < fewestTurns) return null
  const [first, second] = heard
    .map((voice) => ({ voice, score: interviewerScore(turns.filter((turn) => turn.voice === voice)) }))
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

const isAsking = (turn: string): boolean => turn.split(/(?<=[.!?])\s+/).some((sentence) => question.test(sentence))
