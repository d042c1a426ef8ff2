import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { VaultKeys } from '#core/vault/vault-keys.ts'
import type { Gap } from '#contract/model/recording.ts'
import { decodeFileHeader, unitsToMs } from './format.ts'
import { recoverEnd } from './recover-end.ts'
import type { RecordingFiles } from './recording-files.ts'
import { unlockRecording } from './recording-files.ts'
import { wholeLost, type RecordingRepository, type RecordingRow } from './recording-repository.ts'

export interface StockPorts {
  readonly repository: RecordingRepository
  readonly files: RecordingFiles
  readonly keys: VaultKeys
  readonly clock: Clock
  readonly log: Log
}

/** Compares rows and files both ways after a start. `isOpen`: the append thread still writes it. */
export function takeStock(ports: StockPorts, isOpen: (recordingId: string) => boolean): void {
  const { repository, files, log } = ports
  restoreNames(ports, isOpen)
  for (const row of repository.all()) {
    try {
      if (!isOpen(row.id)) takeStockOf(ports, row)
    } catch (error) {
      log.error('recording-stock', { recording_id: row.id, reason: errorKind(error) })
    }
  }
  for (const id of files.list()) {
    try {
      if (repository.find(id) === null && !isOpen(id)) adopt(ports, id)
    } catch (error) {
      log.error('recording-adopt', { reason: errorKind(error) })
    }
  }
}

function takeStockOf(ports: StockPorts, row: RecordingRow): void {
  const { repository, files, log } = ports
  if (row.state === 'erased') {
    files.shred(row.id) // the erasure was cut off after its key was gone
    return
  }
  if (!files.has(row.id)) {
    log.error('recording-file-missing', { recording_id: row.id, saved_ms: row.saved_ms })
    if (row.state === 'recording' && row.saved_ms === 0) repository.remove(row.id)
    else if (row.state === 'recording' || row.state === 'paused') interrupt(ports, row)
    return
  }
  const header = files.header(row.id)
  if (row.header !== null && (header === null || decodeFileHeader(header) === null)) files.mendHeader(row.id, row.header)
  if (row.state === 'recording' || row.state === 'paused') interrupt(ports, row)
}

/**
 * Gives files that were renamed outside the app, also among each other, the names their headers say. A copy whose name is
 * taken by the right file stays where it is.
 */
function restoreNames({ files, log, clock }: StockPorts, isOpen: (recordingId: string) => boolean): void {
  /** The name in its header, where that is another one. */
  const trueName = (id: string): string | null => {
    const bytes = isOpen(id) ? null : files.header(id)
    const named = (bytes === null ? null : decodeFileHeader(bytes)?.recording_id) ?? id
    return named === id || isOpen(named) ? null : named
  }
  const queue = files.list()
  for (const id of queue) {
    try {
      const named = trueName(id)
      if (named === null || (files.has(named) && trueName(named) === null)) continue
      if (files.has(named)) {
        const free = newId(clock)
        files.rename(named, free)
        queue.push(free)
      }
      files.rename(id, named)
      log.warn('recording-renamed', { recording_id: named })
    } catch (error) {
      log.error('recording-not-renamed', { reason: errorKind(error) })
    }
  }
}

/** No window feeds it anymore: it waits for Resume, Finish or Discard, with what is on disk. */
export function interrupt(ports: StockPorts, row: RecordingRow): RecordingRow {
  const found = surveyOr(ports, row)
  const wasPaused = row.state === 'paused'
  return ports.repository.update(row.id, {
    state: 'interrupted',
    was_paused: wasPaused ? 1 : 0,
    lost_ms_at_most: wasPaused ? 0 : found.last_wall && sinceLastRecord(ports.clock, found.last_wall),
    interrupted_at: new Date(found.last_wall ?? ports.clock.now()).toISOString(),
    saved_ms: found.saved_ms,
    bytes: found.bytes,
    gaps: found.gaps,
  })
}

/** Upper bound of what was spoken and not saved: when the microphone closed is not known. */
export function sinceLastRecord(clock: Clock, lastWall: number, idleMs = 0): number {
  // The longer one of both clocks: one stops while the computer sleeps, the other can be set.
  return Math.max(0, Math.round(idleMs), clock.now() - lastWall)
}

/** A recording that cannot be read is shown with what is known of it, rather than not shown. */
function surveyOr(ports: StockPorts, row: RecordingRow): ReturnType<typeof survey> {
  try {
    return survey(ports, row)
  } catch (error) {
    ports.log.error('recording-unreadable', { recording_id: row.id, reason: errorKind(error) })
    const gaps = row.saved_ms === 0 ? row.gaps : JSON.stringify([wholeLost(row)])
    return { bytes: row.bytes, saved_ms: row.saved_ms, gaps, last_wall: null }
  }
}

function survey(ports: StockPorts, row: RecordingRow) {
  const { key } = unlockRecording(ports.files, ports.keys, row)
  try {
    return ports.files.read(row.id, (file, size) => {
      const { end, position, gaps, last_wall } = recoverEnd(file, size, row.id, key, 0)
      const found = unitsToMs(position)
      const lost: Gap[] = found < row.saved_ms ? [{ at_ms: found, duration_ms: row.saved_ms - found, reason: 'damage' }] : []
      return { bytes: end, saved_ms: Math.max(found, row.saved_ms), gaps: JSON.stringify([...gaps, ...lost]), last_wall }
    })
  } finally {
    key.fill(0)
  }
}

/** A file without a row: the start was cut off before its row was stored, or the database is an older copy. */
function adopt(ports: StockPorts, id: string): void {
  const { repository, files, clock, log } = ports
  const bytes = files.header(id)
  const header = bytes === null ? null : decodeFileHeader(bytes)
  if (bytes === null || header === null || header.recording_id !== id) {
    log.error('recording-unknown-file', { recording_id: id })
    return
  }
  if (header.wrapped_key === null) {
    files.shred(id)
    return
  }
  const row: RecordingRow = {
    ...emptyRow,
    id,
    session_id: header.session_id,
    state: 'interrupted',
    header: bytes,
    started_at: new Date(header.created_ms).toISOString(),
  }
  const { saved_ms, gaps, last_wall, bytes: length } = survey(ports, row)
  if (saved_ms === 0) {
    files.shred(id)
    return
  }
  log.warn('recording-adopted', { recording_id: id, saved_ms })
  const interrupted_at = new Date(last_wall ?? header.created_ms).toISOString()
  const lost_ms_at_most = last_wall && sinceLastRecord(clock, last_wall)
  repository.insert({ ...row, saved_ms, gaps, bytes: length, interrupted_at, lost_ms_at_most })
}

export const emptyRow: Omit<RecordingRow, 'id' | 'session_id' | 'state' | 'header' | 'started_at'> = {
  was_paused: 0,
  window_id: '',
  device_label: '',
  interrupted_at: null,
  finished_at: null,
  erased_at: null,
  saved_ms: 0,
  bytes: 0,
  gaps: '[]',
  lost_ms_at_most: null,
  ogg_bytes: null,
  ogg_sha256: null,
  peaks: null,
  unreadable: null,
  checked_at: null,
  dismissed_ms: 0,
}
