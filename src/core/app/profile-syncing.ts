import { openComparison } from '#core/recovery/compare-stores.ts'
import type { Inventory } from '#core/recovery/inventory.ts'
import type { ServiceClient } from '#client/client.ts'
import { knownClinicians } from '#core/outbox/sending.ts'
import type { Recordings } from '#core/recordings/recordings.ts'
import type { Offering } from '#core/sync/capabilities/open-offers.ts'
import { createMerge } from '#core/sync/merge/merge.ts'
import { createHeardPieces } from '#core/sync/plain/transcribe-in-pieces.ts'
import { plainWorkSenders } from '#core/sync/plain/work-senders.ts'
import { createParseArrival, createTakeInsights } from '#core/sync/pull/intake.ts'
import { createPull, type Pull } from '#core/sync/pull/pull.ts'
import { createRollback } from '#core/sync/pull/rollback.ts'
import { documentSenders } from '#core/sync/send-documents.ts'
import { recordSenders } from '#core/sync/send-records.ts'
import { workSenders } from '#core/sync/send-work.ts'
import { createResults } from '#core/sync/store-results.ts'
import { createSync, type Senders, type Sync } from '#core/sync/sync.ts'
import { createUploadGate } from '#core/sync/send-audio.ts'
import type { CorePorts } from './open-core.ts'
import type { Records } from './profile-records.ts'

interface Parts extends Pick<Parameters<typeof createMerge>[0], 'takeBackWork' | 'stopUnconsented'> {
  readonly offers: Offering
  readonly audio: Recordings['audio']
  readonly embedded: () => ServiceClient
  readonly inventory: Pick<Inventory, 'compared' | 'lostNames'>
}

export type Syncing = ReturnType<typeof openSyncing>

export function openSyncing(ports: CorePorts, records: Records, { offers, audio, embedded, inventory, ...guards }: Parts) {
  const { wait, random } = ports
  const merge = createMerge({ ...records, ...guards })
  const { isPiece } = createHeardPieces(records.db)
  const results = createResults({ ...records, isPiece })
  const working = {
    ...records,
    ...offers,
    merge,
    audio,
    uploads: createUploadGate(records),
    results,
    language: () => records.settings().language,
    reduceNoise: () => records.settings().reduce_noise,
  }
  const senders: Senders = {
    ...recordSenders({ ...records, merge, bookingRefused: merge.bookingRefused, withKnownClinician: knownClinicians() }),
    ...documentSenders({ ...records, ...offers, merge }),
    ...workSenders(working),
  }
  const sync: Sync = createSync({
    ...records,
    results,
    embedded: { client: embedded, senders },
    remote: { client: offers.client, senders: offers.remoteSenders(senders, plainWorkSenders(working), merge) },
    onPause: () => pull.wake(),
    wait,
    random,
  })
  const { isPaused } = sync
  const pull: Pull = createPull({
    ...records,
    incoming: merge,
    insights: createTakeInsights(records),
    parse: createParseArrival(merge.parts.common),
    putBack: createRollback({ ...records, common: merge.parts.common, incoming: merge }),
    client: offers.client,
    offers: offers.capabilities.now,
    address: () => records.settings().service_address,
    isPiece,
    isPaused,
    onReading: records.retention.reading,
    onCaughtUp: inventory.compared,
    wait,
    random,
  })
  const comparison = openComparison({
    ...records,
    merge,
    isPiece,
    embedded,
    isUsed: () => !records.isRemote(),
    isPaused,
    onReading: records.retention.reading,
    onCompared: inventory.compared,
    lostNames: inventory.lostNames,
    wait,
  })
  return { merge, sync, pull, comparison }
}
