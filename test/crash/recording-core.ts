/** A profile's recordings without the rest of the core: real files, a real encrypted database, everyone has consented. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Clock, systemClock } from '#base/clock.ts'
import { lineLog, type Log } from '#base/log.ts'
import { migrate } from '#base/migrate.ts'
import { openEncrypted, type Sqlite } from '#base/sqlite.ts'
import type { Emit } from '#contract/bridge/events.ts'
import type { ConsentGate } from '#contract/model/consent.ts'
import type { Recording } from '#contract/model/recording.ts'
import { type AppendPort, type AppendService, createAppendService } from '#core/recordings/append-service.ts'
import { createRecordings, type Recordings } from '#core/recordings/recordings.ts'
import { migrations } from '#core/vault/migrations.ts'
import { vaultKeys, type VaultKeys } from '#core/keys/vault-keys.ts'

export interface RecordingCore extends Recordings {
  readonly append: AppendService
  readonly db: Sqlite
  readonly keys: VaultKeys
  readonly folder: string
  readonly audited: string[]
  readonly finished: Recording[]
  consent: boolean
  /** What the rest of the core says must be deleted now. */
  due: string[]
}

export interface RecordingCoreOptions {
  readonly folder: string
  readonly clock?: Clock
  readonly emit?: Emit
  readonly log?: Log
  /** An append thread that outlived the core before. */
  readonly append?: AppendService
  readonly consent?: boolean
  readonly onFinished?: (recording: Recording) => void
}

export function openRecordingCore(options: RecordingCoreOptions): RecordingCore {
  const { folder, clock = systemClock, emit = () => {}, log = lineLog((line) => process.stderr.write(`${line}\n`)) } = options
  mkdirSync(folder, { recursive: true })
  const keys = vaultKeys(dataKey(folder), 'profile')
  const db = openEncrypted(join(folder, 'vault.db'), keys.derive('vault.db'))
  migrate(db, migrations)
  const append = options.append ?? createAppendService({ clock, log })
  const core = { consent: options.consent ?? true, audited: [] as string[], finished: [] as Recording[], due: [] as string[] }
  const gate = (): ConsentGate => ({ granted: core.consent ? ['record'] : [], missing: [] })
  const recordings = createRecordings({
    db,
    keys,
    clock,
    log,
    folder: join(folder, 'recordings'),
    append: portOf(append),
    emit,
    gate,
    clientName: () => 'A client',
    sessionStart: () => '2026-11-24T14:00:00.000Z',
    therapist: () => 'Kim Osei',
    retention: { due: () => core.due, planOf: () => null },
    onStarted: () => {},
    onFinished(recording) {
      core.finished.push(recording)
      options.onFinished?.(recording)
    },
    listed: () => null,
    audit: ({ action, outcome }) => void core.audited.push(outcome === undefined ? action : `${action}:${outcome}`),
  })
  return Object.assign(core, recordings, { append, db, keys, folder: join(folder, 'recordings') })
}

/** The append service as the core has it across threads: what is thrown arrives later. */
function portOf(append: AppendService): AppendPort {
  return {
    open: async (input) => append.open(input),
    gap: async (input) => append.gap(input),
    attach: async (input) => append.attach(input),
    close: async (recordingId) => append.close(recordingId),
    status: async () => append.status(),
  }
}

function dataKey(folder: string): Buffer {
  const path = join(folder, 'test-key')
  if (!existsSync(path)) writeFileSync(path, randomBytes(32))
  return readFileSync(path)
}
