import { join } from 'node:path'
import { type Clock, systemClock } from '#base/clock.ts'
import { type Log, silentLog } from '#base/log.ts'
import { migrate } from '#base/migrate.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { createAudit } from '#core/audit/audit.ts'
import { createRepositories, type Repositories } from '#core/records/repositories.ts'
import type { Incoming, IncomingRecord } from '#core/sync/merge/common.ts'
import { createMerge } from '#core/sync/merge/merge.ts'
import { createOutbox, type Outbox } from '#core/outbox/outbox.ts'
import { createParseArrival, createTakeInsights } from '#core/sync/pull/intake.ts'
import { createPull, type Pull } from '#core/sync/pull/pull.ts'
import { createRollback } from '#core/sync/pull/rollback.ts'
import { migrations } from '#core/vault/migrations.ts'

export interface Laptop {
  readonly db: Sqlite
  readonly pull: Pull
  readonly outbox: Outbox
  readonly records: Repositories
  /** Everything that was taken, in its order. */
  readonly taken: IncomingRecord[]
  /** Pulls until this holds. */
  until(holds: () => boolean): Promise<void>
  count(table: string): number
  pause(isPaused: boolean): void
  stop(): Promise<void>
}

export interface LaptopOptions {
  readonly address: string
  readonly client: ServiceClient
  readonly folder: string
  readonly key: Uint8Array
  readonly clock?: Clock
  readonly log?: Log
  readonly offers?: () => Promise<{ has: (capability: string) => boolean; is_plain: boolean }>
  /** Instead of merging what comes. */
  readonly take?: Incoming['take']
}

export const everything = async () => ({ has: () => true, is_plain: false })

/** A vault of its own with what merges into it, and the pull; nothing is sent from here. */
export function openLaptop(options: LaptopOptions): Laptop {
  const { client, address, clock = systemClock, log = silentLog } = options
  const db = openEncrypted(join(options.folder, 'vault.db'), options.key)
  migrate(db, migrations)
  const taken: IncomingRecord[] = []
  const repositories = createRepositories(db)
  const outbox = createOutbox(db, clock)
  const audit = createAudit(db, clock)
  const merge = createMerge({
    ...repositories,
    db,
    outbox,
    audit,
    clock,
    log,
    emit: () => {},
    isRemote: () => true,
    takeBackWork: () => {},
    stopUnconsented: async () => {},
  })
  let isPaused = false
  const pull = createPull({
    db,
    clock,
    log,
    emit: () => {},
    insights: createTakeInsights({ ...repositories, db, audit }),
    incoming: {
      take(incoming) {
        ;(options.take ?? merge.take)(incoming)
        taken.push(incoming)
      },
    },
    client: () => client,
    offers: options.offers ?? everything,
    address: () => address,
    isPaused: () => isPaused,
    onReading: () => {},
    onCaughtUp: () => {},
    parse: createParseArrival(merge.parts.common),
    isPiece: () => false,
    putBack: createRollback({ ...repositories, db, outbox, common: merge.parts.common, incoming: merge }),
    // As in time, with hardly any between.
    wait: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const timer = ms === null ? undefined : setTimeout(resolve, Math.min(ms, 20))
        signal.addEventListener('abort', () => {
          clearTimeout(timer)
          resolve()
        })
      }),
  })
  const stop = async (): Promise<void> => {
    await pull.stop()
    if (db.open) db.close()
  }
  return {
    db,
    pull,
    outbox,
    records: repositories,
    taken,
    stop,
    pause(paused) {
      isPaused = paused
      pull.wake()
    },
    count: (table) => db.prepare(`select count(*) from ${table}`).pluck().get() as number,
    async until(holds) {
      pull.start()
      const deadline = performance.now() + 20_000
      while (!holds()) {
        if (performance.now() > deadline) throw new Error('waited 20 s in vain')
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
  }
}

export const clientAt = (address: string, token: string): ServiceClient =>
  createServiceClient({ base_url: address, token, fetch })
