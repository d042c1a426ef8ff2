import { newKey } from '#base/aead.ts'
import { newId } from '#base/ids.ts'
import type { Handlers, MethodRequest } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { Recording } from '#contract/model/recording.ts'
import type { AppendState } from './append-service.ts'
import { mayBeTakenOver } from './liveness.ts'
import { newHeader, unlockRecording } from './recording-files.ts'
import type { RecordingRow } from './recording-repository.ts'
import type { Studio } from './recordings.ts'
import { columnsOf, live, refresh, stateOf } from './refresh.ts'
import { freeBytes, RESERVED_BYTES } from './space.ts'
import { emptyRow } from './take-stock.ts'

type CaptureName = 'recordings.start' | 'recordings.attach' | 'recordings.pause' | 'recordings.resume'

/** What a window that records asks for, its sound apart. */
export function captureHandlers(studio: Studio): Handlers<CaptureName> {
  return {
    'recordings.start': (input) => studio.inTurn(() => start(studio, input)),
    'recordings.attach': (input) => studio.inTurn(() => attach(studio, input)),
    'recordings.pause': ({ recording_id }) => studio.inTurn(() => pause(studio, recording_id)),
    'recordings.resume': ({ recording_id }) => studio.inTurn(() => resume(studio, recording_id)),
  }
}

function requireConsent(studio: Studio, sessionId: string, recordingId: string): void {
  if (studio.gate(sessionId).granted.includes('record')) return
  studio.audit({ action: 'recording.refused', subject_id: recordingId, outcome: 'consent-missing' })
  throw new AppError('consent-missing')
}

async function start(studio: Studio, input: MethodRequest<'recordings.start'>) {
  requireConsent(studio, input.session_id, input.session_id)
  await refresh(studio)
  if (studio.repository.active() !== null) throw new AppError('recording-active')
  const earlier = studio.repository.ofSession(input.session_id)
  if (earlier !== null && earlier.state !== 'erased') throw new AppError('already-exists')
  if ((await freeBytes(studio.folder)) < RESERVED_BYTES) throw new AppError('disk-full')
  const recordingId = newId(studio.clock)
  const { header, state } = await createFile(studio, recordingId, input)
  const row: RecordingRow = {
    ...emptyRow,
    id: recordingId,
    session_id: input.session_id,
    state: 'recording',
    window_id: input.window_id,
    device_label: input.device_label,
    header,
    started_at: studio.now(),
    ...columnsOf(state),
  }
  try {
    studio.db
      .transaction(() => {
        studio.repository.insert(row)
        studio.audit({ action: 'recording.started', subject_id: recordingId })
        studio.onStarted(studio.repository.asRecord(row))
      })
      .immediate()
  } catch (error) {
    await studio.append.close(recordingId)
    studio.files.shred(recordingId)
    throw error
  }
  studio.changed(studio.repository.asRecord(row))
  return { recording_id: recordingId, next_sequence: state.next_sequence, saved_ms: state.saved_ms }
}

/** File first, row second: a file without a row is found and dealt with, a row without a file would promise sound. */
async function createFile(studio: Studio, recordingId: string, input: MethodRequest<'recordings.start'>) {
  const key = newKey()
  try {
    const header = newHeader(studio.keys, key, {
      recording_id: recordingId,
      session_id: input.session_id,
      created_ms: studio.clock.now(),
      format: input.format,
    })
    studio.files.create(recordingId, header)
    const path = studio.files.path(recordingId)
    const { window_id } = input
    const state = await studio.append.open({ recording_id: recordingId, path, key: Uint8Array.from(key), window_id })
    return { header, state }
  } finally {
    key.fill(0)
  }
}

async function attach(studio: Studio, input: MethodRequest<'recordings.attach'>) {
  const row = unfinished(studio, input.recording_id)
  const running = studio.repository.active()
  if (running !== null && running.id !== row.id) throw new AppError('recording-active')
  requireConsent(studio, row.session_id, row.id)
  const before = (await stateOf(studio, row.id)) ?? (await openAgain(studio, row))
  if (!mayBeTakenOver(row, before, input.window_id)) throw new AppError('recording-active')
  const state = await studio.append.attach({ recording_id: row.id, window_id: input.window_id, gap: input.gap })
  const isPaused = input.gap === null && (row.state === 'paused' || (row.state === 'interrupted' && row.was_paused === 1))
  const after = studio.repository.update(row.id, {
    ...columnsOf(state),
    state: isPaused ? 'paused' : 'recording',
    window_id: input.window_id,
    device_label: input.device_label,
    interrupted_at: null,
    finished_at: null,
  })
  if (row.state !== after.state || input.gap !== null) studio.changed(studio.repository.asRecord(after))
  return { next_sequence: state.next_sequence, saved_ms: state.saved_ms }
}

/** A file that is gone is made again, so that what is said from now on has a place. */
async function openAgain(studio: Studio, row: RecordingRow): Promise<AppendState> {
  if (!studio.files.has(row.id) && row.header !== null) studio.files.create(row.id, row.header)
  return openFile(studio, row)
}

/** Gives the append thread the key of a recording it does not have open; a torn tail is cut off there. */
export async function openFile(studio: Studio, row: RecordingRow): Promise<AppendState> {
  if (!studio.files.has(row.id)) throw new AppError('recording-damaged')
  const { key } = unlockRecording(studio.files, studio.keys, row)
  try {
    const { id, window_id, saved_ms } = row
    const path = studio.files.path(id)
    return await studio.append.open({ recording_id: id, path, key: Uint8Array.from(key), window_id, saved_ms })
  } finally {
    key.fill(0)
  }
}

async function pause(studio: Studio, recordingId: string): Promise<Recording> {
  const row = unfinished(studio, recordingId)
  if (row.state === 'paused') return live(studio, row)
  await requireOpen(studio, recordingId)
  // Marks where it begins: cut off now, it is known to have been a pause.
  const state = await studio.append.gap({ recording_id: recordingId, reason: 'pause', duration_ms: 0 })
  return studio.changed(
    studio.repository.asRecord(studio.repository.update(recordingId, { state: 'paused', ...columnsOf(state) })),
  )
}

async function resume(studio: Studio, recordingId: string): Promise<Recording> {
  const row = unfinished(studio, recordingId)
  if (row.state === 'recording') return live(studio, row)
  await requireOpen(studio, recordingId)
  requireConsent(studio, row.session_id, row.id)
  const state = await studio.append.gap({ recording_id: recordingId, reason: 'pause', duration_ms: null })
  return studio.changed(
    studio.repository.asRecord(studio.repository.update(recordingId, { state: 'recording', ...columnsOf(state) })),
  )
}

/** What counts is the open file: a window that was taken for gone and asks is not gone. */
async function requireOpen(studio: Studio, recordingId: string): Promise<void> {
  if ((await stateOf(studio, recordingId)) === null) throw new AppError('recording-not-open')
}

/** @throws AppError `not-found`, `gone`, `conflict` where it is finished */
function unfinished(studio: Studio, recordingId: string): RecordingRow {
  const row = studio.repository.find(recordingId)
  if (row === null) throw new AppError('not-found')
  if (row.state === 'erased') throw new AppError('gone')
  if (row.state === 'finished') throw new AppError('conflict')
  return row
}
