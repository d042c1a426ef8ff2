import { newKey } from '#base/aead.ts'
import { newId } from '#base/ids.ts'
import type { Handlers, MethodRequest } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { Recording } from '#contract/model/recording.ts'
import type { AppendState } from './append-service.ts'
import { columnsOf, live, mayBeTakenOver, refresh, stateOf } from './refresh.ts'
import { freeBytes, newHeader, RESERVED_BYTES, unlockRecording } from './recording-files.ts'
import type { RecordingRow } from './recording-repository.ts'
import type { RecordingContext } from './recordings.ts'
import { emptyRow } from './reconcile.ts'

type CaptureName = 'recordings.start' | 'recordings.attach' | 'recordings.pause' | 'recordings.resume'

export const captureHandlers = (context: RecordingContext): Handlers<CaptureName> => ({
  'recordings.start': (input) => context.inTurn(() => start(context, input)),
  'recordings.attach': (input) => context.inTurn(() => attach(context, input)),
  'recordings.pause': ({ recording_id }) => context.inTurn(() => turn(context, recording_id, 'paused')),
  'recordings.resume': ({ recording_id }) => context.inTurn(() => turn(context, recording_id, 'recording')),
})

function requireConsent(context: RecordingContext, sessionId: string, recordingId: string): void {
  if (context.gate(sessionId).granted.includes('record')) return
  context.audit({ action: 'recording.refused', subject_id: recordingId, outcome: 'consent-missing' })
  throw new AppError('consent-missing')
}

async function start(context: RecordingContext, input: MethodRequest<'recordings.start'>) {
  requireConsent(context, input.session_id, input.session_id)
  await refresh(context)
  if (context.repository.active() !== null) throw new AppError('recording-active')
  const earlier = context.repository.ofSession(input.session_id)
  if (earlier !== null && earlier.state !== 'erased') throw new AppError('already-exists')
  if ((await freeBytes(context.folder)) < RESERVED_BYTES) throw new AppError('disk-full')
  const recordingId = newId(context.clock)
  const { header, state } = await createFile(context, recordingId, input)
  const row: RecordingRow = {
    ...emptyRow,
    id: recordingId,
    session_id: input.session_id,
    state: 'recording',
    window_id: input.window_id,
    device_label: input.device_label,
    header,
    started_at: context.now(),
    ...columnsOf(state),
  }
  try {
    context.db
      .transaction(() => {
        context.repository.insert(row)
        context.audit({ action: 'recording.started', subject_id: recordingId })
        context.onStarted(context.repository.asRecord(row))
      })
      .immediate()
  } catch (error) {
    await context.append.close(recordingId)
    context.files.shred(recordingId)
    throw error
  }
  context.changed(row)
  return { recording_id: recordingId, next_sequence: state.next_sequence, saved_ms: state.saved_ms }
}

/**
 * The file is created before its database row. After a crash in between, `reconcile` adds the row, or deletes the file if it
 * has no sound.
 */
async function createFile(context: RecordingContext, recordingId: string, input: MethodRequest<'recordings.start'>) {
  const key = newKey()
  try {
    const header = newHeader(context.keys, key, {
      recording_id: recordingId,
      session_id: input.session_id,
      created_ms: context.clock.now(),
      format: input.format,
    })
    context.files.create(recordingId, header)
    const path = context.files.path(recordingId)
    const { window_id } = input
    const state = await context.append.open({ recording_id: recordingId, path, key: Uint8Array.from(key), window_id })
    return { header, state }
  } finally {
    key.fill(0)
  }
}

async function attach(context: RecordingContext, input: MethodRequest<'recordings.attach'>) {
  const row = unfinished(context, input.recording_id)
  const running = context.repository.active()
  if (running !== null && running.id !== row.id) throw new AppError('recording-active')
  requireConsent(context, row.session_id, row.id)
  const before = (await stateOf(context, row.id)) ?? (await openAgain(context, row))
  if (!mayBeTakenOver(row, before, input.window_id)) throw new AppError('recording-active')
  const state = await context.append.attach({ recording_id: row.id, window_id: input.window_id, gap: input.gap })
  const isPaused = input.gap === null && (row.state === 'paused' || (row.state === 'interrupted' && row.was_paused === 1))
  const after = context.repository.update(row.id, {
    ...columnsOf(state),
    state: isPaused ? 'paused' : 'recording',
    window_id: input.window_id,
    device_label: input.device_label,
    interrupted_at: null,
    finished_at: null,
  })
  if (row.state !== after.state || input.gap !== null) context.changed(after)
  return { next_sequence: state.next_sequence, saved_ms: state.saved_ms }
}

async function openAgain(context: RecordingContext, row: RecordingRow): Promise<AppendState> {
  if (!context.files.has(row.id) && row.header !== null) context.files.create(row.id, row.header)
  return openFile(context, row)
}

export async function openFile(context: RecordingContext, row: RecordingRow): Promise<AppendState> {
  if (!context.files.has(row.id)) throw new AppError('recording-damaged')
  const { key } = unlockRecording(context.files, context.keys, row)
  try {
    const { id, window_id, saved_ms, interrupted_at } = row
    const path = context.files.path(id)
    const lastWrite = interrupted_at === null ? {} : { last_write_at: Date.parse(interrupted_at) }
    return await context.append.open({ recording_id: id, path, key: Uint8Array.from(key), window_id, saved_ms, ...lastWrite })
  } finally {
    key.fill(0)
  }
}

async function turn(context: RecordingContext, recordingId: string, state: 'paused' | 'recording'): Promise<Recording> {
  const row = unfinished(context, recordingId)
  if (row.state === state) return live(context, row)
  if ((await stateOf(context, recordingId)) === null) throw new AppError('recording-not-open')
  if (state === 'recording') requireConsent(context, row.session_id, row.id)
  const duration_ms = state === 'paused' ? 0 : null
  const after = await context.append.gap({ recording_id: recordingId, reason: 'pause', duration_ms })
  return context.changed(context.repository.update(recordingId, { state, ...columnsOf(after) }))
}

function unfinished({ repository }: RecordingContext, recordingId: string): RecordingRow {
  const row = repository.existing(recordingId)
  if (row.state === 'finished') throw new AppError('conflict')
  return row
}
