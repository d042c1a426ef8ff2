import type { Emit } from '#contract/bridge/events.ts'
import type { AudioPlan, recordingMethods } from '#contract/bridge/recordings.ts'
import type { ConsentGate } from '#contract/model/consent.ts'
import type { Recording } from '#contract/model/recording.ts'
import { serial } from '#base/control.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { AuditEntry } from '#core/audit/audit.ts'
import type { VaultKeys } from '#core/keys/vault-keys.ts'
import { addRecording, type FinishedSound } from './add-recording.ts'
import type { AppendPort } from './append-service.ts'
import { captureHandlers } from './capture-handlers.ts'
import { deleteDue, endingHandlers, stopSession } from './ending-handlers.ts'
import { libraryHandlers } from './library-handlers.ts'
import { reconcile } from './reconcile.ts'
import { createRecordingAudio, type RecordingReader } from './recording-audio.ts'
import { recordingFiles, type RecordingFiles } from './recording-files.ts'
import { type ListedRecording, recordingRepository, type RecordingRepository, type RecordingRow } from './recording-repository.ts'
import { refresh, stopUnconsented, writable } from './refresh.ts'
import { createVerification, onChecked } from './verification.ts'

const WATCH_MS = 1000

export interface RecordingsPorts {
  readonly db: Sqlite
  readonly keys: VaultKeys
  readonly clock: Clock
  readonly log: Log
  readonly folder: string
  readonly append: AppendPort
  readonly emit: Emit
  gate(sessionId: string): ConsentGate
  clientName(sessionId: string): string
  sessionStart(sessionId: string): string
  therapist(): string
  readonly retention: { due(): readonly string[]; planOf(sessionId: string): AudioPlan | null }
  /** Details of a recording that the vault lost, or null if they are unknown. */
  listed(recordingId: string): ListedRecording | null
  onStarted(recording: Recording): void
  onFinished(recording: Recording, wasCutOff: boolean): void
  audit(entry: AuditEntry): void
}

export type RecordingMethodName = Exclude<keyof typeof recordingMethods, 'recordings.append'>

export interface RecordingContext extends RecordingsPorts {
  readonly repository: RecordingRepository
  readonly files: RecordingFiles
  readonly audio: RecordingReader
  readonly ended: Set<string>
  readonly now: () => string
  /** Runs one operation at a time, so that two presses of Stop, or a reload during Pause, do not interleave. */
  readonly inTurn: ReturnType<typeof serial>
  changed(row: RecordingRow): Recording
}

export type Recordings = ReturnType<typeof createRecordings>

export function createRecordings(ports: RecordingsPorts) {
  const context = createRecordingContext(ports)
  const ready = context.inTurn(async () => {
    const open = new Set((await ports.append.status()).map(({ recording_id }) => recording_id))
    reconcile(context, (recordingId) => open.has(recordingId))
    for (const { id, finished_at } of context.repository.unfinished()) if (finished_at !== null) context.ended.add(id)
    await stopUnconsented(context)
    await refresh(context)
  })
  ready.catch(() => {}) // Callers that wait for `ready` still get the error.
  watch(context)
  return {
    handlers: { ...captureHandlers(context), ...endingHandlers(context), ...libraryHandlers(context) },
    audio: context.audio,
    add: (sound: FinishedSound) => context.inTurn(() => addRecording(context, sound)),
    /** Deletes the recording without keeping that it existed. The caller deletes its row. */
    remove(recordingId: string): void {
      context.audio.forget(recordingId)
      context.files.shred(recordingId)
    },
    verification: createVerification(context),
    deleteDue: () => context.inTurn(() => deleteDue(context)),
    stopSession: (sessionId: string) => stopSession(context, sessionId),
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
  const context: RecordingContext = {
    ...ports,
    gate: (sessionId) => ports.gate(sessionId),
    repository,
    files,
    audio: createRecordingAudio({ ...ports, repository, files, onChecked: (row, damage) => onChecked(context, row, damage) }),
    ended: new Set(),
    now: () => timestamp(ports.clock),
    inTurn: serial(),
    changed(row) {
      const recording = repository.asRecord(row)
      ports.emit('recording.changed', recording)
      ports.emit('records.changed', { kinds: ['recordings'] })
      return recording
    },
  }
  return context
}
