import type { Clock } from '#base/clock.ts'
import type { AppendState } from './append-service.ts'
import type { RecordingRow } from './recording-repository.ts'

/** A window that records says so five times a second; one that is paused attaches again every two seconds. */
const RECORDING_SILENT_MS = 3000
const PAUSED_SILENT_MS = 6000
/** From here on it is not certain that the window still lives. */
const RECORDING_LATE_MS = 700
const PAUSED_LATE_MS = 2500
/** Another window may take a recording over once nothing has come for this long. */
const TAKEOVER_MS = 1500
/** A window that is gone takes at most this with it: the record being filled and those on their way. */
export const LOST_WITH_A_WINDOW_MS = 500

/** When the windows were last heard of, on the clock that does not jump. */
export interface Liveness {
  heard(recordingId: string): void
  isFed(row: RecordingRow, state: AppendState): boolean
  /** Late with its sign of life: it lives, or it will be known in seconds that it does not. */
  isLate(row: RecordingRow, state: AppendState): boolean
  mayBeTakenOver(row: RecordingRow, state: AppendState, windowId: string): boolean
}

export function createLiveness(clock: Clock): Liveness {
  const began = clock.elapsed()
  const lastHeard = new Map<string, number>()

  function silence(row: RecordingRow, state: AppendState): number {
    const sinceHeard = clock.elapsed() - (lastHeard.get(row.id) ?? began)
    return Math.min(sinceHeard, state.idle_ms ?? Number.POSITIVE_INFINITY)
  }

  return {
    heard: (recordingId) => void lastHeard.set(recordingId, clock.elapsed()),
    isFed: (row, state) => silence(row, state) < (row.state === 'paused' ? PAUSED_SILENT_MS : RECORDING_SILENT_MS),
    isLate: (row, state) => silence(row, state) > (row.state === 'paused' ? PAUSED_LATE_MS : RECORDING_LATE_MS),
    mayBeTakenOver(row, state, windowId) {
      const isRunning = row.state === 'recording' || row.state === 'paused'
      return row.window_id === windowId || !isRunning || (state.idle_ms ?? Number.POSITIVE_INFINITY) > TAKEOVER_MS
    },
  }
}
