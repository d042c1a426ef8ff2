import type { DeletionReceipt } from '#contract/bridge/recordings.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { errorKind } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { Recording } from '#contract/model/recording.ts'
import { openFile } from './capture-handlers.ts'
import type { RecordingContext } from './recordings.ts'
import { isUnreadable } from './recording-audio.ts'
import { wholeLost, type RecordingRow } from './recording-repository.ts'
import { columnsOf, mayRecord, stateOf, stop, writable } from './refresh.ts'
import { peaksOf } from './recording-index.ts'

export const endingHandlers = (context: RecordingContext): Handlers<'recordings.finish' | 'recordings.erase'> => ({
  'recordings.finish': ({ recording_id }) => context.inTurn(() => finish(context, recording_id)),
  'recordings.erase': ({ recording_id }) => context.inTurn(() => erase(context, recording_id, 'by-hand')),
})

/**
 * Writes the final record, measures the audio, and updates the database in one transaction. After a failure, all of this can be
 * repeated.
 */
export async function finish(context: RecordingContext, recordingId: string): Promise<Recording> {
  const row = context.repository.existing(recordingId)
  if (row.state === 'finished') return context.repository.asRecord(row)
  const wasCutOff = row.state === 'interrupted'
  const finished_at = wasCutOff ? await endOfCutOff(context, row) : context.now()
  const end = await measureEnd(context, row)
  const finished = context.db
    .transaction(() => {
      const after = context.repository.update(recordingId, { ...end, state: 'finished', finished_at, interrupted_at: null })
      context.audit({ action: 'recording.finished', subject_id: recordingId })
      context.onFinished(context.repository.asRecord(after), wasCutOff)
      return after
    })
    .immediate()
  return context.changed(finished)
}

async function endOfCutOff(context: RecordingContext, row: RecordingRow): Promise<string> {
  const lastWrite = (await stateOf(context, row.id))?.last_write_at ?? 0
  const cutOff = Date.parse(row.finished_at ?? row.interrupted_at ?? row.started_at)
  const end = Math.min(context.clock.now(), Math.max(cutOff, lastWrite))
  return new Date(Math.max(Date.parse(row.started_at), end)).toISOString()
}

async function measureEnd(context: RecordingContext, row: RecordingRow): Promise<Partial<RecordingRow>> {
  try {
    if ((await stateOf(context, row.id)) === null) await openFile(context, row)
    const state = await context.append.close(row.id)
    const saved_ms = Math.max(row.saved_ms, state.saved_ms)
    const { ogg, sha256 } = await context.audio.measure({ ...row, saved_ms })
    const gaps = JSON.stringify(ogg.index.gaps)
    return { ...columnsOf(state), saved_ms, gaps, ogg_bytes: ogg.bytes, ogg_sha256: sha256, peaks: peaksOf(ogg.index) }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return { gaps: JSON.stringify([wholeLost(row)]) }
  }
}

export async function finishEnded(context: RecordingContext, recordingId: string): Promise<void> {
  context.ended.delete(recordingId)
  const row = context.repository.find(recordingId)
  if (row?.state !== 'interrupted') return
  try {
    if (mayRecord(context, row)) await finish(context, recordingId)
    else context.changed(row)
  } catch (error) {
    context.log.error('recording-not-finished', { recording_id: recordingId, reason: errorKind(error) })
    context.changed(row)
  }
}

async function erase(context: RecordingContext, recordingId: string, reason: DeletionReceipt['reason']): Promise<Recording> {
  const row = context.repository.find(recordingId)
  if (row === null) throw new AppError('not-found')
  if (row.state === 'erased') return context.repository.asRecord(row)
  if ((await stateOf(context, recordingId)) !== null) await context.append.close(recordingId)
  const erased = context.db
    .transaction(() => {
      if (reason === 'signed' && !context.retention.due().includes(recordingId)) return null
      const at = context.now()
      context.repository.addReceipt(recordingId, { deleted_at: at, deleted_by: context.therapist(), reason })
      return eraseRow(context, recordingId, at)
    })
    .immediate()
  if (erased === null) return context.repository.asRecord(row)
  context.audio.forget(recordingId)
  const recording = context.changed(erased)
  context.files.shred(recordingId)
  // The WAL may still contain the old row with the wrapped key, so empty it.
  context.db.pragma('wal_checkpoint(TRUNCATE)')
  return recording
}

function eraseRow({ repository, audit }: RecordingContext, recordingId: string, erased_at: string): RecordingRow {
  repository.removeMarks(recordingId)
  const sound = { header: null, peaks: null, gaps: '[]', unreadable: null, bytes: 0, ogg_bytes: null, ogg_sha256: null }
  const after = repository.update(recordingId, { ...sound, state: 'erased', device_label: '', erased_at })
  audit({ action: 'recording.erased', subject_id: recordingId })
  return after
}

/** An older database can have a recording whose receipt was restored. Without its file, it counts as deleted again. */
function eraseDeletedBefore(context: RecordingContext): void {
  for (const { id, deleted_at } of context.repository.deletedBefore().filter((row) => !context.files.has(row.id))) {
    context.changed(context.db.transaction(() => eraseRow(context, id, deleted_at)).immediate())
    context.audio.forget(id)
  }
}

/** Deletes the audio of signed notes that must not be kept. What fails is tried again at the next call. */
export async function deleteDue(context: RecordingContext): Promise<void> {
  try {
    if (context.db.open) eraseDeletedBefore(context)
    for (const id of context.db.open ? context.retention.due() : []) await erase(context, id, 'signed')
  } catch (error) {
    context.log.error('recording-not-deleted', { reason: errorKind(error) })
  }
}

export const stopSession = (context: RecordingContext, sessionId: string): Promise<void> =>
  context.inTurn(async () => {
    for (const row of await writable(context)) if (row.session_id === sessionId) await stop(context, row)
  })
