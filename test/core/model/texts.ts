import type { Sqlite } from '#base/sqlite.ts'

/** A text somewhere in a database, also inside what is kept there as JSON. */
export interface Text {
  /** Table, column, and the names on the way to it. */
  readonly at: string
  readonly text: string
}

export function textsIn(db: Sqlite): Text[] {
  const tables = db.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").pluck()
  return (tables.all() as string[]).flatMap((table) =>
    (db.prepare(`select * from "${table}"`).all() as Record<string, unknown>[]).flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) => [...within(`${table}.${column}`, value)]),
    ),
  )
}

function* within(at: string, value: unknown): Generator<Text> {
  if (typeof value === 'string') {
    const read = jsonIn(value)
    if (read === undefined) yield { at, text: value }
    else yield* within(at, read)
  } else if (Array.isArray(value)) for (const item of value) yield* within(at, item)
  else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
    for (const [name, item] of Object.entries(value)) yield* within(`${at}.${name}`, item)
}

function jsonIn(text: string): object | undefined {
  if (!/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as object
  } catch {
    return undefined
  }
}
