import { createHash, createSecretKey, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { open, seal } from '#base/aead.ts'
import { rename, syncFolder, writeAll } from '#base/durable-file.ts'

/**
 * Encrypted export of one practice. The key is in a separate file.
 *
 *     file   =  'AWMOVE01', file id (16 bytes), frames
 *     frame  =  length (4 bytes, big endian), nonce, AES-256-GCM ciphertext, tag
 *               associated data: file id, frame number (8 bytes)
 *
 * Each frame holds one JSON entry. The last entry is `end`, so truncation is detected.
 */
const MAGIC = Buffer.from('AWMOVE01')
const ID_BYTES = 16
/** An uploaded transcript has at most 16 MiB, and JSON escapes a character in up to six bytes. */
const MAX_FRAME_BYTES = 128 * 1024 * 1024

const hashed = z.object({ count: z.int().min(0), sha256: z.string().length(64) })
export type Hashed = z.infer<typeof hashed>

const valueSchema = z.union([z.string(), z.number(), z.null(), z.object({ bytes: z.base64() })])
const rowSchema = z.record(z.string(), valueSchema)
export type PortableRow = z.infer<typeof rowSchema>

const entrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('practice'),
    schema: z.int(),
    id: z.uuid(),
    name: z.string(),
    plan: z.enum(['free', 'professional', 'enterprise']),
    created_at: z.string(),
    exported_at: z.string(),
    key_peppers: z.array(z.base64()),
    chain: z.object({ earlier: z.array(z.object({ through: z.int(), hash: z.string(), key: z.string().nullable() })) }),
  }),
  z.object({ kind: z.literal('row'), table: z.string(), row: rowSchema }),
  z.object({ kind: z.literal('chunk'), name: z.string().regex(/^[0-9a-f-]{36}\/\d{8}$/), bytes: z.base64() }),
  z.object({ kind: z.literal('end'), tables: z.record(z.string(), hashed), chunks: hashed }),
])
export type Entry = z.infer<typeof entrySchema>
export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>

export function createTally() {
  const hash = createHash('sha256')
  let count = 0
  return {
    add(text: string | Uint8Array): void {
      count += 1
      hash.update(text).update('\n')
    },
    sum: (): Hashed => ({ count, sha256: hash.copy().digest('hex') }),
  }
}

export function rowText(row: PortableRow): string {
  return JSON.stringify(Object.entries(row).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

export interface TransferWriter {
  add(entry: Entry): void
  finish(): void
  discard(): void
}

export function writeTransfer(path: string, key: Uint8Array): TransferWriter {
  const sealing = createSecretKey(key)
  const id = randomBytes(ID_BYTES)
  const partial = `${path}.partial`
  const file = openSync(partial, 'w', 0o600)
  let number = 0
  writeAll(file, Buffer.concat([MAGIC, id]))
  return {
    add(entry) {
      const sealed = seal(sealing, Buffer.from(JSON.stringify(entry)), placeOf(id, number))
      const length = Buffer.alloc(4)
      length.writeUInt32BE(sealed.length)
      writeAll(file, Buffer.concat([length, sealed]))
      number += 1
    },
    finish() {
      fsyncSync(file)
      closeSync(file)
      rename(partial, path)
      syncFolder(dirname(path))
    },
    discard() {
      closeSync(file)
      rmSync(partial, { force: true })
    },
  }
}

export class UnreadableTransfer extends Error {
  override readonly name = 'UnreadableTransfer'
}

export function* readTransfer(path: string, key: Uint8Array): Generator<Entry> {
  const opening = createSecretKey(key)
  const file = openSync(path, 'r')
  try {
    const start = bytesAt(file, MAGIC.length + ID_BYTES)
    if (start === null || !start.subarray(0, MAGIC.length).equals(MAGIC)) throw new UnreadableTransfer('It holds no practice.')
    const id = start.subarray(MAGIC.length)
    for (let number = 0; ; number += 1) {
      const length = bytesAt(file, 4)?.readUInt32BE() ?? 0
      const sealed = length > 0 && length <= MAX_FRAME_BYTES ? bytesAt(file, length) : null
      const text = sealed === null ? null : open(opening, sealed, placeOf(id, number))
      if (text === null)
        throw new UnreadableTransfer(
          number === 0 ? 'It does not open with this key, or it is damaged.' : 'It is damaged, or was cut off.',
        )
      const entry = entrySchema.parse(JSON.parse(text.toString()))
      yield entry
      if (entry.kind === 'end') break
    }
    if (bytesAt(file, 1) !== null) throw new UnreadableTransfer('It goes on after its end.')
  } finally {
    closeSync(file)
  }
}

function placeOf(id: Uint8Array, number: number): Buffer {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(number))
  return Buffer.concat([id, counter])
}

function bytesAt(file: number, length: number): Buffer | null {
  const bytes = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const more = readSync(file, bytes, read, length - read, null)
    if (more === 0) return null
    read += more
  }
  return bytes
}
