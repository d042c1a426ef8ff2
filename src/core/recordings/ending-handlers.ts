import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import type { Recording } from '#contract/model/recording.ts'
import { openFile } from './capture-handlers.ts'
import type { Studio } from './recordings.ts'
import { isUnreadable } from './recording-audio.ts'
import { wholeLost, type RecordingRow } from './recording-repository.ts'
import { columnsOf, stateOf, stop, writable } from './refresh.ts'
import { peaksOf } from './waveform.ts'

/** How a recording ends. */
export function endingHandlers(studio: Studio): Handlers<'recordings.finish' | 'recordings.erase'> {
  return {
    'recordings.finish': ({ recording_id }) => studio.inTurn(() => finish(studio, recording_id)),
    'recordings.erase': ({ recording_id }) => studio.inTurn(() => erase(studio, recording_id)),
  }
}

/** Safe to ask again wherever it was cut off: the final record first, then length and hash, then one transaction. */
async function finish(studio: Studio, recordingId: string): Promise<Recording> {
  const row = studio.repository.find(recordingId)
  if (row === null) throw new AppError('not-found')
  if (row.state === 'erased') throw new AppError('gone')
  if (row.state === 'finished') return studio.repository.asRecord(row)
  const wasCutOff = row.state === 'interrupted'
  const finished_at = wasCutOff ? await endOfCutOff(studio, row) : studio.now()
  const end = await measureEnd(studio, row)
  const finished = studio.db
    .transaction(() => {
      const after = studio.repository.update(recordingId, {
        ...end,
        state: 'finished',
        finished_at,
        interrupted_at: null,
      })
      const record = studio.repository.asRecord(after)
      studio.audit({ action: 'recording.finished', subject_id: recordingId })
      studio.onFinished(record, wasCutOff)
      return record
    })
    .immediate()
  return studio.changed(finished)
}

/** The recording ends at its last record on disk, not when the therapist decides about it. */
async function endOfCutOff(studio: Studio, row: RecordingRow): Promise<string> {
  const lastWrite = (await stateOf(studio, row.id))?.last_write_at ?? 0
  const cutOff = Date.parse(row.finished_at ?? row.interrupted_at ?? row.started_at)
  const end = Math.min(studio.clock.now(), Math.max(cutOff, lastWrite))
  return new Date(Math.max(Date.parse(row.started_at), end)).toISOString()
}

/** Sound that was stored and is missing from the file counts as damage; a file that is gone is damage from its start. */
async function measureEnd(studio: Studio, row: RecordingRow): Promise<Partial<RecordingRow>> {
  try {
    if ((await stateOf(studio, row.id)) === null) await openFile(studio, row)
    const state = await studio.append.close(row.id)
    const saved_ms = Math.max(row.saved_ms, state.saved_ms)
    const { ogg, sha256 } = await studio.audio.measure({ ...row, saved_ms })
    const gaps = JSON.stringify(ogg.index.gaps)
    return { ...columnsOf(state), saved_ms, gaps, ogg_bytes: ogg.bytes, ogg_sha256: sha256, peaks: peaksOf(ogg.index) }
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return { gaps: JSON.stringify([wholeLost(row)]) }
  }
}

/** The key goes first, from the database, then from the file; what is left cannot be read by anybody. */
async function erase(studio: Studio, recordingId: string): Promise<Recording> {
  const row = studio.repository.find(recordingId)
  if (row === null) throw new AppError('not-found')
  if (row.state === 'erased') return studio.repository.asRecord(row)
  if ((await stateOf(studio, recordingId)) !== null) await studio.append.close(recordingId)
  const erased = studio.db
    .transaction(() => {
      studio.repository.removeMarks(recordingId)
      const after = studio.repository.update(recordingId, {
        state: 'erased',
        header: null,
        peaks: null,
        gaps: '[]',
        unreadable: null,
        device_label: '',
        bytes: 0,
        ogg_bytes: null,
        ogg_sha256: null,
        erased_at: studio.now(),
      })
      studio.audit({ action: 'recording.erased', subject_id: recordingId })
      return studio.repository.asRecord(after)
    })
    .immediate()
  studio.audio.forget(recordingId)
  studio.files.shred(recordingId)
  // The log of the database still holds the row as it was, wrapped key included.
  studio.db.pragma('wal_checkpoint(TRUNCATE)')
  return studio.changed(erased)
}

export function stopSession(studio: Studio, sessionId: string): Promise<void> {
  return studio.inTurn(async () => {
    for (const row of await writable(studio)) if (row.session_id === sessionId) await stop(studio, row)
  })
}
