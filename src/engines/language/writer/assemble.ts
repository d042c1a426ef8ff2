import type { NoteSection, Statement } from '#contract/model/note.ts'
import type { DraftRequest } from '../port.ts'
import { marksOf } from '../rules/engine.ts'
import { contentId } from '../rules/evidence.ts'
import { notAssessedLine } from '../rules/not-assessed.ts'
import type { Candidate } from './candidates.ts'
import type { NoteForm } from './form-sections.ts'
import type { Source } from './source.ts'

/**
 * The note around a model's statements. Which sections there are, what an empty one says and what was not assessed comes
 * from the form and from the words said: the model has no part in it.
 */
export function assemble(
  request: DraftRequest,
  { sections, carrier, marks }: NoteForm,
  source: Source,
  candidates: readonly Candidate[],
): NoteSection[] {
  return sections.map(({ key, title, empty }) => {
    const own = candidates.filter((candidate) => candidate.key === key).map(({ statement }) => statement)
    const statements = unique([
      ...own,
      ...(key === marks ? [...(source.member?.statements ?? []), ...marksOf(request)] : []),
      ...(key === carrier ? [notAssessed(source, candidates)] : []),
    ])
    return { key, title, statements: statements.length > 0 ? statements : [emptyLine(key, title, empty)] }
  })
}

function notAssessed(source: Source, candidates: readonly Candidate[]): Statement {
  const people = new Map(source.room.people.map((person) => [person.id, person]))
  const speakers = new Map(source.segments.map(({ id, speaker_id }) => [id, speaker_id ?? '']))
  const said = candidates.map(({ statement }) => ({
    text: statement.text,
    topic: statement.finding?.topic ?? '',
    person:
      statement.evidence
        .map(({ segment_id }) => people.get(speakers.get(segment_id) ?? ''))
        .find((person) => person !== undefined && person.role !== 'therapist') ?? null,
  }))
  const { text, topics } = notAssessedLine(source.room, said)
  return bare(contentId('st', text, []), text, { topic: topics, state: 'not_assessed' })
}

function emptyLine(key: string, title: string, empty: string): Statement {
  const finding = empty.startsWith('Not assessed') ? ({ topic: title, state: 'not_assessed' } as const) : null
  return bare(contentId('st', `${key}: ${empty}`, []), empty, finding)
}

function bare(id: string, text: string, finding: Statement['finding']): Statement {
  return { id, text, evidence: [], support: 'paraphrase', origin: 'rules', finding, safety: false, confirmed_at: null }
}

function unique(statements: readonly Statement[]): Statement[] {
  const seen = new Set<string>()
  return statements.filter(({ id }) => !seen.has(id) && seen.add(id))
}
