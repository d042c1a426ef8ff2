import type { Note, NoteCheck, Omission, Statement } from '#contract/model/note.ts'
import type { Place } from '../transcripts/place-quotes.ts'

const unsaid = 'Words in quotation marks do not stand in the transcript like this.'
const lostSource = 'The service names a source for this that does not stand in the transcript.'

/**
 * Maps the evidence of a draft from a plain-text transcript to the local transcript. Flags missing evidence and false
 * quotes for review.
 */
export function placeNote(note: Note, place: Place, isSaid: (words: string) => boolean): Note {
  const sections = note.sections.map((section) => ({
    ...section,
    statements: section.statements.map((statement) => doubtUnsaid(placeStatement(statement, place), isSaid)),
  }))
  const placed = note.omissions.map((omission) => ({ omission, evidence: placeAll(omission.evidence, place) }))
  const omissions = placed.flatMap(({ omission, evidence }) => (evidence.length === 0 ? [] : [{ ...omission, evidence }]))
  const unplaced = placed.flatMap(({ omission, evidence }) => (evidence.length === 0 ? [toCheckOf(omission)] : []))
  return { ...note, sections, omissions, checks: [...note.checks, ...unplaced].slice(0, 100) }
}

function placeStatement(statement: Statement, place: Place): Statement {
  const evidence = placeAll(statement.evidence, place)
  if (evidence.length === statement.evidence.length) return { ...statement, evidence }
  const doubt = statement.doubt ?? lostSource
  const support = evidence.length === 0 && statement.support === 'stated' ? 'paraphrase' : statement.support
  return { ...statement, evidence, support, doubt }
}

/** Text in quotation marks must appear verbatim; with ellipses, each part must. */
function doubtUnsaid(statement: Statement, isSaid: (words: string) => boolean): Statement {
  const quoted = [...statement.text.matchAll(/[“"]([^“”"]+)[”"]/gu)].flatMap(([, words = '']) => words.split(/…|\.{3}/u))
  const isUnsaid = quoted.some((words) => !isSaid(words.replaceAll(/^[\s,;:.!?]+|[\s,;:.!?]+$/gu, '')))
  return isUnsaid ? { ...statement, doubt: statement.doubt ?? unsaid } : statement
}

const placeAll = (evidence: Statement['evidence'], place: Place): Statement['evidence'] =>
  evidence.map(place).filter((placed) => placed !== null)

/** An omission without a source in the transcript becomes a check, because it may describe a risk. */
function toCheckOf({ text }: Omission): NoteCheck {
  return {
    code: 'unplaced-omission',
    severity: 'needs_you',
    message: `Left out, says the service, and not found in the transcript: ${text}`.slice(0, 4000),
  }
}
