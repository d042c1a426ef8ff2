import type { ConflictSide } from '#contract/bridge/conflicts.ts'
import type { Note, NoteSection, Statement } from '#contract/model/note.ts'

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
  /** What it is written from. */
  readonly versions: Versions
}

type Version = Pick<Note, 'sections'>
type Versions = Readonly<Record<ConflictSide, readonly NoteSection[]>>

export function startTogether(mine: Version, theirs: Version): Together {
  return begin({ mine: mine.sections, theirs: theirs.sections }, 'mine')
}

/** As that version has it, in its order; what only the other has is there and left out. */
export function begin(versions: Versions, from: ConflictSide): Together {
  const [own, others] = [versions[from], versions[otherOf[from]]]
  const there = new Map(others.map((section) => [section.key, section]))
  const here = new Set(own.map(({ key }) => key))
  const begun = own.map(({ key, title, statements }): TogetherSection => {
    const other = there.get(key)
    const has = other === undefined ? [from] : bothSides
    return { key, title, has, rows: rowsOf(from, statements, other?.statements ?? []) }
  })
  const onlyThere = others.filter(({ key }) => !here.has(key))
  const added = onlyThere.map(({ key, title, statements }): TogetherSection => {
    return { key, title, has: [otherOf[from]], rows: rowsOf(from, [], statements) }
  })
  return { from, sections: [...begun, ...added], versions }
}

export const bothSides = ['mine', 'theirs'] as const
const otherOf = { mine: 'theirs', theirs: 'mine' } as const

/** The other's beside the sentence it is another wording of, or behind the one it follows there. */
function rowsOf(from: ConflictSide, own: readonly Statement[], others: readonly Statement[]): Row[] {
  const rows = own.map((statement) => row(from, statement, true))
  let after = -1
  for (const statement of others) {
    const same = rows.findIndex((one) => one.source === from && one.text === statement.text)
    if (same >= 0) {
      // Known by one key, whichever it begins with.
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
