import type { Sqlite } from '#base/sqlite.ts'

export function jsonRows<Kept extends object>(names: readonly (keyof Kept & string)[]) {
  const converted = (from: object, convert: (value: unknown) => unknown) => {
    const fields = from as Readonly<Record<string, unknown>>
    return Object.fromEntries(names.map((name) => [name, (fields[name] ?? null) === null ? null : convert(fields[name])]))
  }
  return {
    toRow: (record: Kept) => ({ ...record, ...converted(record, JSON.stringify) }),
    fromRow: (row: unknown): Kept | null =>
      row === undefined
        ? null
        : ({ ...(row as Kept), ...converted(row as object, (text) => JSON.parse(text as string)) } as Kept),
  }
}

export function serviceVersions(db: Sqlite, table: 'clients' | 'sessions' | 'transcripts' | 'notes') {
  const read = db.prepare(`select service_version from ${table} where id = ?`).pluck()
  const keep = db.prepare(`update ${table} set service_version = ? where id = ?`)
  return {
    serviceVersion: (id: string) => (read.get(id) as number | null | undefined) ?? null,
    keepServiceVersion: (id: string, version: number): void => void keep.run(version, id),
  }
}
