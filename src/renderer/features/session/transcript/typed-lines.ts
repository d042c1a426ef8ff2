import type { Participant } from '#contract/model/session.ts'
import type { Segment, Speaker } from '#contract/model/transcript.ts'
import { isPartOfName, speakerRole } from '#domain/speaker-roles.ts'
import { voiceChoices } from './speakers.ts'

export interface TypedTranscript {
  readonly speakers: Speaker[]
  readonly segments: Segment[]
}

const named = /^\s*([\p{L}][\p{L}\p{M}.' -]{0,39})\s*:\s*(.*)$/u

/**
 * Parses typed lines such as "Therapist: ..." and "Client: ...". A line without a name continues the previous turn. A
 * prefix counts as a name only if it matches the therapist or a participant.
 */
export function parseTypedLines(text: string, therapistName: string, participants: readonly Participant[]): TypedTranscript {
  const voices = voiceChoices([], therapistName, participants)
  const segments: Segment[] = []
  const used = new Map<string, Speaker>()
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim()
    if (trimmed === '') continue
    const match = named.exec(trimmed)
    const voice = match === null ? undefined : findVoice(match[1] ?? '', voices)
    const words = voice === undefined ? trimmed : (match?.[2] ?? '').trim()
    const last = segments.at(-1)
    if (voice === undefined && last !== undefined) {
      segments[segments.length - 1] = { ...last, text: `${last.text} ${words}`.trim() }
      continue
    }
    if (voice !== undefined) used.set(voice.id, voice)
    segments.push(turn(segments.length + 1, voice?.id ?? null, words))
  }
  return { speakers: [...used.values()], segments: segments.filter((segment) => segment.text !== '') }
}

function turn(number: number, speakerId: string | null, text: string): Segment {
  return { id: `typed-${number}`, speaker_id: speakerId, start_ms: null, end_ms: null, text, confidence: null, edited: true }
}

function findVoice(label: string, voices: readonly Speaker[]): Speaker | undefined {
  // "Me" and "I" mean the therapist, who typed the lines.
  const role = /^(?:me|i)$/i.test(label.trim()) ? 'therapist' : speakerRole(label, [])
  const found = role === 'unknown' ? undefined : voices.find((voice) => voice.role === role)
  return found ?? (role === 'client' ? voices[1] : voices.find((voice) => isPartOfName(label, voice.label)))
}
