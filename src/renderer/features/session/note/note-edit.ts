import type { Note, NoteSection, Omission, Statement } from '#contract/model/note.ts'
import { reworded, withoutPlaceholders } from '#domain/note-review.ts'
import { linesOf, typedAtEnd, withTyped } from '#domain/note-sections.ts'

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

/** Replaces the text of a section's field. */
export function typeText<Body extends NoteEdit>(body: Body, sectionKey: string, text: string): Body {
  const section = body.sections.find(({ key }) => key === sectionKey)
  if (section === undefined || linesOf(text).join('\n') === textOf(typedAtEnd(section))) return body
  return mapSection(body, sectionKey, (old) => withTyped(old, text, () => crypto.randomUUID()))
}

export const textOf = (statements: readonly Statement[]): string => statements.map(({ text }) => text).join('\n')

/** Adds a statement above the text field of a section. */
export function addAboveTyped<Body extends NoteEdit>(body: Body, sectionKey: string, statement: Statement): Body {
  return mapSection(body, sectionKey, (section) => {
    const at = section.statements.length - typedAtEnd(section).length
    return withoutPlaceholders({ ...section, statements: section.statements.toSpliced(at, 0, statement) })
  })
}

/** Moves a section's statements to the end of another section. */
export function moveSection<Body extends NoteEdit>(body: Body, key: string, target: string): Body {
  const moved = body.sections.find((section) => section.key === key)?.statements ?? []
  const without = dropSection(body, key)
  return mapSection(without, target, (section) =>
    withoutPlaceholders({ ...section, statements: [...section.statements, ...moved] }),
  )
}

export function dropSection<Body extends NoteEdit>(body: Body, key: string): Body {
  return { ...body, sections: body.sections.filter((section) => section.key !== key) }
}

export function removeStatement<Body extends NoteEdit>(body: Body, id: string): { body: Body; removed: Removed | null } {
  for (const section of body.sections) {
    const index = section.statements.findIndex((statement) => statement.id === id)
    const statement = section.statements[index]
    if (statement === undefined) continue
    return {
      body: mapSection(body, section.key, (old) => ({ ...old, statements: old.statements.toSpliced(index, 1) })),
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

interface Adding {
  readonly id: string
  readonly now: string
  /** Makes a sentence of quotes that says who said them. */
  readonly prose: (quotes: string) => string
}

export function addOmission<Body extends NoteEdit>(body: Body, { id, now, prose }: Adding): Body {
  const omission = body.omissions.find((other) => other.id === id)
  if (omission === undefined) return body
  const section = fittingSection(body.sections, omission.kind)
  if (section === undefined) return body
  return decide(addAboveTyped(body, section.key, quoted(omission, now, prose)), id, 'added')
}

export const leaveOutOmission = <Body extends NoteEdit>(body: Body, id: string): Body => decide(body, id, 'left_out')

export function reopenOmission<Body extends NoteEdit>(body: Body, id: string): Body {
  return decide(removeStatement(body, statementIdFor(id)).body, id, 'open')
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

export function fittingSection(sections: readonly NoteSection[], kind: Omission['kind']): NoteSection | undefined {
  for (const word of sectionWords[kind]) {
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

function quoted(omission: Omission, now: string, prose: (quote: string) => string): Statement {
  const quotes = omission.evidence.flatMap((evidence) => (evidence.quote === null ? [] : [`“${evidence.quote}”`]))
  return {
    id: statementIdFor(omission.id),
    text: quotes.length === 0 ? omission.text : `${prose(quotes.join(' … '))}${/[.?!]”$/.test(quotes.at(-1) ?? '') ? '' : '.'}`,
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
