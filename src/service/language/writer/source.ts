import type { Segment } from '#contract/model/transcript.ts'
import type { DraftRequest } from '../port.ts'
import { readRoom } from '../rules/room.ts'
import type { Room, Sentence } from '../rules/types.ts'
import { linesOf } from './lines.ts'
import type { Line } from './lines.ts'
import type { Place } from './locate.ts'

/** A session as every stage after the model asks for it. */
export interface Source {
  readonly room: Room
  readonly lines: readonly Line[]
  readonly segments: readonly Segment[]
  isTherapist(segment: Segment): boolean
  /** Somebody said it to whoever writes the note: no evidence of anything. */
  isToWriter(place: Place): boolean
  /** What the evidence stands in: its whole segments, and for an answer the turn it answers. */
  around(places: readonly Place[]): string
}

export function sourceOf(request: DraftRequest): Source {
  const room = readRoom(request)
  const therapists = new Set(request.speakers.filter(({ role }) => role === 'therapist').map(({ id }) => id))
  const bySegment = Map.groupBy(room.sentences, (sentence) => sentence.segment.id)
  const index = new Map(request.segments.map((segment, at) => [segment.id, at]))
  const isTherapist = (segment: Segment): boolean => therapists.has(segment.speaker_id ?? '')
  const sentencesOf = ({ segment, from, to }: Place): Sentence[] =>
    (bySegment.get(segment.id) ?? []).filter((sentence) => sentence.from < to && from < sentence.to)
  return {
    room,
    lines: linesOf(request),
    segments: request.segments,
    isTherapist,
    isToWriter: (place) => sentencesOf(place).some((sentence) => sentence.isInstruction),
    around: (places) =>
      places
        .flatMap(({ segment }) => {
          const at = index.get(segment.id) ?? 0
          const before = request.segments.slice(Math.max(0, at - 2), at)
          return [...(isTherapist(segment) ? [] : before.filter(isTherapist)), segment].map(({ text }) => text)
        })
        .join(' '),
  }
}
