import type { Speaker, Transcript } from '#contract/model/transcript.ts'
import { giveVoice, nameVoice, speakerOf, type Voice } from './speakers.ts'

type Voiced = Pick<Transcript, 'speakers' | 'segments'>

/** A change of who speaks, and what to say of it. */
export interface Regrouping<Body extends Voiced> {
  readonly body: Body
  /** Turns that changed. */
  readonly changed: number
}

/**
 * One turn given to somebody. While its voice has no name yet, every turn of that voice follows: the voice was heard as
 * one, only not whose it is.
 */
export function giveTurns<Body extends Voiced>(body: Body, segmentIds: ReadonlySet<string>, voice: Voice): Regrouping<Body> {
  const [only] = segmentIds
  const segment = segmentIds.size === 1 ? body.segments.find(({ id }) => id === only) : undefined
  const heard = segment === undefined ? undefined : speakerOf(body, segment)
  const after = heard?.role === 'unknown' ? nameVoice(body, heard.id, voice) : giveVoice(body, segmentIds, voice)
  return regrouped(body, after)
}

/** This turn and those of its speaker that sound like it; alone where an engine heard no difference between them all. */
export function soundingLike(body: Voiced, segmentId: string): string[] {
  const segment = body.segments.find(({ id }) => id === segmentId)
  if (segment?.voice === undefined) return [segmentId]
  const own = body.segments.filter(({ speaker_id }) => speaker_id === segment.speaker_id)
  const alike = own.filter(({ id, voice }) => id === segmentId || voice === segment.voice).map(({ id }) => id)
  return alike.length === own.length ? [segmentId] : alike
}

/** Two voices that are one person's: every turn of the first is the other's. */
export function mergeVoice<Body extends Voiced>(body: Body, speakerId: string, voice: Voice): Regrouping<Body> {
  return regrouped(body, nameVoice(body, speakerId, voice))
}

/** The right voices with the wrong names. */
export function swapVoices<Body extends Voiced>(body: Body, left: Voice, right: Voice): Regrouping<Body> {
  const swapped = new Map([
    [left.id, right.id],
    [right.id, left.id],
  ])
  const speakers = [left, right].reduce<readonly Speaker[]>(
    (known, voice) => (known.some(({ id }) => id === voice.id) ? known : [...known, voice]),
    body.speakers,
  )
  const segments = body.segments.map((segment) => {
    const other = segment.speaker_id === null ? undefined : swapped.get(segment.speaker_id)
    return other === undefined ? segment : { ...segment, speaker_id: other }
  })
  return regrouped(body, { ...body, speakers: [...speakers], segments })
}

/** Who spoke before a change, where that change still stands; what was corrected since stays. */
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
