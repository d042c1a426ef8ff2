import { readSync } from 'node:fs'
import type { RecordHeader } from './format.ts'
import {
  FILE_HEADER_BYTES,
  MOST_RECORD_BYTES,
  RECORD_HEADER_BYTES,
  RECORD_MAGIC,
  decodeRecordHeader,
  idBytes,
  openRecord,
} from './format.ts'

const WINDOW_BYTES = 1 << 20

/** A record found on disk. `plain` is null where its header is whole and its tag does not fit. */
export interface FoundRecord {
  readonly header: RecordHeader
  readonly offset: number
  readonly end: number
  readonly plain: Buffer | null
}

/**
 * Every record of a file in order, looking for the next one after damage. After a record that does not authenticate
 * the search goes on right behind its magic, for its length cannot be trusted either.
 */
export function* scanRecords(file: number, size: number, recordingId: string, key: Uint8Array): Generator<FoundRecord> {
  const id = idBytes(recordingId)
  const window = new FileWindow(file, size)
  let offset = FILE_HEADER_BYTES
  while (offset + RECORD_HEADER_BYTES <= size) {
    const bytes = window.at(offset)
    const header = decodeRecordHeader(bytes, 0)
    const length = RECORD_HEADER_BYTES + (header?.payload_bytes ?? 0)
    if (header === null || offset + length > size) {
      const next = bytes.indexOf(RECORD_MAGIC, 1)
      // Three bytes back: a magic may lie across the edge of the window.
      offset += next === -1 ? Math.max(1, bytes.length - 3) : next
      continue
    }
    const plain = openRecord(key, id, bytes.subarray(0, length))
    yield { header, offset, end: offset + length, plain }
    offset += plain === null ? RECORD_MAGIC.length : length
  }
}

/** A stretch of the file in memory, long enough for the longest record wherever it is asked for. */
class FileWindow {
  readonly #file: number
  readonly #size: number
  #bytes: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(file: number, size: number) {
    this.#file = file
    this.#size = size
  }

  at(offset: number): Buffer {
    const needed = Math.min(MOST_RECORD_BYTES, this.#size - offset)
    if (offset < this.#start || offset + needed > this.#start + this.#bytes.length) {
      this.#bytes = readAt(this.#file, offset, Math.min(WINDOW_BYTES, this.#size - offset))
      this.#start = offset
    }
    return this.#bytes.subarray(offset - this.#start)
  }
}

/** Fewer bytes only at the end of the file. */
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
