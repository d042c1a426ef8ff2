import { numbersTo, type Pages } from './encrypted-pages.ts'
import { USABLE_BYTES } from './page-format.ts'
import { type Cell, readRecord, readTreePage, type SqliteValue } from './sqlite-records.ts'

export interface Row {
  readonly rowid: number | bigint | null
  readonly values: readonly SqliteValue[]
  readonly isWhole: boolean
}

export interface Entry {
  readonly type: string
  readonly name: string
  readonly table: string
  readonly root: number
  readonly isOfAllRows: boolean
}

export type Walk = ReturnType<typeof createWalk>

export function createWalk(pages: Pages) {
  const visited = new Set<number>()
  const lost = new Set<number>()
  let isTangled = false

  /** Reads each page once per walk of a table or index: damaged pages can refer to one page several times, even in a cycle. */
  function* cellsOf(number: number, read: Set<number>): Generator<Cell> {
    if (number < 1) return
    if (read.has(number)) {
      isTangled = true
      return
    }
    read.add(number)
    visited.add(number)
    const page = number > pages.count ? null : pages.read(number)
    const tree = page === null ? null : readTreePage(page, number)
    if (tree === null) {
      lost.add(number)
      return
    }
    for (const cell of tree.cells) {
      if (cell.child !== null) yield* cellsOf(cell.child, read)
      if (cell.local !== null) yield cell
    }
    if (tree.right !== null) yield* cellsOf(tree.right, read)
  }

  function* rows(root: number): Generator<Row> {
    for (const cell of cellsOf(root, new Set())) {
      const row = rowOf(pages, visited, cell)
      if (row !== null) yield row
    }
  }

  return {
    rows,
    lost: (): ReadonlySet<number> => lost,
    isTangled: (): boolean => isTangled,
    strays: () =>
      numbersTo(pages.count).flatMap((number) => {
        const page = visited.has(number) ? null : pages.read(number)
        const tree = page === null ? null : readTreePage(page, number)
        if (tree === null || (tree.kind !== 'table' && tree.kind !== 'index')) return []
        const found = tree.cells.map((cell) => rowOf(pages, visited, cell)).filter((row) => row !== null)
        return found.length === 0 ? [] : [{ kind: tree.kind, rows: found }]
      }),
  }
}

export function lastRow(pages: Pages, root: number): Row | null {
  const read = new Set<number>()
  for (let number = root; number > 0 && number <= pages.count && !read.has(number);) {
    read.add(number)
    const page = pages.read(number)
    const tree = page === null ? null : readTreePage(page, number)
    const cell = tree?.cells.at(-1)
    if (tree?.right == null) return cell === undefined ? null : rowOf(pages, new Set(), cell)
    number = tree.right
  }
  return null
}

function rowOf(pages: Pages, visited: Set<number>, { rowid, local, length, overflow }: Cell): Row | null {
  const parts = [local!]
  let [read, next] = [local!.length, overflow]
  while (read < length && next !== 0) {
    visited.add(next)
    const page = next > pages.count ? null : pages.read(next)
    if (page === null) break
    parts.push(page.subarray(4, Math.min(USABLE_BYTES, 4 + length - read)))
    read += parts.at(-1)!.length
    next = page.readUInt32BE(0)
  }
  const values = readRecord(Buffer.concat(parts))
  return values === null ? null : { rowid, values, isWhole: read === length }
}

/** Reads the schema from its root, page 1. If no entries are found there, reads all leaf pages that contain only schema rows. */
export function readSchema(pages: Pages, walk: Walk): Entry[] {
  const found = entriesOf(walk.rows(1))
  if (found.length > 0) return found
  return createWalk(pages)
    .strays()
    .filter(({ kind, rows }) => kind === 'table' && entriesOf(rows).length === rows.length)
    .flatMap(({ rows }) => entriesOf(rows))
}

const types = new Set<SqliteValue>(['table', 'index', 'trigger', 'view'])

function entriesOf(rows: Iterable<Row>): Entry[] {
  const entries: Entry[] = []
  for (const { values } of rows) {
    const [type, name, table, root, sql] = values
    if (values.length < 4 || !types.has(type!) || typeof name !== 'string' || typeof root !== 'number') continue
    const isOfAllRows = sql === null || (typeof sql === 'string' && !/\bwhere\b/i.test(sql))
    entries.push({ type: type as string, name, table: String(table), root, isOfAllRows })
  }
  return entries
}
