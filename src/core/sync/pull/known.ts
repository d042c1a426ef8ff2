import type { ServiceOffers } from '#contract/bridge/offers.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { type PulledKind, type RecordName, recordKinds, versionedKinds } from '#core/sync/record-kinds.ts'

type Statement = ReturnType<Sqlite['prepare']>

export interface Known {
  has(record: RecordName): boolean
  version(record: RecordName): number | null
}

export function createKnown(db: Sqlite): Known {
  const rows = new Map<PulledKind, Statement>(
    versionedKinds.map(([kind, table]) => [kind, db.prepare(`select 1 from ${table} where id = ?`)]),
  )
  const versions = new Map<PulledKind, Statement>(
    versionedKinds.map(([kind, table]) => [kind, db.prepare(`select service_version from ${table} where id = ?`).pluck()]),
  )
  return {
    has: ({ kind, id }) => rows.get(kind)?.get(id) !== undefined,
    version: ({ kind, id }) => (versions.get(kind)?.get(id) as number | null | undefined) ?? null,
  }
}

/**
 * Counts records that the last complete list lacked, so they are not accessible. During a rollback they may be lost, so
 * none is reported.
 */
export function unlistedHere(db: Sqlite): ServiceOffers['unlisted'] {
  if (db.prepare('select 1 from pull_service where behind_since is not null').get() !== undefined) return []
  return versionedKinds.flatMap(([kind, table]) => {
    const here = `select count(*) from pull_unlisted join ${table} using (id) where kind = ? and is_sure > 0`
    const count = db.prepare(here).pluck().get(kind) as number
    return count === 0 ? [] : [{ sort: recordKinds[kind].sort, count }]
  })
}
