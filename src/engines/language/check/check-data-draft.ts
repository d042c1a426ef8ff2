import type { NoteBody, Statement } from '#contract/model/note.ts'
import type { DataDraftRequest } from '../port.ts'
import { checksOf, countOf, sift } from './check-draft.ts'
import { evidenceIn } from './evidence.ts'
import { faultsOf, saysNothing, needsClick } from './check-statement.ts'
import { keysOf, isFrame } from './lexicon/words.ts'
import { roomOf } from './room.ts'
import type { Fault, Room } from './types.ts'
import { isContent, runOf } from '../text/words.ts'

/** In characters. A longer statement matches a field by the field's first `RECOGNISED` characters. */
const MAX_COMPARED = 1200
const RECOGNISED = 100

export function checkDataDraft(body: NoteBody, request: DataDraftRequest): NoteBody {
  const fields = [
    request.session_type,
    `${request.duration_minutes} minutes`,
    ...request.presenting_concerns,
    ...request.interventions,
    request.client_response,
  ]
    .map((text) => text.trim())
    .filter((text) => text !== '')
  const room = roomOf({
    speakers: [],
    segments: fields.map((text, at) => ({
      id: `field-${at}`,
      speaker_id: null,
      start_ms: null,
      end_ms: null,
      text,
      confidence: null,
      edited: false,
    })),
    client: request.client,
    session: request.session,
  })
  const given = givenBy(fields)
  const checked = sift(body, (statement, section) => {
    const fault = saysNothing(statement) ? null : faultOf(room, given, statement, section)
    return fault ?? { ...statement, safety: statement.safety || needsClick(statement) }
  })
  return { ...checked, checks: checksOf(checked, countOf(body) - countOf(checked)) }
}

function givenBy(fields: readonly string[]) {
  const runs = fields.map(runOf)
  const words = new Set(runs.flat())
  return {
    lines: runs.filter((run) => run.length > 0).map((run) => run.join(' ')),
    words,
    keys: new Set([...words].flatMap((word) => keysOf(word))),
  }
}

function faultOf(room: Room, given: ReturnType<typeof givenBy>, statement: Statement, section: string): string | null {
  const own = runOf(statement.text)
  const line = own.join(' ')
  const isLong = statement.text.length > MAX_COMPARED
  // If a long statement was cut off, its last word may be incomplete.
  const labelled = (isLong ? own.slice(0, -1) : own).filter((word) => !isFrame(word))
  if (
    given.lines.some(
      (field) =>
        line.includes(isLong ? field.slice(0, RECOGNISED) : field) &&
        labelled.every((word) => (!isContent(word) && !/\d/.test(word)) || word === 'session' || given.words.has(word)),
    )
  )
    return null
  if (isLong) return 'it is too long to be checked'
  const missing = own.find(
    (word) => (isContent(word) || /\d/.test(word)) && !isFrame(word) && !keysOf(word).some((key) => given.keys.has(key)),
  )
  if (missing !== undefined) return `“${missing}” is in none of the fields given`
  const cited = { ...statement, evidence: room.segments.map((segment) => evidenceIn(segment, segment.text)) }
  return faultsOf(room, cited, section).find(({ level }: Fault) => level !== 'doubt')?.reason ?? null
}
