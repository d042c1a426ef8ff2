import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '#base/clock.ts'
import { type Log, silentLog } from '#base/log.ts'
import { migrate } from '#base/migrate.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import { createServiceClient, type ServiceClient } from '#client/client.ts'
import { createRepositories } from '#core/records/repositories.ts'
import type { Incoming, IncomingRecord } from '#core/sync/merge/incoming.ts'
import { createPull, type Pull } from '#core/sync/pull/pull.ts'
import { migrations } from '#core/vault/migrations.ts'

export interface Laptop {
  readonly db: Sqlite
  readonly pull: Pull
  /** Everything that was taken, in its order. */
  readonly taken: IncomingRecord[]
  /** Pulls until this holds. */
  until(holds: () => boolean): Promise<void>
  count(table: string): number
  stop(): Promise<void>
}

interface Options {
  readonly address: string
  readonly client: ServiceClient
  readonly folder?: string
  readonly key?: Uint8Array
  readonly clock?: Clock
  readonly log?: Log
  readonly offers?: () => Promise<{ has: (capability: string) => boolean; is_plain: boolean }>
  /** Instead of storing what comes. */
  readonly take?: Incoming['take']
}

export const everything = async () => ({ has: () => true, is_plain: false })

/** A vault of its own and the pull, with nothing that merges: what comes is what stands here. */
export function laptop(options: Options): Laptop {
  const { client, address, clock = systemClock, log = silentLog } = options
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'afterword-pull-'))
  const db = openEncrypted(join(folder, 'vault.db'), options.key ?? randomBytes(32))
  migrate(db, migrations)
  const taken: IncomingRecord[] = []
  const store = plainIncoming(db)
  const pull = createPull({
    db,
    clock,
    log,
    emit: () => {},
    incoming: {
      take(incoming) {
        ;(options.take ?? store.take)(incoming)
        taken.push(incoming)
      },
    },
    client: () => client,
    offers: options.offers ?? everything,
    address: () => address,
    tellAgain: () => {},
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
  onTestFinished(async () => {
    await stop()
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
  })
  return {
    db,
    pull,
    taken,
    stop,
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

function plainIncoming(db: Sqlite): Incoming {
  const { clients, sessions, consents, transcripts, notes, templates } = createRepositories(db)
  const has = (table: string, id: string): boolean => db.prepare(`select 1 from ${table} where id = ?`).get(id) !== undefined
  return {
    take(incoming) {
      if ('gone' in incoming) return void db.prepare(`delete from ${incoming.kind}s where id = ?`).run(incoming.gone)
      const { kind, record } = incoming
      const isHere = has(`${kind}s`, record.id)
      if (kind === 'client') {
        ;(isHere ? clients.update : clients.insert)(record)
        clients.keepServiceVersion(record.id, record.version)
      } else if (kind === 'session') {
        ;(isHere ? sessions.update : sessions.insert)(record)
        sessions.keepServiceVersion(record.id, record.version)
      } else if (kind === 'consent') {
        if (!isHere) consents.insert(record)
        else if (record.revoked_at !== null) consents.revoke(record.id, record.revoked_at)
        consents.keepServiceVersion(record.id, record.version)
      } else if (kind === 'transcript') {
        const session_id = record.session_id!
        transcripts.put({ ...record, session_id }, sessions.find(session_id)!.starts_at, record.version)
      } else if (kind === 'note') {
        notes.replace({ ...record, session_id: record.session_id!, client_id: record.client_id! }, record.version)
      } else templates.put(record)
    },
  }
}
