import { setTimeout as wait } from 'node:timers/promises'
import type { Emit } from '#contract/bridge/events.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import type { recordingMethods } from '#contract/bridge/recordings.ts'
import type { ConsentGate } from '#contract/model/consent.ts'
import type { Gap, Recording } from '#contract/model/recording.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { errorKind, type Log } from '#base/log.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { AuditEntry } from '#core/audit/audit.ts'
import type { VaultKeys } from '#core/keys/vault-keys.ts'
import type { AppendPort } from './append-service.ts'
import { captureHandlers } from './capture-handlers.ts'
import { endingHandlers, stopSession } from './ending-handlers.ts'
import { libraryHandlers } from './library-handlers.ts'
import { reconcile } from './reconcile.ts'
import { createRecordingAudio, type PieceReader, type RecordingAudio, type RecordingReader } from './recording-audio.ts'
import { recordingFiles, type RecordingFiles } from './recording-files.ts'
import {
  currentGaps,
  damageIn,
  recordingRepository,
  type RecordingRepository,
  type RecordingRow,
  unreadableMs,
} from './recording-repository.ts'
import { refresh, stopUnconsented, writable } from './refresh.ts'

const WATCH_MS = 1000

export interface RecordingsPorts {
  readonly db: Sqlite
  readonly keys: VaultKeys
  readonly clock: Clock
  readonly log: Log
  readonly folder: string
  readonly append: AppendPort
  readonly emit: Emit
  /** @throws AppError `not-found` */
  gate(sessionId: string): ConsentGate
  clientName(sessionId: string): string
  sessionStart(sessionId: string): string
  /** Called in the transaction that stores the recording. */
  onStarted(recording: Recording): void
  onFinished(recording: Recording, wasCutOff: boolean): void
  audit(entry: AuditEntry): void
}

export type RecordingMethodName = Exclude<keyof typeof recordingMethods, 'recordings.append'>
export type RecordingHandlers = Handlers<RecordingMethodName>

export interface RecordingContext extends RecordingsPorts {
  readonly repository: RecordingRepository
  readonly files: RecordingFiles
  readonly audio: RecordingReader
  readonly now: () => string
  /** Runs calls one at a time: two presses of Stop, or a reload during Pause, must not interleave. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
  changed(recording: Recording): Recording
}

export interface Recordings {
  readonly handlers: RecordingHandlers
  readonly audio: RecordingAudio & PieceReader
  readonly verification: Verification
  /** Stops a session's recording at once, for example when consent is revoked. Sound that was saved is not deleted. */
  stopSession(sessionId: string): Promise<void>
  writableSessions(): Promise<string[]>
  readonly ready: Promise<void>
}

export function createRecordings(ports: RecordingsPorts): Recordings {
  const context = createRecordingContext(ports)
  const ready = context.inTurn(async () => {
    const open = new Set((await ports.append.status()).map(({ recording_id }) => recording_id))
    reconcile(context, (recordingId) => open.has(recordingId))
    await stopUnconsented(context)
    await refresh(context)
  })
  ready.catch(() => {}) // Prevents an unhandled rejection; callers that wait for `ready` still get the error.
  watch(context)
  return {
    handlers: { ...captureHandlers(context), ...endingHandlers(context), ...libraryHandlers(context) },
    audio: context.audio,
    verification: createVerification(context),
    stopSession: (sessionId) => stopSession(context, sessionId),
    writableSessions: () => context.inTurn(async () => (await writable(context)).map((row) => row.session_id)),
    ready,
  }
}

function watch(context: RecordingContext): void {
  const timer = setInterval(() => {
    if (!context.db.open) clearInterval(timer)
    else if (context.repository.active() !== null) void context.inTurn(() => refresh(context)).catch(() => {}) // Retried every second.
  }, WATCH_MS)
  timer.unref()
}

function createRecordingContext(ports: RecordingsPorts): RecordingContext {
  const repository = recordingRepository(ports.db)
  const files = recordingFiles(ports.folder)
  let last: Promise<unknown> = Promise.resolve()
  const context: RecordingContext = {
    ...ports,
    gate: (sessionId) => ports.gate(sessionId),
    repository,
    files,
    audio: createRecordingAudio({
      repository,
      files,
      keys: ports.keys,
      onChecked: (row, damage) => onChecked(context, row, damage),
    }),
    now: () => timestamp(ports.clock),
    inTurn(work) {
      const result = last.then(work, work)
      last = result.catch(() => {})
      return result
    },
    changed(recording) {
      ports.emit('recording.changed', recording)
      ports.emit('records.changed', { kinds: ['recordings'] })
      return recording
    },
  }
  return context
}

/** Pause between slices of a few milliseconds; an hour of sound takes a few seconds. */
const REST_MS = 20
const WHILE_RECORDING_MS = 2000
const PASS_EVERY_MS = 86_400_000
const CHECK_AGAIN_MS = 7 * 86_400_000

interface Verification {
  start(): void
  stop(): Promise<void>
  /**
   * Checks presence, size, and time of the last change of every finished recording's file. Then fully authenticates
   * those that differ, were damaged at the last check, or were not read for a week.
   */
  pass(): Promise<void>
}

function createVerification(context: RecordingContext): Verification {
  const { repository, audio, log } = context
  const closing = new AbortController()
  const sleep = (ms: number): Promise<void> => wait(ms, undefined, { ref: false, signal: closing.signal })
  let running = Promise.resolve()

  async function rest(): Promise<void> {
    await sleep(REST_MS)
    while (repository.active() !== null) await sleep(WHILE_RECORDING_MS)
  }

  async function pass(): Promise<void> {
    const { suspects, others } = due(context)
    for (const row of suspects) await check(row)
    for (const row of others) {
      await rest()
      await check(row)
    }
  }

  async function check(row: RecordingRow): Promise<void> {
    try {
      await audio.check(row, rest)
    } catch (error) {
      if (closing.signal.aborted) throw error
      log.error('recording-not-checked', { recording_id: row.id, reason: errorKind(error) })
    }
  }

  async function passes(): Promise<void> {
    try {
      for (;;) {
        await pass()
        await sleep(PASS_EVERY_MS)
      }
    } catch (error) {
      if (!closing.signal.aborted) log.error('recordings-not-checked', { reason: errorKind(error) })
    }
  }

  return {
    pass,
    start: () => void (running = passes()),
    async stop() {
      closing.abort()
      await running
    },
  }
}

function due({ repository, files, clock }: RecordingContext): Record<'suspects' | 'others', RecordingRow[]> {
  const suspects: RecordingRow[] = []
  const others: RecordingRow[] = []
  for (const row of repository.finished()) {
    const checked = row.checked_at === null ? 0 : Date.parse(row.checked_at)
    const file = files.facts(row.id)
    const isKnown = unreadableMs(currentGaps(row)) > 0
    if (isKnown || file?.size !== row.bytes || (checked > 0 && file.changed_ms > checked)) suspects.push(row)
    else if (checked + CHECK_AGAIN_MS < clock.now()) others.push(row)
  }
  return { suspects, others }
}

function onChecked(context: RecordingContext, { id }: RecordingRow, damage: readonly Gap[]): void {
  const row = context.db.open ? context.repository.find(id) : null
  if (row?.state !== 'finished') return
  const known = damageIn(currentGaps(row))
  const unreadable = JSON.stringify(damage)
  const lost = unreadableMs(damage)
  const after = context.repository.update(id, {
    unreadable,
    checked_at: context.now(),
    dismissed_ms: Math.min(row.dismissed_ms, lost),
  })
  if (unreadable === JSON.stringify(known)) return
  if (lost > unreadableMs(known)) context.audit({ action: 'recording.damaged', subject_id: id })
  context.changed(context.repository.asRecord(after))
}
