import type { ConflictSide } from '#contract/bridge/conflicts.ts'
import type { NoteSection, Statement, Note } from '#contract/model/note.ts'
import { ownStatement, reworded, withoutPlaceholders } from '#domain/note-review.ts'

export const startFrom = (together: Together, from: ConflictSide): Together =>
  carry(together, begin(together.versions, from), isTyped)

export function startedFrom({ sections }: Together): ConflictSide | null {
  const rows = sections.flatMap((section) => section.rows)
  const isPlain = (side: ConflictSide): boolean =>
    rows.every((one) => !isTyped(one) && one.isIn === (one.source === 'both' || one.source === side))
  return bothSides.find(isPlain) ?? null
}

export function changeRow(together: Together, key: string, change: Partial<Pick<Row, 'text' | 'isIn'>>): Together {
  const changed = (one: Row): Row[] => (one.key === key ? leftWhole({ ...one, ...change }) : [one])
  return { ...together, sections: together.sections.map((section) => ({ ...section, rows: section.rows.flatMap(changed) })) }
}

function leftWhole(one: Row): Row[] {
  if (one.isIn || one.text.trim() !== '') return [one]
  return one.statement === null ? [] : [{ ...one, text: one.statement.text }]
}

export function addRow(together: Together, sectionKey: string, key: string): Together {
  const added: Row = { key, source: 'own', statement: null, text: '', isIn: true }
  const sections = together.sections.map((one) => (one.key === sectionKey ? { ...one, rows: [...one.rows, added] } : one))
  return { ...together, sections }
}

export const isTyped = ({ statement, text }: Row): boolean => statement === null || statement.text !== text.trim()

export const isAgreed = ({ rows }: TogetherSection): boolean =>
  rows.every((one) => one.source === 'both' && one.isIn && !isTyped(one))

export function carriedOver(before: Together, fresh: Together): Together {
  if (JSON.stringify(before.versions) === JSON.stringify(fresh.versions)) return before
  return carry(before, begin(fresh.versions, before.from), () => true)
}

function carry(before: Together, fresh: Together, isKept: (one: Row) => boolean): Together {
  const known = new Map(before.sections.flatMap(({ rows }) => rows.map((one) => [one.key, one])))
  const placed = new Set<string>()
  const again = (one: Row): Row => {
    const old = known.get(one.key)
    if (old?.statement?.text !== one.text || !isKept(old)) return one
    placed.add(old.key)
    return { ...one, text: old.text, isIn: old.isIn }
  }
  const found = fresh.sections.map((section) => ({ ...section, rows: section.rows.map(again) }))
  const here = new Set(found.map(({ key }) => key))
  const gone = before.sections.filter(({ key }) => !here.has(key)).map((section) => ({ ...section, has: [], rows: [] }))
  const sections = [...found, ...gone].map((section) => {
    const old = before.sections.find(({ key }) => key === section.key)?.rows ?? []
    const typed = old.filter((one) => isWorded(one) && !placed.has(one.key))
    return { ...section, rows: [...section.rows, ...typed.map((one) => asOwn(one, known))] }
  })
  return { ...fresh, sections: sections.filter(({ has, rows }) => has.length + rows.length > 0) }
}

const isWorded = (one: Row): boolean => one.source === 'own' || (isTyped(one) && one.text.trim() !== '')

function asOwn(one: Row, known: ReadonlyMap<string, Row>): Row {
  if (one.source === 'own') return one
  let key = `${one.key}+`
  while (known.has(key)) key += '+'
  return { ...one, key, statement: null, source: 'own' }
}

export function writtenSections(together: Together, newId: () => string): NoteSection[] | null {
  const used = new Set<string>()
  const sections = together.sections.map(({ key, title, rows, has }) => {
    const statements = rows.filter(({ isIn, text }) => isIn && text.trim() !== '').map((one) => statementOf(one, used, newId))
    return { ...withoutPlaceholders({ key, title, statements }), isKept: statements.length > 0 || has.includes(together.from) }
  })
  if (sections.every(({ statements }) => statements.length === 0)) return null
  return sections.filter(({ isKept }) => isKept).map(({ isKept: _isKept, ...section }) => section)
}

/** Replaces an id that is already used, because both versions may have the same id for different sentences. */
function statementOf({ statement, text }: Row, used: Set<string>, newId: () => string): Statement {
  const written = statement === null ? ownStatement(newId(), text) : reworded(statement, text)
  const id = used.has(written.id) ? newId() : written.id
  used.add(id)
  return { ...written, id }
}

type Source = 'both' | ConflictSide | 'own'

export type Row = Readonly<{ key: string; source: Source; statement: Statement | null; text: string; isIn: boolean }>

export type TogetherSection = Readonly<{ key: string; title: string; rows: readonly Row[]; has: readonly ConflictSide[] }>

export type Together = Readonly<{ from: ConflictSide; sections: readonly TogetherSection[]; versions: Versions }>

type Version = Pick<Note, 'sections'>
type Versions = Readonly<Record<ConflictSide, readonly NoteSection[]>>

export const startTogether = (mine: Version, theirs: Version): Together =>
  begin({ mine: mine.sections, theirs: theirs.sections }, 'mine')

function begin(versions: Versions, from: ConflictSide): Together {
  const sides = [from, otherOf[from]]
  const byKey = Map.groupBy([...versions[from], ...versions[otherOf[from]]], ({ key }) => key)
  const sections = [...byKey].map(([key, [{ title } = { title: '' }]]): TogetherSection => {
    const [own, others] = sides.map((side) => versions[side].find((section) => section.key === key))
    const has = sides.filter((side) => versions[side].some((section) => section.key === key))
    return { key, title, has, rows: rowsOf(from, own?.statements ?? [], others?.statements ?? []) }
  })
  return { from, sections, versions }
}

const bothSides = ['mine', 'theirs'] as const
const otherOf = { mine: 'theirs', theirs: 'mine' } as const

function rowsOf(from: ConflictSide, own: readonly Statement[], others: readonly Statement[]): Row[] {
  const rows = own.map((statement) => row(from, statement, true))
  let after = -1
  for (const statement of others) {
    const same = rows.findIndex((one) => one.source === from && one.text === statement.text)
    if (same >= 0) {
      const key = from === 'mine' ? rows[same]!.key : keyOf('mine', statement)
      rows[same] = { ...rows[same]!, key, source: 'both' }
      after = same
      continue
    }
    const reworded = rows.findIndex((one) => one.source !== otherOf[from] && one.statement?.id === statement.id)
    after = (reworded >= 0 ? reworded : after) + 1
    rows.splice(after, 0, row(otherOf[from], statement, false))
  }
  return rows
}

function row(source: ConflictSide, statement: Statement, isIn: boolean): Row {
  return { key: keyOf(source, statement), source, statement, text: statement.text, isIn }
}

const keyOf = (source: ConflictSide, { id }: Statement): string => `${source}:${id}`
