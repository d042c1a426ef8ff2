import { readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gunzipSync } from 'node:zlib'
import { withFile } from './durable-file.ts'
import { attempt } from './control.ts'

const MAX_DEPTH = 5
const MAX_ENTRIES = 20_000

export function filesBelow(folder: string): string[] {
  const files: string[] = []
  const waiting = [{ path: folder, depth: 0 }]
  for (const { path, depth } of waiting) {
    if (files.length + waiting.length > MAX_ENTRIES) break
    for (const entry of attempt(() => readdirSync(path, { withFileTypes: true })) ?? []) {
      if (entry.isFile()) files.push(join(path, entry.name))
      else if (entry.isDirectory() && depth < MAX_DEPTH) waiting.push({ path: join(path, entry.name), depth: depth + 1 })
    }
  }
  return files
}

const MAX_BYTES = 2 ** 31
const gzipStart = Buffer.from([0x1f, 0x8b, 8])

export const isPacked = (bytes: Uint8Array): boolean => gzipStart.equals(bytes.subarray(0, gzipStart.length))

const zipStart = Buffer.from('PK\x03\x04')
export const isZip = (bytes: Uint8Array): boolean => zipStart.equals(bytes.subarray(0, zipStart.length))

/** Decompresses gzip data, truncated data as far as it goes. Null if the data is damaged or the result exceeds 2 GiB. */
export const unpack = (bytes: Uint8Array): Buffer | null =>
  attempt(() => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_BYTES })) ?? null

export const isPackedFile = (path: string): boolean =>
  withFile(path, 'r', (file) => {
    const bytes = Buffer.alloc(gzipStart.length)
    readSync(file, bytes, 0, bytes.length, 0)
    return isPacked(bytes)
  })

export const unpackFile = (path: string): Buffer | null => unpack(readFileSync(path))
