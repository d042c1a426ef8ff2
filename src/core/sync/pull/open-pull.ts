import type { Emit } from '#contract/bridge/events.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { Audit } from '#core/audit/audit.ts'
import type { Repositories } from '#core/records/repositories.ts'
import type { Offering } from '#core/sync/capabilities/open-offers.ts'
import type { Merge } from '#core/sync/merge/merge.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import { createParseArrival } from './parse-arrival.ts'
import { createPull, type Pull } from './pull.ts'
import { createRollback } from './rollback.ts'
import { createTakeInsights } from './take-insights.ts'

interface Parts extends Repositories {
  readonly db: Sqlite
  readonly outbox: Outbox
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
  readonly emit: Emit
  readonly settings: () => Settings
  readonly offers: Offering
  readonly merge: Merge
  readonly isPaused: () => boolean
  readonly isPiece: (transcriptId: string) => boolean
  readonly onCaughtUp: () => void
  readonly wait?: SyncPorts['wait'] | undefined
  readonly random?: SyncPorts['random'] | undefined
}

export function openPull(parts: Parts): Pull {
  const { merge, offers, settings } = parts
  return createPull({
    ...parts,
    incoming: merge,
    insights: createTakeInsights(parts),
    parse: createParseArrival(merge.parts.common),
    putBack: createRollback({ ...parts, common: merge.parts.common, incoming: merge }),
    client: () => offers.client(),
    offers: (signal) => offers.capabilities.now(signal),
    address: () => settings().service_address,
  })
}
