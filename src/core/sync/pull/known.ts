import type { Sqlite } from '#base/sqlite.ts'
import type { PulledKind, RecordName } from './pulled-kinds.ts'

type Statement = ReturnType<Sqlite['prepare']>

export interface Known {
  has(record: RecordName): boolean
  /** The version the service is known to hold; null where that is not known. */
  version(record: RecordName): number | null
}

/** Forms of notes and analyses are kept without the service's version, and nothing hangs on them. */
export const tablesOfVersions = [
  ['client', 'clients'],
  ['session', 'sessions'],
  ['consent', 'consents'],
  ['transcript', 'transcripts'],
  ['note', 'notes'],
] as const satisfies readonly (readonly [PulledKind, string])[]

export function createKnown(db: Sqlite): Known {
  const rows = new Map<PulledKind, Statement>(
    tablesOfVersions.map(([kind, table]) => [kind, db.prepare(`select 1 from ${table} where id = ?`)]),
  )
  const versions = new Map<PulledKind, Statement>(
    tablesOfVersions.map(([kind, table]) => [kind, db.prepare(`select service_version from ${table} where id = ?`).pluck()]),
  )
  return {
    has: ({ kind, id }) => rows.get(kind)?.get(id) !== undefined,
    version: ({ kind, id }) => (versions.get(kind)?.get(id) as number | null | undefined) ?? null,
  }
}
