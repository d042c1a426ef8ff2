import type { Segment, Speaker } from '#contract/model/transcript.ts'
import type { NoteBody } from '#contract/model/note.ts'
import type { DraftRequest } from '../port.ts'
import { readRoom } from '../rules/room.ts'
import { wordsOf } from '../text/words.ts'
import type { Room, Sentence } from '../rules/types.ts'
import { isGroupNote, memberNote, withheld } from '../rules/group-member.ts'
import { viewOf } from '../rules/session.ts'
import type { Cut } from '../text/sentences.ts'
import { remember } from '../text/remember.ts'

/** Instructions to the writer of the note, which a model could follow. */
const toTheWriter =
  /\b(?:whoever|whatever|anyone who|the one who|the (?:person|program|system) that) (?:\w+ )?(?:writes?|reads?|types?|drafts?|summari[sz]es?)\b|\b(?:write|put|note|record|state|say|add|include|insert|mention) (?:it |this |that )?(?:down )?(?:in|into|to|on) (?:the|my|your|this|her|his) (?:\w+ )?(?:note|notes|record|records|summary|report|chart|transcript|assessment|plan section)\b|\b(?:new|following|these) instructions?\b|\byou are (?:now )?(?:an? )?(?:\w+ ){0,2}(?:ai|assistant|language model|note[- ]?taker)\b/i

/** In words. A longer answer can be understood without its question. */
const MAX_ANSWER = 12

export type Source = ReturnType<typeof sourceOf>

export function sourceOf(request: DraftRequest) {
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
    keeps: (text: string, places: readonly Place[]): boolean =>
      member === null || member.keeps(text, places.flatMap(sentencesOf)),
    segments: request.segments,
    isTherapist,
    isToWriter: (place: Place): boolean => sentencesOf(place).some(speaksToWriter),
    speaks_to_writer: (member?.room ?? room).sentences.some(speaksToWriter),
    around: (places: readonly Place[]): string =>
      places
        .flatMap(({ segment }) => {
          const at = index.get(segment.id) ?? 0
          const before = request.segments.slice(Math.max(0, at - 2), at)
          const isAnswer = !isTherapist(segment) && wordsOf(segment.text).length <= MAX_ANSWER
          return [...(isAnswer ? before.filter(isTherapist) : []), segment].map(({ text }) => text)
        })
        .join(' '),
  }
}

export type Line = ReturnType<typeof linesOf>[number]

function linesOf(request: Pick<DraftRequest, 'speakers' | 'segments'>) {
  const labels = labelsOf(request.speakers)
  const roles = new Map(request.speakers.map(({ id, role }) => [id, role]))
  return request.segments.flatMap((segment, index) => {
    const text = segment.text.replace(/\s+/g, ' ').trim()
    if (text === '') return []
    const id = segment.speaker_id ?? ''
    return [
      { number: index + 1, segment, label: labels.get(id) ?? 'Unknown voice', is_therapist: roles.get(id) === 'therapist', text },
    ]
  })
}

const roleWords = { therapist: 'Therapist', client: 'Client', other: 'Other person', unknown: 'Unknown voice' } as const

/** Labels that the model sees instead of names: "Client", or "Client 1" and "Client 2" if there are several. */
export function labelsOf(speakers: readonly Speaker[]): ReadonlyMap<string, string> {
  const seen = new Map<string, number>()
  return new Map(
    speakers.map(({ id, role }) => {
      const word = roleWords[role]
      const count = (seen.get(role) ?? 0) + 1
      seen.set(role, count)
      const isOne = speakers.filter((other) => other.role === role).length === 1
      return [id, isOne ? word : `${word} ${count}`]
    }),
  )
}

export interface Place extends Cut {
  readonly segment: Segment
}

interface Word extends Cut {
  readonly plain: string
}

/** In words. A shorter quote could match by chance, so it is accepted only in the named segment. */
const MIN_ELSEWHERE = 3
const REACH = 12

export function locate(quote: string, named: number, segments: readonly Segment[]): Place[] {
  const parts = quote
    .split(/\u2026|\.\.\.|\[[^\]]*\]/)
    .map(wordsAt)
    .filter((words) => words.length > 0)
  if (parts.length === 0) return []
  const home = segments[named - 1]
  const near = [...Array(REACH).keys()].flatMap((step) => [segments[named - 2 - step], segments[named + step]])
  const isLong = parts.reduce((sum, words) => sum + words.length, 0) >= MIN_ELSEWHERE
  for (const segment of [home, ...(isLong ? near : [])]) {
    const places = segment ? placesIn(segment, parts) : null
    if (places) return places
  }
  return []
}

function placesIn(segment: Segment, parts: readonly (readonly Word[])[]): Place[] | null {
  const said = placedWords(segment)
  const places: Place[] = []
  let after = 0
  for (const part of parts) {
    const at = indexOfRun(said, part, after)
    if (at < 0) return null
    after = at + part.length
    places.push({ segment, from: said[at]!.from, to: said[after - 1]!.to })
  }
  return places
}

function indexOfRun(said: readonly Word[], run: readonly Word[], from: number): number {
  for (let at = from; at + run.length <= said.length; at += 1) {
    if (run.every((word, index) => said[at + index]?.plain === word.plain)) return at
  }
  return -1
}

const placedWords = remember(({ text }: Segment): readonly Word[] => wordsAt(text))

const wordsAt = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{N}]+(?:['\u2019\u2018-][\p{L}\p{N}]+)*/gu)].map((match) => ({
    plain: match[0].toLowerCase().replaceAll(/[\u2019\u2018]/g, "'"),
    from: match.index,
    to: match.index + match[0].length,
  }))

/** The part of a group session that belongs to one member's note; null for other sessions. */
function memberPart(request: DraftRequest, room: Room) {
  if (!isGroupNote(request)) return null
  const { view, statements, checks, keeps, holdsNothingOfOthers } = memberNote(viewOf(room), request)
  const kept = Map.groupBy(view.room.sentences, (sentence) => sentence.segment.id)
  return {
    room: view.room,
    statements,
    checks,
    holdsNothingOfOthers,
    shown: (lines: readonly Line[]) =>
      lines.flatMap((line) => {
        const sentences = kept.get(line.segment.id)
        return sentences ? [{ ...line, text: sentences.map(({ raw }) => raw.trim()).join(' ') }] : []
      }),
    keeps: (text: string, sentences: readonly Sentence[]) =>
      keeps({ person: null, text, spans: sentences.map((sentence) => ({ sentence, from: sentence.from, to: sentence.to })) }),
  }
}

/** In a group session, spaces replace text that is not for this member's note, so that positions stay the same. */
export function segmentsFor(request: DraftRequest): readonly Segment[] {
  const room = readRoom(request)
  const part = memberPart(request, room)
  if (part === null) return request.segments
  const kept = Map.groupBy(part.room.sentences, (sentence) => sentence.segment.id)
  return request.segments.map(({ words: _words, ...segment }) => {
    const blank = segment.text.replace(/\S/g, ' ').split('')
    for (const { from, to } of kept.get(segment.id) ?? [])
      blank.splice(from, to - from, ...segment.text.slice(from, to).split(''))
    return { ...segment, text: blank.join('') }
  })
}

export function withoutOthers(body: NoteBody, request: DraftRequest): NoteBody {
  if (!isGroupNote(request)) return body
  return { ...body, unsupported: withheld(body.unsupported, memberNote(viewOf(readRoom(request)), request)) }
}
