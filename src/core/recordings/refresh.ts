import { AppError } from '#contract/errors.ts'
import type { Recording } from '#contract/model/recording.ts'
import type { AppendState } from './append-service.ts'
import { isFed } from './liveness.ts'
import type { RecordingRow } from './recording-repository.ts'
import type { Studio } from './recordings.ts'
import { interrupt, sinceLastRecord } from './take-stock.ts'

/** What the append thread has on disk, as the row's columns. */
export function columnsOf(state: AppendState): Pick<RecordingRow, 'saved_ms' | 'bytes' | 'gaps'> {
  return { saved_ms: state.saved_ms, bytes: state.bytes, gaps: JSON.stringify(state.gaps) }
}

export async function stateOf(studio: Studio, recordingId: string): Promise<AppendState | null> {
  return (await studio.append.status()).find(({ recording_id }) => recording_id === recordingId) ?? null
}

/** Brings the rows of unfinished recordings to what is so: who is fed, who no longer, how much is on disk. */
export async function refresh(studio: Studio): Promise<void> {
  const states = await studio.append.status()
  for (const row of studio.repository.unfinished()) {
    const state = states.find(({ recording_id }) => recording_id === row.id) ?? null
    if (state !== null && cameBack(row, state) && !mayRecord(studio, row)) {
      await stop(studio, row)
      continue
    }
    const after = refreshed(studio, row, state)
    if (after.state !== row.state) studio.changed(studio.repository.asRecord(after))
  }
}

/** Sound can be added to these: somebody feeds them, or was taken for gone and would only have to wake up. */
export async function writable(studio: Studio): Promise<RecordingRow[]> {
  const open = new Set((await studio.append.status()).map(({ recording_id }) => recording_id))
  return studio.repository.unfinished().filter((row) => row.state !== 'interrupted' || open.has(row.id))
}

/** Closes the file, so that nothing more is taken; what was said stays and waits for a decision. */
export async function stop(studio: Studio, row: RecordingRow): Promise<void> {
  const state = (await stateOf(studio, row.id)) === null ? null : await studio.append.close(row.id)
  const wasRunning = row.state !== 'interrupted'
  const after = studio.repository.update(row.id, {
    ...(state === null ? {} : columnsOf(state)),
    ...(wasRunning ? { was_paused: 0, lost_ms_at_most: 0, interrupted_at: studio.now() } : {}),
    state: 'interrupted',
  })
  studio.audit({ action: 'recording.stopped', subject_id: row.id })
  studio.changed(studio.repository.asRecord(after))
}

/** Where consent was taken back and the core died before it could close the file. */
export async function stopUnconsented(studio: Studio): Promise<void> {
  for (const row of await writable(studio)) if (!mayRecord(studio, row)) await stop(studio, row)
}

/** A session that is not known has nobody's consent. */
function mayRecord(studio: Studio, row: RecordingRow): boolean {
  try {
    return studio.gate(row.session_id).granted.includes('record')
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return false
    throw error
  }
}

function refreshed(studio: Studio, row: RecordingRow, state: AppendState | null): RecordingRow {
  if (state === null) return row.state === 'interrupted' ? row : interrupt(studio, row)
  if (row.state === 'interrupted')
    return cameBack(row, state) ? studio.repository.update(row.id, { state: 'recording', ...columnsOf(state) }) : row
  // Resumed under the lock, by a window that was reloaded before it heard that it had paused.
  if (row.state === 'paused' && state.saved_ms > row.saved_ms)
    return studio.repository.update(row.id, { state: 'recording', ...columnsOf(state) })
  if (isFed(row, state)) return row.bytes === state.bytes ? row : studio.repository.update(row.id, columnsOf(state))
  const wasPaused = row.state === 'paused'
  return studio.repository.update(row.id, {
    ...columnsOf(state),
    state: 'interrupted',
    was_paused: wasPaused ? 1 : 0,
    lost_ms_at_most: wasPaused ? 0 : sinceLastRecord(studio.clock, state.last_write_at, state.idle_ms ?? 0),
    interrupted_at: new Date(state.last_write_at).toISOString(),
  })
}

/** A window that was held up, as by a sleeping laptop, goes on where it was. */
function cameBack(row: RecordingRow, state: AppendState): boolean {
  return row.state === 'interrupted' && state.idle_ms !== null && state.idle_ms < 1000 && state.saved_ms > row.saved_ms
}

/** The record with what is on disk at this moment. */
export async function live(studio: Studio, row: RecordingRow): Promise<Recording> {
  const isRunning = row.state === 'recording' || row.state === 'paused'
  const state = isRunning ? await stateOf(studio, row.id) : null
  return studio.repository.asRecord(state === null ? row : { ...row, ...columnsOf(state) })
}
