import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { constants, gunzipSync } from 'node:zlib'

const MAX_BYTES = 2 ** 31
/** First bytes of a gzip file: RFC 1952, section 2.3.1. */
const start = Buffer.from([0x1f, 0x8b, 8])

export const isPacked = (bytes: Uint8Array): boolean => start.equals(bytes.subarray(0, start.length))

const zip = Buffer.from('PK\x03\x04')
export const isZip = (bytes: Uint8Array): boolean => zip.equals(bytes.subarray(0, zip.length))

/** Decompresses gzip data; null if it is damaged. Data that is cut off is decompressed up to the cut. */
export function unpack(bytes: Uint8Array): Buffer | null {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_BYTES })
  } catch {
    return null
  }
}

export function isPackedFile(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(start.length)
    readSync(file, bytes, 0, bytes.length, 0)
    return isPacked(bytes)
  } finally {
    closeSync(file)
  }
}

export const unpackFile = (path: string): Buffer | null => unpack(readFileSync(path))
