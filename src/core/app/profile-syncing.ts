import { type Comparison, openComparison } from '#core/recovery/compare-stores.ts'
import type { Inventory } from '#core/recovery/inventory.ts'
import type { ServiceClient } from '#client/client.ts'
import { knownClinicians } from '#core/outbox/sending.ts'
import type { Recordings } from '#core/recordings/recordings.ts'
import type { Offering } from '#core/sync/capabilities/open-offers.ts'
import { createMerge, type Merge } from '#core/sync/merge/merge.ts'
import { createHeardPieces } from '#core/sync/plain/transcribe-in-pieces.ts'
import { plainWorkSenders } from '#core/sync/plain/work-senders.ts'
import { openPull, type Pull } from '#core/sync/pull/pull.ts'
import { documentSenders } from '#core/sync/send-documents.ts'
import { recordSenders } from '#core/sync/send-records.ts'
import { workSenders } from '#core/sync/send-work.ts'
import { createResults } from '#core/sync/store-results.ts'
import { createSync, type Sync } from '#core/sync/sync.ts'
import { createUploadGate } from '#core/sync/upload-gate.ts'
import type { CorePorts } from './core-ports.ts'
import type { Records } from './profile-records.ts'

interface Parts extends Pick<Parameters<typeof createMerge>[0], 'takeBackWork' | 'stopUnconsented'> {
  readonly offers: Offering
  readonly audio: Recordings['audio']
  readonly embedded: () => ServiceClient
  readonly inventory: Pick<Inventory, 'compared' | 'lostNames'>
}

export interface Syncing {
  readonly merge: Merge
  readonly sync: Sync
  readonly pull: Pull
  readonly comparison: Comparison
}

export function openSyncing(
  ports: CorePorts,
  records: Records,
  { offers, audio, embedded, inventory, ...guards }: Parts,
): Syncing {
  const isRemote = (): boolean => records.settings().service_address !== null
  const merge = createMerge({ ...records, ...guards, isRemote })
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
  const sync: Sync = createSync({
    ...records,
    results,
    senders: offers.senders(
      {
        ...recordSenders({ ...records, merge, bookingRefused: merge.bookingRefused, withKnownClinician: knownClinicians() }),
        ...documentSenders({ ...records, merge }),
        ...workSenders(working),
      },
      plainWorkSenders(working),
    ),
    client: () => offers.client(),
    isRemote,
    onPause: () => pull.wake(),
    ...(ports.wait === undefined ? {} : { wait: ports.wait }),
    ...(ports.random === undefined ? {} : { random: ports.random }),
  })
  const isPaused = (): boolean => sync.isPaused()
  const pull = openPull({
    ...records,
    offers,
    merge,
    isPiece,
    isPaused,
    onCaughtUp: inventory.compared,
    wait: ports.wait,
    random: ports.random,
  })
  const isUsed = (): boolean => !isRemote()
  const { wait } = ports
  const givingBack = { onCompared: inventory.compared, lostNames: inventory.lostNames }
  const comparison = openComparison({ ...records, merge, isPiece, embedded, isUsed, isPaused, ...givingBack, wait })
  return { merge, sync, pull, comparison }
}
