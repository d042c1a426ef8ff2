import type { Note, NoteSection, Omission, Statement } from '#contract/model/note.ts'
import { isPlaceholder, notStated, reworded, withoutPlaceholders } from '#domain/note-review.ts'
import type { Template } from '#contract/model/template.ts'

export type NoteEdit = Pick<Note, 'sections' | 'omissions'>

export interface Removed {
  readonly section_key: string
  readonly index: number
  readonly statement: Statement
}

export function editStatement<Body extends NoteEdit>(body: Body, id: string, text: string): Body {
  return mapStatement(body, id, (statement) => reworded(statement, text))
}

export function confirmStatement<Body extends NoteEdit>(body: Body, id: string, now: string): Body {
  return mapStatement(body, id, (statement) => ({ ...statement, confirmed_at: now }))
}

export function keepAsOwnWords<Body extends NoteEdit>(body: Body, id: string, now: string): Body {
  return mapStatement(body, id, (statement) => ({
    ...statement,
    support: 'clinician_entered',
    origin: 'person',
    confirmed_at: now,
  }))
}

export function addStatement<Body extends NoteEdit>(
  body: Body,
  sectionKey: string,
  afterId: string | null,
  statement: Statement,
): Body {
  return mapSection(body, sectionKey, (section) => {
    const after = section.statements.findIndex((other) => other.id === afterId)
    const at = after < 0 ? section.statements.length : after + 1
    return withoutPlaceholders({ ...section, statements: section.statements.toSpliced(at, 0, statement) })
  })
}

/** @param opened the note with the placeholder that a section gets back when its last statement is removed */
export function removeStatement<Body extends NoteEdit>(
  body: Body,
  id: string,
  opened?: NoteEdit,
): { body: Body; removed: Removed | null } {
  for (const section of body.sections) {
    const index = section.statements.findIndex((statement) => statement.id === id)
    const statement = section.statements[index]
    if (statement === undefined) continue
    const rest = section.statements.toSpliced(index, 1)
    const statements = rest.length > 0 || isPlaceholder(statement) ? rest : [placeholderOf(section.key, opened)]
    return {
      body: mapSection(body, section.key, (old) => ({ ...old, statements })),
      removed: { section_key: section.key, index, statement },
    }
  }
  return { body, removed: null }
}

export function restoreStatement<Body extends NoteEdit>(body: Body, removed: Removed): Body {
  return mapSection(body, removed.section_key, (section) =>
    section.statements.some((statement) => statement.id === removed.statement.id)
      ? section
      : withoutPlaceholders({ ...section, statements: section.statements.toSpliced(removed.index, 0, removed.statement) }),
  )
}

const placeholderOf = (key: string, opened?: NoteEdit): Statement =>
  opened?.sections.find((section) => section.key === key)?.statements.find(isPlaceholder) ?? notStated(crypto.randomUUID())

export function addOmission<Body extends NoteEdit>(body: Body, template: Template, id: string, now: string): Body {
  const omission = body.omissions.find((other) => other.id === id)
  if (omission === undefined) return body
  const section = fittingSection(body.sections, template, omission.kind)
  if (section === undefined) return body
  return decide(addStatement(body, section.key, null, quoted(omission, now)), id, 'added')
}

export const leaveOutOmission = <Body extends NoteEdit>(body: Body, id: string): Body => decide(body, id, 'left_out')

export function reopenOmission<Body extends NoteEdit>(body: Body, id: string, opened?: NoteEdit): Body {
  const { body: without } = removeStatement(body, statementIdFor(id), opened)
  return decide(without, id, 'open')
}

/** Words to look for in the key or title of each section, best first. If no section matches, the first section is used. */
const sectionWords: Record<Omission['kind'], readonly string[]> = {
  risk: ['risk', 'safety', 'data', 'behavior', 'subjective'],
  medication: ['medication', 'data', 'behavior', 'subjective'],
  goal: ['goal', 'plan', 'data'],
  homework: ['plan'],
  substance: ['substance', 'data', 'behavior', 'subjective'],
  other: ['data', 'behavior', 'subjective'],
}

export function fittingSection(
  sections: readonly NoteSection[],
  template: Template,
  kind: Omission['kind'],
): NoteSection | undefined {
  const wanted = template === 'girp' && kind === 'goal' ? ['goal'] : sectionWords[kind]
  for (const word of wanted) {
    const found = sections.find((section) => `${section.key} ${section.title}`.toLowerCase().includes(word))
    if (found !== undefined) return found
  }
  return sections[0]
}

export function sectionOf(body: NoteEdit, statementId: string): NoteSection | undefined {
  return body.sections.find((section) => section.statements.some((statement) => statement.id === statementId))
}

export function findStatement(body: NoteEdit, id: string): Statement | undefined {
  return sectionOf(body, id)?.statements.find((statement) => statement.id === id)
}

function quoted(omission: Omission, now: string): Statement {
  const quotes = omission.evidence.flatMap((evidence) => (evidence.quote === null ? [] : [`“${evidence.quote}”`]))
  return {
    id: statementIdFor(omission.id),
    text: quotes.length === 0 ? omission.text : `${quotes.join(' … ')}${/[.?!]”$/.test(quotes.at(-1) ?? '') ? '' : '.'}`,
    evidence: omission.evidence,
    support: 'stated',
    origin: 'person',
    finding: null,
    safety: omission.kind === 'risk' || omission.kind === 'medication',
    confirmed_at: now,
  }
}

const statementIdFor = (omissionId: string): string => `said-${omissionId}`.slice(0, 64)

function decide<Body extends NoteEdit>(body: Body, id: string, decision: Omission['decision']): Body {
  return { ...body, omissions: body.omissions.map((omission) => (omission.id === id ? { ...omission, decision } : omission)) }
}

function mapSection<Body extends NoteEdit>(body: Body, key: string, change: (section: NoteSection) => NoteSection): Body {
  return { ...body, sections: body.sections.map((section) => (section.key === key ? change(section) : section)) }
}

export function mapStatement<Body extends NoteEdit>(body: Body, id: string, change: (statement: Statement) => Statement): Body {
  return {
    ...body,
    sections: body.sections.map((section) => ({
      ...section,
      statements: section.statements.map((statement) => (statement.id === id ? change(statement) : statement)),
    })),
  }
}
