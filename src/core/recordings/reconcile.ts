import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { errorKind } from '#base/log.ts'
import type { Gap } from '#contract/model/recording.ts'
import { decodeFileHeader, unitsToMs } from './format.ts'
import { recoverEnd } from './record-scan.ts'
import { isOwnHeader, unlockRecording } from './recording-files.ts'
import { wholeLost, type RecordingRow } from './recording-repository.ts'
import type { RecordingContext } from './recordings.ts'

type ReconcilePorts = Pick<RecordingContext, 'repository' | 'files' | 'keys' | 'clock' | 'log' | 'listed'>

export function reconcile(ports: ReconcilePorts, isOpen: (recordingId: string) => boolean): void {
  const { repository, files, log } = ports
  collectStrays(ports)
  restoreNames(ports, isOpen)
  for (const row of repository.all()) {
    try {
      if (!isOpen(row.id)) reconcileOne(ports, row)
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

function collectStrays({ repository, files, keys, log }: ReconcilePorts): void {
  const isOneMissing = repository.all().some(({ id, state }) => state !== 'erased' && !files.has(id))
  try {
    for (const recording_id of files.collectStrays(isOneMissing, (header) => isOwnHeader(keys, header) === true))
      log.warn('recording-moved-back', { recording_id })
  } catch (error) {
    log.error('recording-not-moved-back', { reason: errorKind(error) })
  }
}

function reconcileOne(ports: ReconcilePorts, row: RecordingRow): void {
  const { repository, files, log } = ports
  if (row.state === 'erased') {
    files.shred(row.id) // An interrupted erasure may have left the file.
    return
  }
  if (!files.has(row.id)) {
    log.error('recording-file-missing', { recording_id: row.id, saved_ms: row.saved_ms })
    if (row.state === 'recording' && row.saved_ms === 0) repository.remove(row.id)
    else reconcileUnfinished(ports, row)
    return
  }
  const header = files.header(row.id)
  if (row.header !== null && (header === null || decodeFileHeader(header) === null)) files.restoreHeader(row.id, row.header)
  reconcileUnfinished(ports, row)
}

/**
 * Marks a running or paused recording as interrupted. Reads an interrupted one again, because its file may have been damaged or
 * restored since.
 */
function reconcileUnfinished(ports: ReconcilePorts, row: RecordingRow): void {
  if (row.state === 'recording' || row.state === 'paused') interrupt(ports, row)
  if (row.state !== 'interrupted') return
  const { saved_ms, bytes, gaps } = surveyOr(ports, row)
  ports.repository.update(row.id, { saved_ms, bytes, gaps })
}

/**
 * If a file is not open and its name is not the recording id in its header, renames the file to that id, if that name is free
 * or another misnamed file has it.
 */
function restoreNames({ files, log, clock }: ReconcilePorts, isOpen: (recordingId: string) => boolean): void {
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

export function interrupt(ports: ReconcilePorts, row: RecordingRow): RecordingRow {
  const found = surveyOr(ports, row)
  const wasPaused = row.state === 'paused'
  return ports.repository.update(row.id, {
    state: 'interrupted',
    was_paused: wasPaused ? 1 : 0,
    lost_ms_at_most: wasPaused || found.isFinal ? 0 : found.last_wall && sinceLastRecord(ports.clock, found.last_wall),
    ...cutOffAt(row, found),
    saved_ms: found.saved_ms,
    bytes: found.bytes,
    gaps: found.gaps,
  })
}

type Found = ReturnType<typeof survey>

function cutOffAt({ started_at }: RecordingRow, { isFinal, last_wall, saved_ms, gaps }: Found) {
  const breaks = (JSON.parse(gaps) as Gap[]).filter(({ reason }) => reason !== 'damage' && reason !== 'struck')
  const length = breaks.reduce((sum, { duration_ms }) => sum + duration_ms, saved_ms)
  const interrupted_at = new Date(last_wall ?? Date.parse(started_at) + length).toISOString()
  return { interrupted_at, finished_at: isFinal ? interrupted_at : null }
}

/**
 * Returns milliseconds by the clock that shows more: the monotonic clock can stop during sleep, and the wall clock can be set
 * back.
 */
export function sinceLastRecord(clock: Clock, lastWall: number, idleMs = 0): number {
  return Math.max(0, Math.round(idleMs), clock.now() - lastWall)
}

function surveyOr(ports: ReconcilePorts, row: RecordingRow): Found {
  try {
    return survey(ports, row)
  } catch (error) {
    ports.log.error('recording-unreadable', { recording_id: row.id, reason: errorKind(error) })
    const gaps = row.saved_ms === 0 ? row.gaps : JSON.stringify([wholeLost(row)])
    return { bytes: row.bytes, saved_ms: row.saved_ms, gaps, last_wall: null, isFinal: false }
  }
}

function survey(ports: ReconcilePorts, row: RecordingRow) {
  const { key } = unlockRecording(ports.files, ports.keys, row)
  try {
    return ports.files.read(row.id, (file, size) => {
      const { end, position, gaps, last_wall, isFinal } = recoverEnd(file, size, row.id, key, 0)
      const found = unitsToMs(position)
      const lostMs = Math.max(0, row.saved_ms - found)
      const lost: Gap[] = lostMs > 0 ? [{ at_ms: found, duration_ms: lostMs, reason: 'damage' }] : []
      return {
        bytes: end,
        saved_ms: found + lostMs,
        gaps: JSON.stringify([...gaps, ...lost]),
        last_wall: last_wall && last_wall + lostMs,
        isFinal,
      }
    })
  } finally {
    key.fill(0)
  }
}

/**
 * Adds a database row for a recording file that has none. Deletes the file if it has no key, or no sound and never had any. Only logs a file whose
 * header is damaged or has another recording id.
 */
function adopt(ports: ReconcilePorts, id: string): void {
  const { repository, files, log } = ports
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
    state: 'interrupted',
    started_at: new Date(header.created_ms).toISOString(),
    ...ports.listed(id),
    id,
    session_id: header.session_id,
    header: bytes,
  }
  if (row.saved_ms > 0) {
    log.warn('recording-listed', { recording_id: id, saved_ms: row.saved_ms })
    repository.insert(row)
    return reconcileUnfinished(ports, row)
  }
  const found = survey(ports, row)
  const { saved_ms, gaps, bytes: length } = found
  if (saved_ms === 0) {
    files.shred(id)
    return
  }
  log.warn('recording-adopted', { recording_id: id, saved_ms })
  const lost_ms_at_most = found.isFinal ? 0 : null
  repository.insert({ ...row, state: 'interrupted', saved_ms, gaps, bytes: length, lost_ms_at_most, ...cutOffAt(row, found) })
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
