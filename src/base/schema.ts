import { quoted } from './table-shape.ts'
import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#contract/errors.ts'
import { openEmpty, type Sqlite } from './sqlite.ts'

interface Column {
  readonly type: string
  readonly notnull: number
  readonly default: string | null
  readonly key: number
}

interface Table {
  readonly sql: string
  readonly columns: ReadonlyMap<string, Column>
}

type Schema = ReturnType<typeof readSchema>

type Steps = readonly { readonly name: string; readonly up: (database: Sqlite) => void }[]

export function stepsFound(database: Sqlite, steps: Steps): { missing: ReadonlySet<string>; isComplete: boolean } {
  const schema = readSchema(database)
  const has = partsOf(schema)
  const missing = [...partsByStep(steps)].filter(([, parts]) => parts.length > 0 && !parts.some((part) => has.has(part)))
  const wanted = schemaOf(steps)
  const isComplete =
    [...wanted.tables].every(([name, { columns }]) => fits(schema.tables.get(name)?.columns, columns)) &&
    [...wanted.others].every(([name, other]) => isDeepStrictEqual(schema.others.get(name), other))
  return { missing: new Set(missing.map(([name]) => name)), isComplete }
}

export function partsByStep(steps: Steps): ReadonlyMap<string, readonly string[]> {
  const empty = openEmpty()
  try {
    const after = steps.map((step) => {
      step.up(empty)
      return { name: step.name, parts: partsOf(readSchema(empty)) }
    })
    const last = after.at(-1)?.parts ?? new Set()
    return new Map(
      after.map(({ name, parts }, index) => {
        const before = after[index - 1]?.parts
        return [name, [...parts].filter((part) => before?.has(part) !== true && last.has(part))]
      }),
    )
  } finally {
    empty.close()
  }
}

/**
 * Changes the schema to what `steps` create. Extra tables, indexes, and optional columns can stay. Must run in a transaction.
 * @throws AppError `database-mismatch` if a table with rows cannot get the columns that `steps` create or has another required
 *   column
 */
export function completeSchema(database: Sqlite, steps: Steps): void {
  const wanted = schemaOf(steps)
  const { tables } = readSchema(database)
  for (const [name, table] of wanted.tables) {
    const found = tables.get(name)
    if (found === undefined) database.exec(table.sql)
    else if (!fits(found.columns, table.columns)) reshape(database, name, found, table)
  }
  const { others } = readSchema(database)
  for (const [name, { type, sql }] of wanted.others) {
    const found = others.get(name)
    if (found?.sql === sql) continue
    if (found !== undefined) database.exec(`drop ${type} ${quoted(name)}`)
    database.exec(sql)
  }
}

function reshape(database: Sqlite, name: string, found: Table, wanted: Table): void {
  if (database.prepare(`select 1 from ${quoted(name)} limit 1`).get() === undefined) {
    database.exec(`drop table ${quoted(name)}; ${wanted.sql}`)
    return
  }
  const missing = [...wanted.columns].filter(([column]) => !found.columns.has(column))
  const extra = [...found.columns].filter(([column]) => !wanted.columns.has(column))
  const isShared = [...wanted.columns].every(([column, shape]) => isSameShape(found.columns.get(column) ?? shape, shape))
  if (!isShared) throw new AppError('database-mismatch')
  const [to, from] = [missing[0], extra[0]]
  if (missing.length === 1 && extra.length === 1 && isSameShape(to?.[1], from?.[1])) {
    database.exec(`alter table ${quoted(name)} rename column ${quoted(from?.[0] ?? '')} to ${quoted(to?.[0] ?? '')}`)
    return
  }
  if (![...missing, ...extra].every(([, shape]) => isOptional(shape))) throw new AppError('database-mismatch')
  for (const [column, shape] of missing)
    database.exec(
      `alter table ${quoted(name)} add column ${quoted(column)} ${shape.type}${shape.notnull === 1 ? ' not null' : ''}${shape.default === null ? '' : ` default ${shape.default}`}`,
    )
}

/** Extra columns are allowed if code that does not know them can still insert rows. */
function fits(found: Table['columns'] | undefined, wanted: Table['columns']): boolean {
  if (found === undefined) return false
  return (
    [...wanted].every(([name, shape]) => isSameShape(found.get(name), shape)) &&
    [...found].every(([name, shape]) => wanted.has(name) || isOptional(shape))
  )
}

const isOptional = (column: Column): boolean => column.key === 0 && (column.notnull === 0 || column.default !== null)
const isSameShape = (one: Column | undefined, other: Column | undefined): boolean => isDeepStrictEqual(one, other)

function schemaOf(steps: Steps): Schema {
  const empty = openEmpty()
  try {
    for (const step of steps) step.up(empty)
    return readSchema(empty)
  } finally {
    empty.close()
  }
}

function partsOf({ tables, others }: Schema): ReadonlySet<string> {
  const columns = [...tables].flatMap(([table, one]) => [...one.columns.keys()].map((column) => `${table}.${column}`))
  const names = [
    ...[...tables.keys()].map((name) => `table ${name}`),
    ...[...others].map(([name, { type }]) => `${type} ${name}`),
  ]
  return new Set([...columns, ...names])
}

function readSchema(database: Sqlite) {
  // Shadow tables are left out, because their virtual table creates them.
  const rows = database
    .prepare(
      `select type, name, sql from sqlite_schema where sql is not null and name not in ('schema_state', 'schema_steps')
        and name not in (select name from pragma_table_list where schema = 'main' and type = 'shadow')`,
    )
    .all() as { type: string; name: string; sql: string }[]
  const columns = database.prepare('select name, type, "notnull", dflt_value, pk from pragma_table_xinfo(?)')
  const columnsOf = (table: string): ReadonlyMap<string, Column> =>
    new Map(
      (columns.all(table) as { name: string; type: string; notnull: number; dflt_value: string | null; pk: number }[]).map(
        (row) => [row.name, { type: row.type, notnull: row.notnull, default: row.dflt_value, key: row.pk }],
      ),
    )
  const tables = rows.filter(({ type }) => type === 'table')
  const others = rows.filter(({ type }) => type !== 'table')
  return {
    tables: new Map(tables.map(({ name, sql }) => [name, { sql, columns: columnsOf(name) }])),
    others: new Map(others.map(({ name, type, sql }) => [name, { type, sql }])),
  }
}
