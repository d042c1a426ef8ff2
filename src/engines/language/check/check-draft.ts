import type { NoteBody, NoteCheck, Evidence, Omission, Statement } from '#contract/model/note.ts'
import { withoutPlaceholders } from '#domain/note-review.ts'
import { noticesOf } from '../notices.ts'
import { checkStatement } from './check-statement.ts'
import { checkedEvidence, evidenceIn } from './evidence.ts'
import { omissionOf } from '../rules/statements.ts'
import { mentionsMedication, substanceTopic, riskTopic } from '../rules/lexicon/topics.ts'
import {
  changeTalk,
  homeworkWords,
  planWords,
  humour,
  hypothetical,
  instruction,
  reportedSpeech,
} from '../rules/lexicon/signs.ts'
import { replyKind } from './speakers.ts'
import { isContent, runOf, stemOf } from '../text/words.ts'
import { roomOf, sentencesOf } from './room.ts'
import type { Cut } from '../text/sentences.ts'
import type { CheckSource, Room } from './types.ts'
import { cutText } from '#base/cut-text.ts'

export function checkDraft(body: NoteBody, source: CheckSource): NoteBody {
  const room = roomOf(
    source,
    body.sections.flatMap(({ statements }) => statements.map(({ text }) => text)),
  )
  const sifted = sift(body, (statement, section) => {
    const verdict = checkStatement(room, statement, section)
    return verdict.kind === 'drop' ? verdict.reason : verdict.statement
  })
  const listed = body.omissions.flatMap((omission) => {
    const evidence = checkedEvidence(room, omission.evidence)
    return evidence.length === 0 ? [] : [{ ...omission, evidence }]
  })
  const checked = { ...sifted, omissions: omissionsOf(room, { ...sifted, omissions: listed }) }
  return { ...checked, checks: checksOf(checked, countOf(body) - countOf(sifted)) }
}

export function sift(body: NoteBody, judge: (statement: Statement, section: string) => Statement | string): NoteBody {
  const unsupported = [...body.unsupported]
  const sections = body.sections.map((section) => {
    const statements = section.statements.flatMap((statement) => {
      const judged = judge(statement, section.key)
      if (typeof judged !== 'string') return [judged]
      unsupported.push({ text: statement.text, reason: cutText(judged, 200) })
      return []
    })
    return withoutPlaceholders({ ...section, statements })
  })
  return { ...body, sections, unsupported: unsupported.slice(0, 500) }
}

export const countOf = ({ sections }: NoteBody): number => sections.flatMap(({ statements }) => statements).length

export function checksOf(body: NoteBody, dropped: number): NoteCheck[] {
  const statements = body.sections.flatMap((section) => section.statements)
  const safety = statements.filter((statement) => statement.safety).length
  const marked = statements.filter((statement) => statement.doubt != null).length
  const open = body.omissions.filter(({ decision }) => decision === 'open').length
  const own = noticesOf([
    ['left-out-by-check', dropped],
    ['doubtful', marked],
    ['safety-statements', safety],
    ['omissions', open],
  ])
  const codes = new Set(own.map(({ code }) => code))
  return [
    ...own.filter(({ severity }) => severity === 'needs_you'),
    ...body.checks.filter(({ code }) => !codes.has(code)),
    ...own.filter(({ severity }) => severity === 'info'),
  ].slice(0, 100)
}

type Kind = Omission['kind']

interface Said extends Cut {
  readonly at: number
  readonly text: string
}

const MAX_ADDED = 60
const MAX_WORDS = 40

function omissionsOf(room: Room, body: NoteBody): Omission[] {
  const statements = body.sections.flatMap((section) => section.statements)
  const cited = rangesOf(room, [
    ...statements.flatMap(({ evidence }) => evidence),
    ...body.omissions.flatMap(({ evidence }) => evidence),
  ])
  const written = new Set(statements.flatMap(({ text }) => stemsOf(text)))
  const added: Omission[] = []
  for (const at of room.segments.keys()) {
    for (const said of runsOf(room.segments[at]?.text ?? '', at)) {
      if (isCited(cited.get(at), said)) continue
      const kind = kindOf(room, said)
      if (kind === null || (kind !== 'risk' && isWritten(said, written))) continue
      added.push(...omission(room, kind, said))
    }
  }
  const known = new Set(body.omissions.map(({ id }) => id))
  return [...body.omissions, ...added.filter(({ id }) => !known.has(id)).slice(0, MAX_ADDED)].slice(0, 500)
}

const runsOf = (text: string, at: number): Said[] =>
  sentencesOf(text).flatMap((sentence): Said[] => {
    const lead = text.slice(sentence.from, sentence.to).search(/\S/)
    const from = sentence.from + Math.max(0, lead)
    const words = [...text.slice(from, sentence.to).matchAll(/\S+/g)]
    if (words.length <= MAX_WORDS)
      return [{ at, from, to: from + text.slice(from, sentence.to).trimEnd().length, text: sentence.text }]
    const runs: Said[] = []
    for (let first = 0; first < words.length; first += MAX_WORDS) {
      const run = words.slice(first, first + MAX_WORDS)
      const start = from + (run[0]?.index ?? 0)
      const last = run.at(-1)
      const end = from + (last === undefined ? 0 : last.index + last[0].length)
      runs.push({ at, from: start, to: end, text: text.slice(start, end) })
    }
    return runs
  })

function kindOf(room: Room, { at, text }: Said): Kind | null {
  const isTherapist = room.speakerAt(at).role === 'therapist'
  if (!isTherapist && riskTopic(text) !== null) return 'risk'
  const { length } = runOf(text)
  if (length < 3 || text.endsWith('?') || humour.test(text) || instruction.test(text)) return null
  if (!isTherapist && mentionsMedication(text)) return 'medication'
  if (hypothetical.test(text)) return null
  if (!isTherapist && !reportedSpeech.test(text) && substanceTopic(text) !== null) return 'substance'
  if (!isTherapist && length >= 5 && changeTalk.test(text)) return 'goal'
  return isHomework(room, at, text, isTherapist) ? 'homework' : null
}

const asks =
  /\b(?:i'd like you to|i would like you to|could you|would you|can you|try to|for (?:this|next) (?:week|time)|between now and|before (?:we meet|next)|homework)\b/i
const promises = /\bi(?:'ll| will|'m going to)\b/i

function isHomework(room: Room, at: number, text: string, isTherapist: boolean): boolean {
  if (at < room.segments.length / 2 || !planWords.test(text) || !homeworkWords.test(text)) return false
  if (!isTherapist) return promises.test(text) && at > (room.segments.length * 2) / 3
  const reply = room.segments[at + 1]?.text ?? ''
  return asks.test(text) && replyKind(reply) === 'yes'
}

function rangesOf(room: Room, evidence: readonly Evidence[]): Map<number, Cut[]> {
  const ranges = new Map<number, Cut[]>()
  for (const { segment_id, quote } of evidence) {
    const at = room.places.get(segment_id)
    const text = at === undefined ? '' : (room.segments[at]?.text ?? '')
    const from = quote === null ? 0 : text.indexOf(quote)
    if (at === undefined || from < 0) continue
    ranges.set(at, [...(ranges.get(at) ?? []), { from, to: quote === null ? text.length : from + quote.length }])
  }
  return ranges
}

const isCited = (ranges: readonly Cut[] | undefined, { from, to }: Said): boolean =>
  ranges?.some((range) => range.from < to && from < range.to) ?? false

const stemsOf = (text: string): string[] => runOf(text).filter(isContent).map(stemOf)

function isWritten({ text }: Said, written: ReadonlySet<string>): boolean {
  const own = stemsOf(text)
  return own.length > 0 && own.every((stem) => written.has(stem))
}

function omission(room: Room, kind: Kind, { at, from, to }: Said): Omission[] {
  const segment = room.segments[at]
  if (segment === undefined) return []
  const quote = segment.text.slice(from, to)
  return [omissionOf(kind, `${room.speakerAt(at).label || 'Somebody in the room'} said "${quote}"`, [evidenceIn(segment, quote)])]
}
