import { omissionNeeds, statementNeeds } from '#domain/note-review.ts'
import type { NoteSection, Omission, Statement } from '#contract/model/note.ts'
import type { Template } from '#contract/model/template.ts'
import { openTopics } from './findings.ts'
import { fittingSection, type NoteEdit } from './note-edit.ts'

/** What stands on the page one below the other, and what the arrow keys go through. */
export type NoteItem =
  | { readonly kind: 'statement'; readonly id: string; readonly statement: Statement }
  | { readonly kind: 'omission'; readonly id: string; readonly omission: Omission }

export interface PageSection {
  readonly section: NoteSection
  readonly items: readonly NoteItem[]
}

/** Each section with its statements, then what was said and belongs there but is not written. */
export function pageSections(body: NoteEdit, template: Template): PageSection[] {
  const open = body.omissions.filter(omissionNeeds)
  return body.sections.map((section) => ({
    section,
    items: [
      ...section.statements.map((statement): NoteItem => ({ kind: 'statement', id: statement.id, statement })),
      ...open
        .filter((omission) => fittingSection(body.sections, template, omission.kind)?.key === section.key)
        .map((omission): NoteItem => ({ kind: 'omission', id: omission.id, omission })),
    ],
  }))
}

function itemNeeds(item: NoteItem): boolean {
  return item.kind === 'omission' ? omissionNeeds(item.omission) : statementNeeds(item.statement) !== null
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

/** Stretches of a section: what nobody assessed stands together, topic by topic. A signed line stays the line it was signed as. */
export type Stretch =
  | { readonly kind: 'items'; readonly items: readonly NoteItem[] }
  | { readonly kind: 'not_assessed'; readonly items: readonly NoteItem[] }

export function stretches(items: readonly NoteItem[], isSigned = false): Stretch[] {
  const found: { kind: Stretch['kind']; items: NoteItem[] }[] = []
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
