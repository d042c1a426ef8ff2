import type { Statement } from 'better-sqlite3'
import { numbersTo, type Pages } from './encrypted-pages.ts'
import type { Sqlite } from './sqlite.ts'
import type { SqliteValue } from './sqlite-records.ts'
import { createWalk, type Entry, lastRow, readSchema, type Row, type Walk } from './tree-walk.ts'
import { fits, quoted, type Table, tablesOf } from './table-shape.ts'

export interface ReadOut {
  readonly pages: number
  readonly unreadable_pages: number
  readonly rows: number
  readonly lost_rows: number
  readonly incomplete: readonly string[]
  readonly indexes: ReadonlyMap<string, readonly (readonly SqliteValue[])[]>
}

/**
 * Copies readable rows into an empty database of the same schema. The rows of a leaf page without a readable parent go to the
 * one possibly incomplete table that they fit. If several tables fit or none does, the rows are left out.
 */
export function readOut(pages: Pages, into: Sqlite, wantedIndexes: readonly string[] = []): ReadOut {
  return withoutTriggers(into, () => readRows(pages, into, wantedIndexes))
}

/** Adds rows that `into` lacks, from all tables or only those in `names`. Leaves the rows of `into` unchanged. */
export function addFrom(pages: Pages, into: Sqlite, names?: readonly string[]): void {
  withoutTriggers(into, () => {
    const walk = createWalk(pages)
    const tables = new Map(tablesOf(into).map((table) => [table.name, table]))
    const fill = createFill(into)
    for (const { type, name, root } of readSchema(pages, walk)) {
      const table = type === 'table' ? tables.get(name) : undefined
      if (table !== undefined && names?.includes(name) !== false) fill.all(table, walk.rows(root), 'ignore')
    }
  })
}

interface Suspect {
  readonly table: Table
  readonly root: number | undefined
  readonly lostPages: readonly number[]
  readonly lostRows: number
}

function readRows(pages: Pages, into: Sqlite, wantedIndexes: readonly string[]): ReadOut {
  const walk = createWalk(pages)
  const schema = readSchema(pages, walk)
  const rootOf = new Map(schema.filter(({ type }) => type === 'table').map(({ name, root }) => [name, root]))
  const { indexes, countOf } = readIndexes(schema, walk, wantedIndexes)
  const tables = tablesOf(into)
  const fill = createFill(into)
  const suspects: Suspect[] = []
  for (const table of tables) {
    const root = rootOf.get(table.name)
    const [lostBefore, rowsBefore] = [walk.lost().size, fill.counts().lost_rows]
    if (root !== undefined) fill.all(table, walk.rows(root), 'replace')
    const lostPages = [...walk.lost()].slice(lostBefore)
    const lostRows = fill.counts().lost_rows - rowsBefore
    if (root === undefined || lostPages.length + lostRows > 0) suspects.push({ table, root, lostPages, lostRows })
  }
  keepSequences(into, [...walk.rows(rootOf.get('sqlite_sequence') ?? 0)])
  for (const [name, root] of rootOf) if (!tables.some((table) => table.name === name)) for (const _ of walk.rows(root)) continue
  const strays = walk.strays()
  const isMixed = walk.isTangled() || (walk.lost().size === 0 && strays.length > 0)
  const unsuspected = tables.filter((table) => isMixed && !suspects.some((suspect) => suspect.table === table))
  suspects.push(...unsuspected.map((table) => ({ table, root: rootOf.get(table.name), lostPages: [], lostRows: 0 })))
  const { isPlaced, isAmbiguous } = placeStrays(strays, suspects, fill)
  const unreadable_pages = countUnreadable(pages)
  // An unreadable page without a readable parent may belong to any table.
  const areOthersLost =
    isMixed || rootOf.size === 0 || walk.lost().size !== unreadable_pages || [...walk.lost()].some((page) => page > pages.count)
  const rowsIn = (name: string): number =>
    into
      .prepare(`select count(*) from ${quoted(name)}`)
      .pluck()
      .get() as number
  const hasAll = ({ table, root, lostPages, lostRows }: Suspect): boolean => {
    const count = countOf.get(table.name)
    if (count !== undefined) return rowsIn(table.name) >= count
    if (areOthersLost || lostRows > 0 || isAmbiguous.has(table)) return false
    const isAboveLeaves = lostPages.length === 1 && lostPages[0] === root && table.hasRowid && isPlaced.has(table)
    return lostPages.length === 0 || isAboveLeaves
  }
  const incomplete = suspects.filter((suspect) => !hasAll(suspect)).map(({ table }) => table.name)
  return { pages: pages.count, unreadable_pages, ...fill.counts(), incomplete, indexes }
}

function readIndexes(schema: readonly Entry[], walk: Walk, wanted: readonly string[]) {
  const indexes = new Map<string, (readonly SqliteValue[])[]>(wanted.map((name) => [name, []]))
  const countOf = new Map<string, number>()
  for (const { name, table, root, isOfAllRows } of schema.filter(({ type, root }) => type === 'index' && root > 0)) {
    const before = walk.lost().size
    const entries = [...walk.rows(root)].map(({ values }) => values)
    indexes.get(name)?.push(...entries)
    if (isOfAllRows && walk.lost().size === before) countOf.set(table, entries.length)
  }
  return { indexes, countOf }
}

function placeStrays(strays: ReturnType<Walk['strays']>, suspects: readonly Suspect[], fill: ReturnType<typeof createFill>) {
  const [isPlaced, isAmbiguous] = [new Set<Table>(), new Set<Table>()]
  for (const { kind, rows } of strays) {
    const found = suspects
      .map(({ table }) => table)
      .filter((table) => table.hasRowid === (kind === 'table') && rows.every(({ values }) => fits(table, values)))
    if (found.length === 1) {
      fill.all(found[0]!, rows, 'ignore')
      isPlaced.add(found[0]!)
    } else for (const table of found) isAmbiguous.add(table)
  }
  return { isPlaced, isAmbiguous }
}

export function schemaVersionOf(pages: Pages): number | null {
  const walk = createWalk(pages)
  const root = readSchema(pages, walk).find(({ name }) => name === 'schema_state')?.root
  const version = root === undefined ? undefined : [...walk.rows(root)][0]?.values[1]
  return typeof version === 'number' ? version : null
}

export function rowsOf(pages: Pages, table: string): Set<string> {
  const walk = createWalk(pages)
  const root = rootOf(pages, walk, table)
  return new Set(root === null ? [] : [...walk.rows(root)].map(textOf))
}

export function lastRowOf(pages: Pages, table: string): string | null {
  const row = lastRow(pages, rootOf(pages, createWalk(pages), table) ?? 0)
  return row === null ? null : textOf(row)
}

const textOf = ({ rowid, values }: Row): string => [rowid, ...values].join('\n')

const rootOf = (pages: Pages, walk: Walk, table: string): number | null =>
  readSchema(pages, walk).find(({ type, name }) => type === 'table' && name === table)?.root ?? null

export const countUnreadable = (pages: Pages): number =>
  numbersTo(pages.count).filter((number) => !pages.isReadable(number)).length

/** Runs `work` without triggers and foreign key checks, and then rebuilds the full-text indexes. */
function withoutTriggers<Result>(database: Sqlite, work: () => Result): Result {
  const triggers = database.prepare("select name, sql from sqlite_schema where type = 'trigger' and sql is not null").all() as {
    name: string
    sql: string
  }[]
  database.pragma('foreign_keys=OFF')
  try {
    for (const { name } of triggers) database.exec(`drop trigger ${quoted(name)}`)
    const result = work()
    for (const { sql } of triggers) database.exec(sql)
    const indexed = database.prepare("select name from sqlite_schema where type = 'table' and sql like '%using fts5%'").pluck()
    for (const name of indexed.all() as string[])
      database.exec(`insert into ${quoted(name)} (${quoted(name)}) values ('rebuild')`)
    return result
  } finally {
    database.pragma('foreign_keys=ON')
  }
}

function createFill(into: Sqlite) {
  let [rows, lost_rows] = [0, 0]
  return {
    all(table: Table, found: Iterable<Row>, known: 'replace' | 'ignore'): void {
      const insert = insertInto(into, table, known)
      into.transaction(() => {
        for (const row of found) {
          if (row.isWhole && insert(row)) rows += 1
          else lost_rows += 1
        }
      })()
    },
    counts: () => ({ rows, lost_rows }),
  }
}

function insertInto(into: Sqlite, { name, columns, rowidColumn }: Table, known: 'replace' | 'ignore') {
  const statements = new Map<number, Statement>()
  const statementFor = (count: number): Statement => {
    const names = columns.slice(0, count).map((column) => quoted(column.name))
    const sql = `insert or ${known} into ${quoted(name)} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`
    const statement = statements.get(count) ?? into.prepare(sql)
    statements.set(count, statement)
    return statement
  }
  return ({ rowid, values }: Row): boolean => {
    try {
      const taken = values.slice(0, columns.length).map((value, index) => (index === rowidColumn ? rowid : value))
      return statementFor(taken.length).run(taken).changes > 0
    } catch (error) {
      if (String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT')) return false
      throw error
    }
  }
}

/** Keeps AUTOINCREMENT from reusing the ids of deleted rows. */
function keepSequences(into: Sqlite, rows: readonly Row[]): void {
  for (const { values } of rows) {
    const [name, last] = values
    const { changes } = into.prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?').run(last, name)
    if (changes === 0) into.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, last)
  }
}
