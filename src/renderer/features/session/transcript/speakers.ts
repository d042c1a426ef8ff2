import type { Participant } from '#contract/model/session.ts'
import type { Segment, Speaker, Transcript } from '#contract/model/transcript.ts'
import { transcriptWords } from '#renderer/strings/transcript.ts'
import { isPartOfName, speakerRole } from '#domain/speaker-roles.ts'

export type Voice = Speaker

type Voiced = Pick<Transcript, 'speakers' | 'segments'>

export function voiceChoices(speakers: readonly Speaker[], therapistName: string, participants: readonly Participant[]): Voice[] {
  const known = speakers.filter((speaker) => speaker.role !== 'unknown')
  const voices: Voice[] = [
    known.find(({ role }) => role === 'therapist') ?? { id: 'therapist', label: therapistName, role: 'therapist' },
  ]
  const rest = (): Voice[] => known.filter(({ id }) => !voices.some((voice) => voice.id === id))
  for (const [index, participant] of participants.entries()) {
    const role = participant.role === 'client' ? 'client' : 'other'
    const free = rest().filter((speaker) => speaker.role !== 'therapist')
    const found = free.find(({ label }) => label === participant.name) ?? free.find((speaker) => speaker.role === role)
    voices.push(found ?? { id: `participant-${index + 1}`, label: participant.name, role })
  }
  return [...voices, ...rest()].slice(0, 9)
}

export function giveVoice<Body extends Voiced>(body: Body, segmentIds: ReadonlySet<string>, voice: Voice): Body {
  const segments = body.segments.map((segment) => (segmentIds.has(segment.id) ? { ...segment, speaker_id: voice.id } : segment))
  return { ...body, segments, speakers: usedSpeakers(withSpeaker(body.speakers, voice), segments) }
}

export function nameVoice<Body extends Voiced>(body: Body, speakerId: string, voice: Voice): Body {
  const ids = new Set(body.segments.filter((segment) => segment.speaker_id === speakerId).map((segment) => segment.id))
  return giveVoice(body, ids, voice)
}

/** The unassigned turns from `fromIndex` up to the next assigned turn, so that one key press assigns a long answer. */
export function runOfUnknown(body: Voiced, fromIndex: number): string[] {
  const known = body.segments.findIndex((segment, index) => index >= fromIndex && hasVoice(body, segment))
  return body.segments.slice(fromIndex, known < 0 ? undefined : known).map(({ id }) => id)
}

function speakerOf(body: Voiced, { speaker_id }: Segment): Speaker | undefined {
  return body.speakers.find(({ id }) => id === speaker_id)
}

export function knownSpeakerOf(body: Voiced | null, segment: Segment): Speaker | undefined {
  const speaker = body === null ? undefined : speakerOf(body, segment)
  return speaker?.role === 'unknown' ? undefined : speaker
}

export const hasVoice = (body: Voiced, segment: Segment): boolean => knownSpeakerOf(body, segment) !== undefined

export function nextWithoutVoice(body: Voiced, index: number): number {
  const next = body.segments.findIndex((segment, at) => at > index && !hasVoice(body, segment))
  return next >= 0 ? next : body.segments.findIndex((segment) => !hasVoice(body, segment))
}

export function spokenTime(body: Voiced): Map<string, number> | null {
  const times = new Map<string, number>()
  for (const { speaker_id, start_ms, end_ms } of body.segments) {
    if (start_ms === null || end_ms === null) return null
    times.set(speaker_id ?? '', (times.get(speaker_id ?? '') ?? 0) + Math.max(0, end_ms - start_ms))
  }
  return times
}

export function speakerTone(body: Voiced | null, speaker: Speaker | undefined): 0 | 1 | 2 | 3 | 4 {
  if (body === null || speaker === undefined || speaker.role === 'unknown') return 0
  if (speaker.role === 'therapist') return 1
  const clientsFirst = (['client', 'other'] as const).flatMap((role) => body.speakers.filter((other) => other.role === role))
  return ([2, 3] as const)[clientsFirst.findIndex(({ id }) => id === speaker.id)] ?? 4
}

function withSpeaker(speakers: readonly Speaker[], voice: Voice): Speaker[] {
  return speakers.some((speaker) => speaker.id === voice.id) ? [...speakers] : [...speakers, voice]
}

function usedSpeakers(speakers: readonly Speaker[], segments: readonly Segment[]): Speaker[] {
  const used = new Set(segments.map((segment) => segment.speaker_id))
  return speakers.filter((speaker) => used.has(speaker.id) || speaker.role !== 'unknown')
}

export function firstNameAmong(voice: Voice, voices: readonly Voice[]): string {
  const first = firstName(voice.label)
  const isShared = voices.some((other) => other.id !== voice.id && other.role !== 'therapist' && firstName(other.label) === first)
  return isShared ? voice.label : first
}

const firstName = (label: string): string => label.split(/\s+/)[0] ?? label

export const inSentence = (voice: Voice, label: (voice: Voice) => string): string =>
  voice.role === 'therapist' ? transcriptWords.youInside : label(voice)

export interface Regrouping<Body extends Voiced> {
  readonly body: Body
  readonly changed: number
}

export function giveTurns<Body extends Voiced>(body: Body, segmentIds: ReadonlySet<string>, voice: Voice): Regrouping<Body> {
  const [only] = segmentIds
  const segment = segmentIds.size === 1 ? body.segments.find(({ id }) => id === only) : undefined
  const heard = segment === undefined ? undefined : speakerOf(body, segment)
  const after = heard?.role === 'unknown' ? nameVoice(body, heard.id, voice) : giveVoice(body, segmentIds, voice)
  return regrouped(body, after)
}

export function soundingLike(body: Voiced, segmentId: string): string[] {
  const segment = body.segments.find(({ id }) => id === segmentId)
  if (segment?.voice === undefined) return [segmentId]
  const own = body.segments.filter(({ speaker_id }) => speaker_id === segment.speaker_id)
  const alike = own.filter(({ id, voice }) => id === segmentId || voice === segment.voice).map(({ id }) => id)
  return alike.length === own.length ? [segmentId] : alike
}

export function mergeVoice<Body extends Voiced>(body: Body, speakerId: string, voice: Voice): Regrouping<Body> {
  return regrouped(body, nameVoice(body, speakerId, voice))
}

export function swapVoices<Body extends Voiced>(body: Body, left: Voice, right: Voice): Regrouping<Body> {
  const swapped = new Map([
    [left.id, right.id],
    [right.id, left.id],
  ])
  const segments = body.segments.map((segment) => {
    const other = segment.speaker_id === null ? undefined : swapped.get(segment.speaker_id)
    return other === undefined ? segment : { ...segment, speaker_id: other }
  })
  return regrouped(body, { ...body, speakers: withSpeaker(withSpeaker(body.speakers, left), right), segments })
}

export function takeBack<Body extends Voiced>(body: Body, before: Voiced, after: Voiced): Body {
  const earlier = new Map(before.segments.map((segment) => [segment.id, segment.speaker_id]))
  const given = new Map(after.segments.map((segment) => [segment.id, segment.speaker_id]))
  const segments = body.segments.map((segment) => {
    const was = earlier.get(segment.id)
    return was === undefined || segment.speaker_id !== given.get(segment.id) ? segment : { ...segment, speaker_id: was }
  })
  const missing = before.speakers.filter(({ id }) => !body.speakers.some((speaker) => speaker.id === id))
  return { ...body, speakers: [...body.speakers, ...missing], segments }
}

function regrouped<Body extends Voiced>(before: Body, body: Body): Regrouping<Body> {
  const changed = body.segments.filter((segment, index) => segment.speaker_id !== before.segments[index]?.speaker_id).length
  return { body, changed }
}

export type TurnChoice = Readonly<Record<'at' | 'anchor', number>>

export const chooseTurn = (index: number): TurnChoice => ({ at: index, anchor: index })

export function moveChoice(choice: TurnChoice, step: number, count: number, isExtending: boolean): TurnChoice {
  const at = Math.max(0, Math.min(count - 1, choice.at + step))
  return { at, anchor: isExtending ? choice.anchor : at }
}

export const chosenRange = ({ at, anchor }: TurnChoice) => ({ from: Math.min(at, anchor), to: Math.max(at, anchor) })

export function afterVoice(choice: TurnChoice, nextWithoutVoice: number, count: number, isPlaying: boolean): TurnChoice {
  if (isPlaying) return chooseTurn(choice.at)
  return chooseTurn(nextWithoutVoice >= 0 ? nextWithoutVoice : Math.min(count - 1, chosenRange(choice).to + 1))
}

const named = /^\s*([\p{L}][\p{L}\p{M}.' -]{0,39})\s*:\s*(.*)$/u

export function parseTypedLines(text: string, therapistName: string, participants: readonly Participant[]): Voiced {
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
