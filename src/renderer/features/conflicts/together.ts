import type { ConflictSide } from '#contract/bridge/conflicts.ts'
import type { Note, NoteSection, Statement } from '#contract/model/note.ts'
import { ownStatement, reworded } from '#contract/model/own-words.ts'

/** Where a sentence stands: in both versions, in one of them, or nowhere yet. */
export type Source = 'both' | ConflictSide | 'own'

export interface Row {
  readonly key: string
  readonly source: Source
  /** Null: typed here. */
  readonly statement: Statement | null
  readonly text: string
  /** False: left out; its words stay, to be taken after all. */
  readonly isIn: boolean
}

export interface TogetherSection {
  readonly key: string
  readonly title: string
  readonly rows: readonly Row[]
  /** Which version has it. */
  readonly has: readonly ConflictSide[]
}

/** A draft being written from two versions: every sentence of both is there, in the note or left out. */
export interface Together {
  readonly from: ConflictSide
  readonly sections: readonly TogetherSection[]
}

type Version = Pick<Note, 'sections'>

export function startTogether(mine: Version, theirs: Version): Together {
  const there = new Map(theirs.sections.map((section) => [section.key, section]))
  const here = new Set(mine.sections.map(({ key }) => key))
  const together: TogetherSection[] = mine.sections.map((section) => {
    const other = there.get(section.key)
    const has: readonly ConflictSide[] = other === undefined ? ['mine'] : ['mine', 'theirs']
    return { key: section.key, title: section.title, has, rows: rowsOf(section, other?.statements ?? []) }
  })
  const onlyThere = theirs.sections.filter(({ key }) => !here.has(key))
  const added = onlyThere.map(({ key, title, statements }): TogetherSection => {
    return { key, title, has: ['theirs'], rows: rowsOf({ key, title, statements: [] }, statements) }
  })
  return startFrom({ from: 'mine', sections: [...together, ...added] }, 'mine')
}

/** Theirs beside the sentence it is another wording of, or behind the one it follows there. */
function rowsOf(section: NoteSection, theirs: readonly Statement[]): Row[] {
  const rows = section.statements.map((statement) => row('mine', statement))
  let after = -1
  for (const statement of theirs) {
    const same = rows.findIndex((one) => one.source === 'mine' && one.text === statement.text)
    if (same >= 0) {
      rows[same] = { ...rows[same]!, source: 'both' }
      after = same
      continue
    }
    const reworded = rows.findIndex((one) => one.source !== 'theirs' && one.statement?.id === statement.id)
    after = (reworded >= 0 ? reworded : after) + 1
    rows.splice(after, 0, row('theirs', statement))
  }
  return rows
}

function row(source: ConflictSide, statement: Statement): Row {
  return { key: `${source}:${statement.id}`, source, statement, text: statement.text, isIn: false }
}

/** As that version has it; what was typed stays as it is. */
export function startFrom(together: Together, from: ConflictSide): Together {
  const start = (one: Row): Row => (isTyped(one) ? one : { ...one, isIn: one.source === 'both' || one.source === from })
  return { from, sections: together.sections.map((section) => ({ ...section, rows: section.rows.map(start) })) }
}

/** The version that it says and nothing else; null once it is of both. */
export function startedFrom({ sections }: Together): ConflictSide | null {
  const rows = sections.flatMap((section) => section.rows)
  const isPlain = (side: ConflictSide): boolean =>
    rows.every((one) => !isTyped(one) && one.isIn === (one.source === 'both' || one.source === side))
  return (['mine', 'theirs'] as const).find(isPlain) ?? null
}

export function changeRow(together: Together, key: string, change: Partial<Pick<Row, 'text' | 'isIn'>>): Together {
  const changed = (one: Row): Row => (one.key === key ? { ...one, ...change } : one)
  return { ...together, sections: together.sections.map((section) => ({ ...section, rows: section.rows.map(changed) })) }
}

export function addRow(together: Together, sectionKey: string, key: string): Together {
  const added: Row = { key, source: 'own', statement: null, text: '', isIn: true }
  const sections = together.sections.map((one) => (one.key === sectionKey ? { ...one, rows: [...one.rows, added] } : one))
  return { ...together, sections }
}

/** The therapist's own words, wherever they began. */
export function isTyped({ statement, text }: Row): boolean {
  return statement === null || statement.text !== text.trim()
}

/** Both versions say the same in it. */
export function isAgreed({ rows }: TogetherSection): boolean {
  return rows.every(({ source }) => source === 'both')
}

/** One version changed meanwhile: what was typed and taken before is in the new one again. */
export function carriedOver(before: Together, fresh: Together): Together {
  const known = new Map(before.sections.flatMap(({ rows }) => rows.map((one) => [one.key, one])))
  const kept = new Set<string>()
  const again = (one: Row): Row => {
    const old = known.get(one.key)
    if (old?.statement?.text !== one.text) return one
    kept.add(old.key)
    return { ...one, text: old.text, isIn: old.isIn }
  }
  const started = startFrom(fresh, before.from)
  const sections = started.sections.map((section) => {
    const rows = section.rows.map(again)
    const typed = before.sections.find(({ key }) => key === section.key)?.rows.filter(isTyped) ?? []
    return { ...section, rows: [...rows, ...typed.filter(({ key }) => !kept.has(key)).map(asOwn)] }
  })
  return { ...started, sections }
}

const asOwn = (one: Row): Row => ({ ...one, key: `${one.key}+`, statement: null, source: 'own' })

/** What is to be kept; null while there is not one sentence in it. */
export function writtenSections(together: Together, newId: () => string): NoteSection[] | null {
  const used = new Set<string>()
  const sections = together.sections.map(({ key, title, rows, has }) => {
    const statements = rows.filter(({ isIn, text }) => isIn && text.trim() !== '').map((one) => statementOf(one, used, newId))
    return { key, title, statements, isKept: statements.length > 0 || has.includes(together.from) }
  })
  if (sections.every(({ statements }) => statements.length === 0)) return null
  return sections.filter(({ isKept }) => isKept).map(({ isKept: _isKept, ...section }) => section)
}

/** Two versions may have given one id to two sentences. */
function statementOf({ statement, text }: Row, used: Set<string>, newId: () => string): Statement {
  const written = statement === null ? ownStatement(newId(), text) : reworded(statement, text)
  const id = used.has(written.id) ? newId() : written.id
  used.add(id)
  return { ...written, id }
}
