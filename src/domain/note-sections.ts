import type { Note, NoteSection, Statement } from '#contract/model/note.ts'
import type { Participant } from '#contract/model/session.ts'
import { ownTemplateId, type BuiltInTemplate, type OwnTemplate, type Template } from '#contract/model/template.ts'
import { MAX_PARAGRAPH, MAX_STATEMENTS } from '#contract/model/common.ts'
import templates from './note-templates.json' with { type: 'json' }
import { isAbsence, isPlaceholder, ownStatement, withoutPlaceholders } from './note-review.ts'

export type SectionForm = Readonly<{ key: string; title: string; holds: readonly string[] }>

type BuiltIn = Readonly<{ sections: readonly SectionForm[]; order?: readonly string[] }>

const builtIn: Readonly<Record<BuiltInTemplate, BuiltIn>> = templates
const MAX_PARTNERS = 6

/** A couples note has a section for each partner. A draft names the partners it heard, who need not be the participants. */
export const isPartner = (key: string): boolean => /^partner_\d$/.test(key)

/** Sections of a template in the order of the note; null if the custom template was deleted. */
export function sectionsOf(
  template: Template,
  own: readonly OwnTemplate[],
  people: readonly Participant[],
): readonly SectionForm[] | null {
  const id = ownTemplateId(template)
  if (id !== null) return own.find((other) => other.id === id)?.sections ?? null
  const { sections, order = sections.map(({ key }) => key) } = builtIn[template as BuiltInTemplate]
  const ordered = sections.toSorted((left, right) => order.indexOf(left.key) - order.indexOf(right.key))
  const partners = template === 'couples' ? people.filter(({ role }) => role !== 'interpreter').slice(0, MAX_PARTNERS) : []
  return [...partners.map(({ name }, at) => ({ key: `partner_${at + 1}`, title: name, holds: ['said'] })), ...ordered]
}

/**
 * Moves statements into the sections of another template: those with the same key or title, else those that hold the same
 * content. Sections without a counterpart are left at the end.
 */
export function regroup(
  sections: readonly NoteSection[],
  from: readonly SectionForm[],
  to: readonly SectionForm[],
): NoteSection[] {
  const moved = new Map(to.map(({ key }) => [key, [] as Statement[]]))
  const left: NoteSection[] = []
  for (const section of sections) {
    const statements = section.statements.filter((statement) => !isPlaceholder(statement))
    const home = counterpart(section, from, to)
    if (home !== undefined) moved.get(home.key)?.push(...statements)
    else if (statements.length > 0) left.push({ ...section, statements })
  }
  return [...to.map(({ key, title }) => ({ key, title, statements: moved.get(key) ?? [] })), ...left]
}

function counterpart({ key, title }: NoteSection, from: readonly SectionForm[], to: readonly SectionForm[]) {
  const same = to.find((form) => form.key === key) ?? to.find((form) => isSameTitle(form.title, title))
  if (same !== undefined) return same
  const holds = from.find((form) => form.key === key)?.holds ?? []
  const taking = (content: string) => to.find((form) => form.holds.includes(content))
  const found = [...holds.map(taking), ...holds.map((content) => taking(broader[content] ?? 'said'))]
  return found.find((form) => form !== undefined)
}

/** Where content goes that a template has no section for; all other content goes to what was said. */
const broader: Readonly<Record<string, string>> = { next: 'plan', referrals: 'plan', response: 'reflections' }

/** Adds to a new draft what a person wrote or reworded in the note it replaces, and repeats the decisions on omissions. */
export function withWritten(draft: Note, before: Note, own: readonly OwnTemplate[]): Note {
  const written = before.sections.map((section) => ({ ...section, statements: section.statements.filter(isWritten) }))
  const ids = new Set(written.flatMap(({ statements }) => statements.map(({ id }) => id)))
  if (ids.size === 0) return draft
  const moved = regroup(written, formsIn(before, own), formsIn(draft, own))
  const sections = moved.map((section, index) => {
    const drafted = draft.sections[index]?.statements.filter(({ id }) => !ids.has(id)) ?? []
    return withoutPlaceholders({ ...section, statements: [...drafted, ...section.statements] })
  })
  const decisions = new Map(before.omissions.map(({ id, decision }) => [id, decision]))
  const omissions = draft.omissions.map((one) => ({ ...one, decision: decisions.get(one.id) ?? one.decision }))
  return { ...draft, sections, omissions }
}

/** Copies a section of an earlier note for review; `from` says which note. Sentences that the note has are not repeated. */
export function carriedStatements(note: Note, section: NoteSection, from: string, newId: () => string): Statement[] {
  const known = new Set(note.sections.flatMap(({ statements }) => statements.map(({ text }) => text)))
  return section.statements
    .filter((statement) => !saysNothing(statement) && !known.has(statement.text))
    .map(({ text, safety }) => ({ ...ownStatement(newId(), text), support: 'paraphrase', safety, doubt: from }))
}

/** Key of the section that a section of another note corresponds to; the first one if there is none. */
export const homeIn = (note: Note, section: NoteSection, other: Note, own: readonly OwnTemplate[]): string =>
  (counterpart(section, formsIn(other, own), formsIn(note, own)) ?? note.sections[0])?.key ?? ''

const isWritten = (statement: Statement): boolean => statement.origin === 'person' && !saysNothing(statement)

/** The sections of a note with what its template puts in them. */
export function formsIn({ template, sections }: Note, own: readonly OwnTemplate[]): SectionForm[] {
  const forms = sectionsOf(template, own, []) ?? []
  const holdsOf = (key: string) => forms.find((form) => form.key === key)?.holds ?? (isPartner(key) ? ['said'] : [])
  return sections.map(({ key, title }) => ({ key, title, holds: holdsOf(key) }))
}

const isSameTitle = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** True if the note says nothing about the session: it holds placeholders, findings not assessed and the planned length. */
export const isEmptyNote = ({ sections }: Pick<Note, 'sections'>): boolean =>
  sections.every(({ statements }) => statements.every(saysNothing))

const saysNothing = (statement: Statement): boolean =>
  isPlaceholder(statement) ||
  (isAbsence(statement) && statement.origin !== 'person') ||
  /^Session: [\w ]+, \d+ minutes\.$/.test(statement.text)

/** True for a sentence the clinician typed: it rests on nothing that was said and is not copied from another note. */
const isTyped = ({ origin, support, evidence, finding, safety, doubt }: Statement): boolean =>
  origin === 'person' &&
  support === 'clinician_entered' &&
  evidence.length === 0 &&
  finding === null &&
  !safety &&
  (doubt ?? null) === null

/** Typed statements at the end of a section; its text field shows one on each line. */
export function typedAtEnd({ statements }: NoteSection): Statement[] {
  const last = statements.findLastIndex((statement) => !isTyped(statement))
  return statements.slice(last + 1)
}

/**
 * Replaces the typed statements at the end of a section by one for each line of `text`, or by longer ones if a section cannot
 * hold that many. Unchanged lines keep their ids.
 */
export function withTyped(section: NoteSection, text: string, newId: () => string): NoteSection {
  const before = typedAtEnd(section)
  const rest = section.statements.slice(0, section.statements.length - before.length)
  const lines = packed(linesOf(text), MAX_STATEMENTS - rest.length)
  const kept = new Map(before.filter((one) => lines.includes(one.text)).map((one) => [one.text, one]))
  const free = before.filter((one) => kept.get(one.text) !== one)
  const typed = lines.map((line) => {
    const same = kept.get(line)
    kept.delete(line)
    if (same !== undefined) return same
    const changed = free.shift()
    return changed === undefined ? ownStatement(newId(), line) : { ...changed, text: line }
  })
  const others = typed.length === 0 ? rest : rest.filter((statement) => !isPlaceholder(statement))
  return { ...section, statements: [...others, ...typed] }
}

function packed(lines: string[], most: number): string[] {
  if (lines.length <= most) return lines
  const joined: string[] = []
  for (const line of lines) {
    const last = joined.at(-1)
    if (last !== undefined && last.length + 1 + line.length <= MAX_PARAGRAPH) joined.push(`${joined.pop()}\n${line}`)
    else joined.push(line)
  }
  return joined
}

/** Lines that are not empty. Longer lines than a statement can hold are split between sentences or words. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => split(line.trim()))
}

function split(line: string): string[] {
  if (line.length <= MAX_PARAGRAPH) return line === '' ? [] : [line]
  const head = line.slice(0, MAX_PARAGRAPH)
  const end = [/.*[.!?](?=\s)/s, /.*(?=\s)/s].map((boundary) => boundary.exec(head)?.[0].length ?? 0).find((length) => length > 0)
  const isWithinCharacter = /[\ud800-\udbff]$/.test(head)
  const at = end ?? head.length - (isWithinCharacter ? 1 : 0)
  return [line.slice(0, at), ...split(line.slice(at).trim())]
}
