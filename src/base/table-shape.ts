import type { Sqlite } from './sqlite.ts'
import type { SqliteValue } from './sqlite-records.ts'

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** Index of the column that is an alias of the rowid and is null in stored rows; -1 if there is none. */
  readonly rowidColumn: number
  readonly hasRowid: boolean
}

const own = new Set(['schema_state', 'schema_steps'])

export function tablesOf(database: Sqlite): Table[] {
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

export function fits({ columns, rowidColumn }: Table, values: readonly SqliteValue[]): boolean {
  if (values.length > columns.length) return false
  return columns.every(({ type, notnull, pk, dflt_value }, index) => {
    if (index === rowidColumn) return values[index] === null
    const isNeeded = notnull === 1 || pk > 0
    const value = values[index]
    if (value === undefined) return !isNeeded || dflt_value !== null
    return value === null ? !isNeeded : (classes[type.toUpperCase()]?.includes(typeof value) ?? true)
  })
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
