import type { Statement } from 'better-sqlite3'
import type { EncryptedPages } from './encrypted-pages.ts'
import { USABLE_BYTES } from './encrypted-pages.ts'
import type { Sqlite } from './sqlite.ts'
import { type Cell, readRecord, readTreePage, type SqliteValue } from './sqlite-records.ts'

/** What of a damaged database could be read into a new one. */
export interface ReadOut {
  readonly pages: number
  readonly unreadable_pages: number
  /** Rows that were read into the new database. */
  readonly rows: number
  /** Rows that are there in part, or that the new database refuses. */
  readonly lost_rows: number
  /** Tables of which rows may be missing. */
  readonly incomplete: readonly string[]
  /** Columns of each entry, by the name of the index; an index may name rows that no table has left. */
  readonly indexes: ReadonlyMap<string, readonly (readonly SqliteValue[])[]>
}

interface Row {
  readonly rowid: number | bigint | null
  readonly values: readonly SqliteValue[]
  readonly isWhole: boolean
}

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
}

interface Table {
  readonly name: string
  /** In the order in which a row has them. */
  readonly columns: readonly Column[]
  /** The column that is the row's number, which the row itself leaves out; -1: none. */
  readonly rowidColumn: number
  readonly hasRowid: boolean
}

interface Entry {
  readonly type: string
  readonly name: string
  readonly root: number
}

/** These say what a database has; the new one has its own. */
const own = new Set(['schema_state', 'schema_steps'])

/**
 * Reads every row that is left into `into`, an empty database of the same schema. A page that cannot be read fails alone:
 * pages that it led to are found by what their rows look like.
 */
export function readOut(pages: EncryptedPages, into: Sqlite, wantedIndexes: readonly string[] = []): ReadOut {
  return withoutTriggers(into, () => readRows(pages, into, wantedIndexes))
}

function readRows(pages: EncryptedPages, into: Sqlite, wantedIndexes: readonly string[]): ReadOut {
  const walk = createWalk(pages)
  const schema = readSchema(pages, walk)
  const rootOf = new Map(schema.filter(({ type }) => type === 'table').map(({ name, root }) => [name, root]))
  const indexes = new Map<string, (readonly SqliteValue[])[]>(wantedIndexes.map((name) => [name, []]))
  for (const { name, root } of schema.filter(({ type, root }) => type === 'index' && root > 0))
    for (const { values } of walk.rows(root)) indexes.get(name)?.push(values)
  const tables = tablesOf(into)
  const fill = createFill(into)
  const incomplete = tables.filter((table) => {
    const root = rootOf.get(table.name)
    const before = walk.unreadable() + fill.counts().lost_rows
    if (root !== undefined) fill.all(table, walk.rows(root), 'replace')
    return root === undefined || walk.unreadable() + fill.counts().lost_rows > before
  })
  keepSequences(into, [...walk.rows(rootOf.get('sqlite_sequence') ?? 0)])
  // Tables that the new schema does not have lead to pages as well.
  for (const [name, root] of rootOf) if (!tables.some((table) => table.name === name)) for (const _ of walk.rows(root)) continue
  const strays = incomplete.length === 0 ? [] : walk.strays()
  for (const { kind, rows } of strays) {
    const found = incomplete.filter((table) => table.hasRowid === (kind === 'table') && rows.every((row) => fits(table, row)))
    if (found.length === 1) fill.all(found[0]!, rows, 'ignore')
  }
  const names = incomplete.map(({ name }) => name)
  return { pages: pages.count, unreadable_pages: countUnreadable(pages), ...fill.counts(), incomplete: names, indexes }
}

/** The version of the schema that the damaged database has; null where it cannot be read. */
export function schemaVersionOf(pages: EncryptedPages): number | null {
  const walk = createWalk(pages)
  const root = readSchema(pages, walk).find(({ name }) => name === 'schema_state')?.root
  const version = root === undefined ? undefined : [...walk.rows(root)][0]?.values[1]
  return typeof version === 'number' ? version : null
}

function countUnreadable(pages: EncryptedPages): number {
  let count = 0
  for (let number = 1; number <= pages.count; number += 1) if (!pages.isReadable(number)) count += 1
  return count
}

type Walk = ReturnType<typeof createWalk>

function createWalk(pages: EncryptedPages) {
  const visited = new Set<number>()
  let unreadable = 0

  function* cellsOf(number: number, path: ReadonlySet<number>): Generator<Cell> {
    if (number < 1 || number > pages.count || path.has(number)) return
    visited.add(number)
    const page = pages.read(number)
    const tree = page === null ? null : readTreePage(page, number)
    if (tree === null) {
      unreadable += 1
      return
    }
    const below = new Set([...path, number])
    for (const cell of tree.cells) {
      if (cell.child !== null) yield* cellsOf(cell.child, below)
      if (cell.local !== null) yield cell
    }
    if (tree.right !== null) yield* cellsOf(tree.right, below)
  }

  function rowOf({ rowid, local, length, overflow }: Cell): Row | null {
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

  function* rows(root: number): Generator<Row> {
    for (const cell of cellsOf(root, new Set())) {
      const row = rowOf(cell)
      if (row !== null) yield row
    }
  }

  return {
    rows,
    unreadable: () => unreadable,
    /** Leaves that no readable page leads to. */
    strays: () =>
      Array.from({ length: pages.count }, (_, index) => index + 1).flatMap((number) => {
        const page = visited.has(number) ? null : pages.read(number)
        const tree = page === null ? null : readTreePage(page, number)
        if (tree === null || (tree.kind !== 'table' && tree.kind !== 'index')) return []
        const found = tree.cells.map(rowOf).filter((row) => row !== null)
        return found.length === 0 ? [] : [{ kind: tree.kind, rows: found }]
      }),
  }
}

/** Page 1 leads to the schema. Where it cannot be read, pages that hold rows of a schema are looked for. */
function readSchema(pages: EncryptedPages, walk: Walk): Entry[] {
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
    const [type, name, , root] = values
    if (values.length < 4 || !types.has(type!) || typeof name !== 'string' || typeof root !== 'number') continue
    entries.push({ type: type as string, name, root })
  }
  return entries
}

function tablesOf(database: Sqlite): Table[] {
  const list = database.pragma('table_list') as { schema: string; name: string; type: string; wr: number }[]
  return list
    .filter(({ schema, name, type }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_') && !own.has(name))
    .map(({ name, wr }) => {
      const columns = database.pragma(`table_info(${quoted(name)})`) as Column[]
      const keys = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
      if (wr === 1) {
        const rest = columns.filter(({ pk }) => pk === 0)
        return { name, columns: [...keys, ...rest], rowidColumn: -1, hasRowid: false }
      }
      const isAlias = keys.length === 1 && keys[0]!.type.toUpperCase() === 'INTEGER'
      return { name, columns, rowidColumn: isAlias ? columns.indexOf(keys[0]!) : -1, hasRowid: true }
    })
}

const classes: Readonly<Record<string, readonly string[]>> = {
  INTEGER: ['number', 'bigint'],
  REAL: ['number', 'bigint'],
  TEXT: ['string'],
  BLOB: ['object'],
}

/** Whether a row may be of this table; its newest columns may be left out. */
function fits({ columns, rowidColumn }: Table, { values }: Row): boolean {
  if (values.length > columns.length) return false
  return columns.every(({ type, notnull, pk, dflt_value }, index) => {
    if (index === rowidColumn) return values[index] === null
    const isNeeded = notnull === 1 || pk > 0
    const value = values[index]
    if (value === undefined) return !isNeeded || dflt_value !== null
    return value === null ? !isNeeded : (classes[type.toUpperCase()]?.includes(typeof value) ?? true)
  })
}

/** Triggers rest while rows come in: they would change rows, and number changes, a second time. */
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
    /** @param known what happens to a row that is there already: the schema brought it along, or it was read where it belongs */
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

/** False where the database refuses the row. */
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

/** Numbers of removed rows are not given again. */
function keepSequences(into: Sqlite, rows: readonly Row[]): void {
  for (const { values } of rows) {
    const [name, last] = values
    const { changes } = into.prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?').run(last, name)
    if (changes === 0) into.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, last)
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
