import type { AppendState } from './append-service.ts'
import type { RecordingRow } from './recording-repository.ts'

/** A recording window calls five times a second; a paused one attaches again every two seconds. */
const MAX_SILENCE_RECORDING_MS = 3000
const MAX_SILENCE_PAUSED_MS = 6000
const TAKEOVER_MS = 1500

export function isFed({ state }: Pick<RecordingRow, 'state'>, { silent_ms }: AppendState): boolean {
  return silent_ms < (state === 'paused' ? MAX_SILENCE_PAUSED_MS : MAX_SILENCE_RECORDING_MS)
}

export function mayBeTakenOver(row: RecordingRow, { silent_ms }: AppendState, windowId: string): boolean {
  const isRunning = row.state === 'recording' || row.state === 'paused'
  return row.window_id === windowId || !isRunning || silent_ms > TAKEOVER_MS
}

/** While the vault is locked, it is unknown whether a recording is paused, so use the longer limit. */
export const isFedUnderLock = (state: AppendState): boolean => isFed({ state: 'paused' }, state)
