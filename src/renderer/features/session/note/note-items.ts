import { omissionNeeds, ownStatement, statementNeeds } from '#domain/note-review.ts'
import { typedAtEnd } from '#domain/note-sections.ts'
import type { Omission, Statement } from '#contract/model/note.ts'
import { addStatement, findStatement, fittingSection, mapStatement, removeStatement, sectionOf } from './note-edit.ts'
import type { NoteEdit } from './note-edit.ts'

export type NoteItem =
  | { readonly kind: 'statement'; readonly id: string; readonly statement: Statement }
  | { readonly kind: 'omission'; readonly id: string; readonly omission: Omission }

export type PageSection = ReturnType<typeof pageSections>[number]

/** @param hasFields true if typed statements at the end of a section are in its text field instead of its list */
export function pageSections(body: NoteEdit, hasFields = false) {
  const open = body.omissions.filter(omissionNeeds)
  return body.sections.map((section) => ({
    section,
    typed: hasFields ? typedAtEnd(section) : [],
    items: [
      ...section.statements
        .slice(0, hasFields ? section.statements.length - typedAtEnd(section).length : undefined)
        .map((statement): NoteItem => ({ kind: 'statement', id: statement.id, statement })),
      ...open
        .filter((omission) => fittingSection(body.sections, omission.kind)?.key === section.key)
        .map((omission): NoteItem => ({ kind: 'omission', id: omission.id, omission })),
    ],
  }))
}

function itemNeeds(item: NoteItem): boolean {
  return item.kind === 'omission' ? omissionNeeds(item.omission) : statementNeeds(item.statement) !== null
}

/** What the first and the last button of an item to review do. */
export function decisionsOf(item: NoteItem): readonly ('addSaid' | 'leaveOut' | 'keepOwn' | 'confirm' | 'remove')[] {
  if (item.kind === 'omission') return ['addSaid', 'leaveOut']
  const needs = statementNeeds(item.statement)
  if (needs === null) return []
  return needs === 'safety' ? ['confirm'] : [needs === 'source' ? 'keepOwn' : 'confirm', 'remove']
}

export function nextToCheck(items: readonly NoteItem[], selectedId: string | null): NoteItem | null {
  const at = items.findIndex((item) => item.id === selectedId)
  const around = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  return around.find(itemNeeds) ?? null
}

export function neighbour(items: readonly NoteItem[], selectedId: string | null, step: 1 | -1): NoteItem | null {
  const at = items.findIndex((item) => item.id === selectedId)
  if (at < 0) return items[step === 1 ? 0 : items.length - 1] ?? null
  return items[Math.max(0, Math.min(items.length - 1, at + step))] ?? null
}

export function evidenceOf(item: NoteItem): Statement['evidence'] {
  return item.kind === 'statement' ? item.statement.evidence : item.omission.evidence
}

/** Adjacent items of a section that the page shows alike: as statements, or as a list of topics that were not assessed. */
export interface Stretch {
  readonly kind: 'items' | 'not_assessed'
  readonly items: NoteItem[]
}

export function stretches(items: readonly NoteItem[], isSigned = false): Stretch[] {
  const found: Stretch[] = []
  for (const item of items) {
    const kind = isNotAssessed(item, isSigned) ? 'not_assessed' : 'items'
    const last = found.at(-1)
    if (last !== undefined && last.kind === kind) last.items.push(item)
    else found.push({ kind, items: [item] })
  }
  return found
}

function isNotAssessed(item: NoteItem, isSigned: boolean): boolean {
  if (item.kind !== 'statement' || statementNeeds(item.statement) !== null) return false
  const topics = openTopics(item.statement).length
  return isSigned ? topics === 1 && /: not assessed/i.test(item.statement.text) : topics > 0
}

export interface FindingAnswer {
  readonly state: NonNullable<Statement['finding']>['state']
  readonly words: string
}

const listed = /^not assessed: (.+?)\.?$/i
const single = /^(.+?): not assessed\.?$/i

export function openTopics(statement: Statement): readonly string[] {
  if (statement.finding?.state !== 'not_assessed' || statement.evidence.length > 0 || statement.origin === 'person') return []
  return groupsOf(statement).flatMap((group) => group.topics)
}

export function answerFinding<Body extends NoteEdit>(
  body: Body,
  statementId: string,
  topic: string,
  answer: FindingAnswer,
  fresh: { readonly id: string; readonly now: string },
): Body {
  const line = findStatement(body, statementId)
  const section = sectionOf(body, statementId)
  if (line === undefined || section === undefined) return body
  const rest = groupsOf(line)
    .map((group) => ({ ...group, topics: group.topics.filter((other) => other !== topic) }))
    .filter((group) => group.topics.length > 0)
  const before = section.statements[section.statements.indexOf(line) - 1]?.id ?? statementId
  const added = addStatement(body, section.key, before, statementOf(topic, answer, fresh))
  if (rest.length === 0) return removeStatement(added, statementId).body
  const topics = rest.flatMap((group) => group.topics)
  const written = rest.map((group) => [group.topics.join(', '), group.reason].join(' ').trim())
  return mapStatement(added, statementId, (statement) => ({
    ...statement,
    text: `Not assessed: ${written.join('; ')}.`,
    finding: { topic: topics.join(', ').slice(0, 200), state: 'not_assessed' },
  }))
}

function groupsOf(statement: Statement): ReturnType<typeof groupOf>[] {
  const many = listed.exec(statement.text)?.[1]
  if (many !== undefined) return many.split(/;\s*/).map(groupOf)
  const one =
    single.exec(statement.text)?.[1] ?? (/^not assessed\.?$/i.test(statement.text) ? statement.finding?.topic : undefined)
  return one === undefined || one === '' ? [] : [{ topics: [one], reason: '' }]
}

function groupOf(text: string) {
  const reason = /\s*(\([^()]*\))$/.exec(text)?.[1] ?? ''
  const topics = text
    .slice(0, text.length - reason.length)
    .trim()
    .split(/,\s*|\s+and\s+/)
  return { topics: topics.filter((topic) => topic !== ''), reason }
}

const atRisk = /suicid|self-harm|harm|violen|abuse|risk|safety|medication/i

function statementOf(topic: string, answer: FindingAnswer, fresh: { readonly id: string; readonly now: string }): Statement {
  const name = `${topic.charAt(0).toUpperCase()}${topic.slice(1)}`
  const own = sentence(answer.words)
  const said = { stated: `${name}: ${own}`, denied: `${name}: denied. ${own}`, not_assessed: `${name}: not assessed. ${own}` }
  return {
    ...ownStatement(fresh.id, said[answer.state]),
    finding: { topic, state: answer.state },
    safety: answer.state !== 'not_assessed' && atRisk.test(topic),
    confirmed_at: fresh.now,
  }
}

function sentence(words: string): string {
  const text = words.trim()
  return text === '' || /[.!?”"]$/.test(text) ? text : `${text}.`
}
