import type { Participant } from '#contract/model/session.ts'
import type { Segment, Speaker, Transcript } from '#contract/model/transcript.ts'
import { transcriptWords } from '#renderer/strings/transcript.ts'

/** Who may be given to a turn, in the order of the keys 1 to 4: the therapist first, then everyone else in the room. */
export type Voice = Speaker

type Voiced = Pick<Transcript, 'speakers' | 'segments'>

export function voiceChoices(speakers: readonly Speaker[], therapistName: string, participants: readonly Participant[]): Voice[] {
  const known = speakers.filter((speaker) => speaker.role !== 'unknown')
  const taken = new Set<string>()
  const pick = (found: Speaker | undefined, fresh: Speaker): Speaker => {
    const speaker = found ?? fresh
    taken.add(speaker.id)
    return speaker
  }
  const therapist = pick(
    known.find((speaker) => speaker.role === 'therapist'),
    { id: 'therapist', label: therapistName, role: 'therapist' },
  )
  const others = participants.map((participant, index) => {
    const role = participant.role === 'client' ? 'client' : 'other'
    const free = known.filter((speaker) => !taken.has(speaker.id) && speaker.role !== 'therapist')
    const found = free.find((speaker) => speaker.label === participant.name) ?? free.find((speaker) => speaker.role === role)
    return pick(found, { id: `participant-${index + 1}`, label: participant.name, role })
  })
  const rest = known.filter((speaker) => !taken.has(speaker.id))
  return [therapist, ...others, ...rest].slice(0, 9)
}

/** Gives a voice to turns; adds the speaker to the list the first time it is used, drops unknown voices nobody has any more. */
export function giveVoice<Body extends Voiced>(body: Body, segmentIds: ReadonlySet<string>, voice: Voice): Body {
  const segments = body.segments.map((segment) => (segmentIds.has(segment.id) ? { ...segment, speaker_id: voice.id } : segment))
  return { ...body, segments, speakers: usedSpeakers(withSpeaker(body.speakers, voice), segments) }
}

/** Says who an unknown voice is: every turn of that voice follows. */
export function nameVoice<Body extends Voiced>(body: Body, speakerId: string, voice: Voice): Body {
  const ids = new Set(body.segments.filter((segment) => segment.speaker_id === speakerId).map((segment) => segment.id))
  return giveVoice(body, ids, voice)
}

/** This turn and those right after it that have no known voice either: one key for a long answer cut into pieces. */
export function runOfUnknown(body: Voiced, fromIndex: number): string[] {
  const ids: string[] = []
  for (const segment of body.segments.slice(fromIndex)) {
    if (speakerOf(body, segment)?.role !== undefined && speakerOf(body, segment)?.role !== 'unknown') break
    ids.push(segment.id)
  }
  return ids
}

export function speakerOf(body: Voiced, segment: Segment): Speaker | undefined {
  return segment.speaker_id === null ? undefined : body.speakers.find((speaker) => speaker.id === segment.speaker_id)
}

export function hasVoice(body: Voiced, segment: Segment): boolean {
  const role = speakerOf(body, segment)?.role
  return role !== undefined && role !== 'unknown'
}

export function unknownVoices(body: Voiced): number {
  return body.segments.filter((segment) => !hasVoice(body, segment)).length
}

/** Index of the next turn without a voice, after `index`, going round once; -1 when every turn has one. */
export function nextWithoutVoice(body: Voiced, index: number): number {
  const count = body.segments.length
  for (let step = 1; step <= count; step++) {
    const at = (index + step) % count
    const segment = body.segments[at]
    if (segment !== undefined && !hasVoice(body, segment)) return at
  }
  return -1
}

/** Milliseconds by speaker id; null where the transcript has no times. */
export function spokenTime(body: Voiced): Map<string, number> | null {
  const times = new Map<string, number>()
  for (const segment of body.segments) {
    if (segment.start_ms === null || segment.end_ms === null) return null
    const key = segment.speaker_id ?? ''
    times.set(key, (times.get(key) ?? 0) + Math.max(0, segment.end_ms - segment.start_ms))
  }
  return times
}

/** Place of a speaker in colours and lanes: 1 therapist, 2 client, 3 and 4 the others; 0 unknown. */
export function speakerTone(body: Voiced, speaker: Speaker | undefined): 0 | 1 | 2 | 3 | 4 {
  if (speaker === undefined || speaker.role === 'unknown') return 0
  if (speaker.role === 'therapist') return 1
  const others = body.speakers.filter((other) => other.role === 'client' || other.role === 'other')
  const clientFirst = [...others.filter((other) => other.role === 'client'), ...others.filter((other) => other.role === 'other')]
  const place = clientFirst.findIndex((other) => other.id === speaker.id)
  return place === 0 ? 2 : place === 1 ? 3 : 4
}

function withSpeaker(speakers: readonly Speaker[], voice: Voice): Speaker[] {
  return speakers.some((speaker) => speaker.id === voice.id) ? [...speakers] : [...speakers, voice]
}

function usedSpeakers(speakers: readonly Speaker[], segments: readonly Segment[]): Speaker[] {
  const used = new Set(segments.map((segment) => segment.speaker_id))
  return speakers.filter((speaker) => used.has(speaker.id) || speaker.role !== 'unknown')
}

/** The first name alone, unless somebody else in the room has the same. */
export function firstNameAmong(voice: Voice, voices: readonly Voice[]): string {
  const first = firstName(voice.label)
  const isShared = voices.some((other) => other.id !== voice.id && other.role !== 'therapist' && firstName(other.label) === first)
  return isShared ? voice.label : first
}

const firstName = (label: string): string => label.split(/\s+/)[0] ?? label

export const inSentence = (voice: Voice, label: (voice: Voice) => string): string =>
  voice.role === 'therapist' ? transcriptWords.youInside : label(voice)
