import type { RecordSort, ServiceOffers } from '#contract/bridge/offers.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { tablesOfVersions } from './known.ts'
import type { PulledKind } from './pulled-kinds.ts'

/** What a person calls them; what an analysis says stands with its session. */
export const sortOf = {
  client: 'clients',
  session: 'sessions',
  consent: 'consents',
  transcript: 'transcripts',
  note: 'notes',
  template: 'templates',
  analysis: null,
} as const satisfies Readonly<Record<PulledKind, RecordSort | null>>

/**
 * Records here that the service had, and did not list any more when it was last asked for all of them: out of reach of
 * whoever asks. While it is compared with after it was put back that may be its loss, which it is told of.
 */
export function unlistedHere(db: Sqlite): ServiceOffers['unlisted'] {
  if (db.prepare('select 1 from pull_service where behind_since is not null').get() !== undefined) return []
  return tablesOfVersions.flatMap(([kind, table]) => {
    const here = `select count(*) from pull_unlisted join ${table} using (id) where kind = ? and is_sure > 0`
    const count = db.prepare(here).pluck().get(kind) as number
    return count === 0 ? [] : [{ sort: sortOf[kind], count }]
  })
}
