import { readSync } from 'node:fs'
import type { RecordHeader } from './format.ts'
import {
  FILE_HEADER_BYTES,
  MAX_RECORD_BYTES,
  RECORD_HEADER_BYTES,
  RECORD_MAGIC,
  decodeRecordHeader,
  idBytes,
  openRecord,
} from './format.ts'

const WINDOW_BYTES = 1 << 20

/** A record on disk. `plain` is null if the header is valid but the tag is not. */
export interface FoundRecord {
  readonly header: RecordHeader
  readonly offset: number
  readonly end: number
  readonly plain: Buffer | null
}

/**
 * Yields every record in order and skips damage. After a record that fails authentication, the search continues right after its
 * magic, because its length is not trustworthy.
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
      // Go back three bytes, because a magic may span the edge of the window.
      offset += next === -1 ? Math.max(1, bytes.length - 3) : next
      continue
    }
    const plain = openRecord(key, id, bytes.subarray(0, length))
    yield { header, offset, end: offset + length, plain }
    offset += plain === null ? RECORD_MAGIC.length : length
  }
}

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
    const needed = Math.min(MAX_RECORD_BYTES, this.#size - offset)
    if (offset < this.#start || offset + needed > this.#start + this.#bytes.length) {
      this.#bytes = readAt(this.#file, offset, Math.min(WINDOW_BYTES, this.#size - offset))
      this.#start = offset
    }
    return this.#bytes.subarray(offset - this.#start)
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
