import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { AppError } from '#contract/errors.ts'
import type { Gap, GapReason } from '#contract/model/recording.ts'
import {
  decodeAudio,
  decodeFinal,
  decodeGap,
  decodeRecordHeader,
  FILE_HEADER_BYTES,
  idBytes,
  MAX_RECORD_BYTES,
  openRecord,
  RECORD_HEADER_BYTES,
  RECORD_MAGIC,
  type RecordHeader,
  unitsToMs,
} from './format.ts'
import { joinPackets } from './opus-packets.ts'

/**
 * Finds where to append. Bytes after the last authentic record are dropped if they can be one torn record, which was not
 * acknowledged. Otherwise they stay, and the recording continues after them.
 * @throws AppError `recording-damaged` if there are several records and the key opens none
 */
export function recoverEnd(file: number, size: number, recordingId: string, key: Uint8Array, remember: number) {
  const state = {
    end: FILE_HEADER_BYTES,
    sequence: 0,
    position: 0,
    isFinal: false,
    last_wall: null as number | null,
    sound_wall: null as number | null,
    gap_ms: 0,
    last_gap: null as GapReason | null,
  }
  const gaps: Gap[] = []
  const recent = new Map<number, number>()
  let authentic = 0
  let unreadable: { sequence: number; position: number; end: number }[] = []
  for (const { header, end, plain } of scanRecords(file, size, recordingId, key)) {
    const isAudio = header.kind === 'audio'
    const after = { sequence: header.sequence + (isAudio ? 1 : 0), position: header.position + header.units, end }
    if (plain === null) {
      unreadable.push(after)
      continue
    }
    authentic += 1
    unreadable = []
    if (header.position < state.position || (isAudio && header.sequence < state.sequence)) {
      state.end = end
      continue
    }
    if (header.position > state.position) gaps.push(damageGap(state.position, header.position))
    Object.assign(state, after, { isFinal: header.kind === 'final', last_gap: null })
    if (header.kind === 'final') state.last_wall = decodeFinal(plain)
    if (header.kind === 'gap') {
      const { reason, duration_ms, at } = decodeGap(plain)
      if (duration_ms > 0) gaps.push({ at_ms: unitsToMs(header.position), duration_ms, reason })
      const last_gap = duration_ms > 0 ? reason : null
      Object.assign(state, { last_wall: at, gap_ms: state.gap_ms + duration_ms, last_gap })
    }
    if (!isAudio) continue
    const { packets, at } = decodeAudio(plain)
    Object.assign(state, { last_wall: at, sound_wall: at, gap_ms: 0 })
    recent.set(header.sequence, crc32(joinPackets(packets)))
    recent.delete(header.sequence - remember)
  }
  const lastDamaged = unreadable.at(-1)
  if (authentic === 0 && lastDamaged !== undefined && unreadable.length > 1) throw new AppError('recording-damaged')
  const tail = usedBytes(file, state.end, size)
  if (tail <= MAX_RECORD_BYTES && unreadable.length < 2) return { ...state, gaps, recent }
  if (lastDamaged === undefined) return { ...state, end: state.end + tail, gaps, recent }
  gaps.push(damageGap(state.position, lastDamaged.position))
  return { ...state, ...lastDamaged, end: Math.max(state.end + tail, lastDamaged.end), gaps, recent }
}

export function damageGap(from: number, to: number): Gap {
  return { at_ms: unitsToMs(from), duration_ms: unitsToMs(to - from), reason: 'damage' }
}

function usedBytes(file: number, end: number, size: number): number {
  for (let to = size; to > end;) {
    const from = Math.max(end, to - MAX_RECORD_BYTES)
    const bytes = readAt(file, from, to - from)
    for (let index = bytes.length - 1; index >= 0; index -= 1) if (bytes[index] !== 0) return from + index + 1 - end
    to = from
  }
  return 0
}

const WINDOW_BYTES = 1 << 20

export interface FoundRecord {
  readonly header: RecordHeader
  readonly offset: number
  readonly end: number
  readonly plain: Buffer | null
}

/** The length of a record that fails authentication is unreliable, so the search continues after its magic. */
export function* scanRecords(file: number, size: number, recordingId: string, key: Uint8Array): Generator<FoundRecord> {
  const id = idBytes(recordingId)
  const windowAt = fileWindow(file, size)
  let offset = FILE_HEADER_BYTES
  while (offset + RECORD_HEADER_BYTES <= size) {
    const bytes = windowAt(offset)
    const header = decodeRecordHeader(bytes, 0)
    const length = RECORD_HEADER_BYTES + (header?.payload_bytes ?? 0)
    if (header === null || offset + length > size) {
      const next = bytes.indexOf(RECORD_MAGIC, 1)
      // The magic may span the end of the window, so the last three bytes are searched again.
      offset += next === -1 ? Math.max(1, bytes.length - 3) : next
      continue
    }
    const plain = openRecord(key, id, bytes.subarray(0, length))
    yield { header, offset, end: offset + length, plain }
    offset += plain === null ? RECORD_MAGIC.length : length
  }
}

function fileWindow(file: number, size: number): (offset: number) => Buffer {
  let bytes: Buffer = Buffer.alloc(0)
  let start = 0
  return (offset) => {
    const needed = Math.min(MAX_RECORD_BYTES, size - offset)
    if (offset < start || offset + needed > start + bytes.length) {
      bytes = readAt(file, offset, Math.min(WINDOW_BYTES, size - offset))
      start = offset
    }
    return bytes.subarray(offset - start)
  }
}

export function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, offset + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
