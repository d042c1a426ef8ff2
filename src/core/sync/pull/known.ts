import type { Sqlite } from '#base/sqlite.ts'
import type { MergedKind } from '#core/sync/merge/incoming.ts'
import type { RecordName } from './pulled-kinds.ts'

export interface Known {
  has(record: RecordName): boolean
  /** The version the service is known to hold; null where that is not known. */
  version(record: RecordName): number | null
}

const tables: Readonly<Record<MergedKind, string>> = {
  client: 'clients',
  session: 'sessions',
  consent: 'consents',
  transcript: 'transcripts',
  note: 'notes',
  template: 'templates',
}

/** A form of note is kept without the service's version. */
export const tablesOfVersions = (Object.entries(tables) as [MergedKind, string][]).filter(([kind]) => kind !== 'template')

export function createKnown(db: Sqlite): Known {
  const rows = new Map(Object.entries(tables).map(([kind, table]) => [kind, db.prepare(`select 1 from ${table} where id = ?`)]))
  const versions = new Map(
    tablesOfVersions.map(([kind, table]) => [kind, db.prepare(`select service_version from ${table} where id = ?`).pluck()]),
  )
  return {
    has: ({ kind, id }) => rows.get(kind)?.get(id) !== undefined,
    version: ({ kind, id }) => (versions.get(kind)?.get(id) as number | null | undefined) ?? null,
  }
}
