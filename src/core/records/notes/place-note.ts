import type { Note, NoteCheck, Omission, Statement } from '#contract/model/note.ts'
import type { Place } from '../transcripts/place-quotes.ts'

const unsaid = 'Words in quotation marks do not stand in the transcript like this.'
const lostSource = 'The service names a source for this that does not stand in the transcript.'

/**
 * A note written from plain text, with its evidence in the transcript here. What cannot be placed is taken away and the
 * statement marked, so that it needs a look before signing; nothing is put in its place. So is a statement that quotes
 * what nobody said.
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
  // Without a source left nothing says that it was said like this.
  const support = evidence.length === 0 && statement.support === 'stated' ? 'paraphrase' : statement.support
  return { ...statement, evidence, support, doubt }
}

/** What stands in quotation marks was said word for word; where parts are left out, each of them. */
function doubtUnsaid(statement: Statement, isSaid: (words: string) => boolean): Statement {
  const quoted = [...statement.text.matchAll(/[“"]([^“”"]+)[”"]/gu)].flatMap(([, words = '']) => words.split(/…|\.{3}/u))
  const isUnsaid = quoted.some((words) => !isSaid(words.replaceAll(/^[\s,;:.!?]+|[\s,;:.!?]+$/gu, '')))
  return isUnsaid ? { ...statement, doubt: statement.doubt ?? unsaid } : statement
}

const placeAll = (evidence: Statement['evidence'], place: Place): Statement['evidence'] =>
  evidence.map(place).filter((placed) => placed !== null)

/** Offered all the same: what was left out may be a risk. */
function toCheckOf({ text }: Omission): NoteCheck {
  return {
    code: 'unplaced-omission',
    severity: 'needs_you',
    message: `Left out, says the service, and not found in the transcript: ${text}`.slice(0, 4000),
  }
}
