import type { NoteBody, NoteCheck, Statement } from '#contract/model/note.ts'
import type { Segment } from '#contract/model/transcript.ts'
import type { DraftRequest } from '../port.ts'
import { isGroupNote, memberNote, withheld } from '../rules/group-member.ts'
import { readRoom } from '../rules/room.ts'
import { viewOf } from '../rules/session.ts'
import type { Fact, Room, Sentence } from '../rules/types.ts'
import type { Line } from './source.ts'

/** Source material for one member's note of a group session. The model sees nothing else. */
export interface MemberPart {
  readonly room: Room
  readonly statements: readonly Statement[]
  readonly checks: readonly NoteCheck[]
  shown(lines: readonly Line[]): Line[]
  keeps(text: string, sentences: readonly Sentence[]): boolean
  holdsNothingOfOthers(text: string): boolean
}

export function memberPart(request: DraftRequest, room: Room): MemberPart | null {
  if (!isGroupNote(request)) return null
  const { view, statements, checks, keeps, holdsNothingOfOthers } = memberNote(viewOf(room), request)
  const kept = Map.groupBy(view.room.sentences, (sentence) => sentence.segment.id)
  return {
    room: view.room,
    statements,
    checks,
    holdsNothingOfOthers,
    shown: (lines) =>
      lines.flatMap((line) => {
        const sentences = kept.get(line.segment.id)
        return sentences ? [{ ...line, text: sentences.map(({ raw }) => raw.trim()).join(' ') }] : []
      }),
    keeps: (text, sentences) =>
      keeps({ ...nobodysFact, text, spans: sentences.map((sentence) => ({ sentence, from: sentence.from, to: sentence.to })) }),
  }
}

const nobodysFact: Fact = {
  kind: 'client',
  topic: '',
  text: '',
  spans: [],
  person: null,
  support: 'paraphrase',
  finding: null,
  safety: false,
  must: false,
  score: 0,
  at: 0,
  covers: new Set(),
}

/** The transcript for checking this note: other members' words are blanked, and all positions stay the same. */
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
