import type { Segment } from '#contract/model/transcript.ts'
import type { DraftRequest } from '../port.ts'
import { readRoom } from '../rules/room.ts'
import { wordsOf } from '../rules/tokens.ts'
import type { Room, Sentence } from '../rules/types.ts'
import { memberPart } from './member.ts'
import type { MemberPart } from './member.ts'
import { linesOf } from './lines.ts'
import type { Line } from './lines.ts'
import type { Place } from './locate.ts'

/** More ways than the rules know to speak to whoever writes: a model may fall for what a rule does not. */
const toTheWriter =
  /\b(?:whoever|whatever|anyone who|the one who|the (?:person|program|system) that) (?:\w+ )?(?:writes?|reads?|types?|drafts?|summari[sz]es?)\b|\b(?:write|put|note|record|state|say|add|include|insert|mention) (?:it |this |that )?(?:down )?(?:in|into|to|on) (?:the|my|your|this|her|his) (?:\w+ )?(?:note|notes|record|records|summary|report|chart|transcript|assessment|plan section)\b|\b(?:new|following|these) instructions?\b|\byou are (?:now )?(?:an? )?(?:\w+ ){0,2}(?:ai|assistant|language model|note[- ]?taker)\b/i

/** In words; who says more says what it is about. */
const longestAnswer = 12

/** A session as every stage after the model asks for it. */
export interface Source {
  readonly room: Room
  readonly lines: readonly Line[]
  readonly segments: readonly Segment[]
  isTherapist(segment: Segment): boolean
  /** Somebody said it to whoever writes the note: no evidence of anything. */
  isToWriter(place: Place): boolean
  /** Somebody did, anywhere in the session. */
  readonly speaks_to_writer: boolean
  /** What the evidence stands in: its whole segments, and for a short answer the turn it answers. */
  around(places: readonly Place[]): string
  /** A group's note for one member; null for every other. */
  readonly member: MemberPart | null
  /** May stand in this note at all. */
  keeps(text: string, places: readonly Place[]): boolean
}

export function sourceOf(request: DraftRequest): Source {
  const room = readRoom(request)
  const therapists = new Set(request.speakers.filter(({ role }) => role === 'therapist').map(({ id }) => id))
  const bySegment = Map.groupBy(room.sentences, (sentence) => sentence.segment.id)
  const index = new Map(request.segments.map((segment, at) => [segment.id, at]))
  const isTherapist = (segment: Segment): boolean => therapists.has(segment.speaker_id ?? '')
  const sentencesOf = ({ segment, from, to }: Place): Sentence[] =>
    (bySegment.get(segment.id) ?? []).filter((sentence) => sentence.from < to && from < sentence.to)
  const speaksToWriter = (sentence: Sentence): boolean =>
    sentence.isInstruction || (sentence.person.role !== 'therapist' && toTheWriter.test(sentence.raw))
  const member = memberPart(request, room)
  const lines = linesOf(request)
  return {
    room: member?.room ?? room,
    lines: member === null ? lines : member.shown(lines),
    member,
    keeps: (text, places) => member === null || member.keeps(text, places.flatMap(sentencesOf)),
    segments: request.segments,
    isTherapist,
    isToWriter: (place) => sentencesOf(place).some(speaksToWriter),
    speaks_to_writer: (member?.room ?? room).sentences.some(speaksToWriter),
    around: (places) =>
      places
        .flatMap(({ segment }) => {
          const at = index.get(segment.id) ?? 0
          const before = request.segments.slice(Math.max(0, at - 2), at)
          const isAnswer = !isTherapist(segment) && wordsOf(segment.text).length <= longestAnswer
          return [...(isAnswer ? before.filter(isTherapist) : []), segment].map(({ text }) => text)
        })
        .join(' '),
  }
}
