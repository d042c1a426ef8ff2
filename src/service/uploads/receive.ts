import { createHash } from 'node:crypto'
import { AppError } from '#contract/errors.ts'
import type { BlobRef, Blobs, BlobState } from '../blobs/blobs.ts'
import { chunkBytes } from '../blobs/blobs.ts'
import { mediaTypeOf, tellingBytes } from '#engines/speech/media-type.ts'

/** What a request says its body is (tus checksum extension). */
export interface Checksum {
  readonly algorithm: 'sha1' | 'sha256'
  readonly digest: Buffer
}

/** Held until its checksum is known to fit. */
const mostChecked = 16 * 1024 * 1024

interface Receiving {
  readonly blobs: Blobs
  readonly blob: BlobRef
  /** Where the sender goes on, in bytes. */
  readonly offset: number
  /** All that is to come, in bytes. */
  readonly size: number
  readonly checksum: Checksum | null
  /** Asked before anything is kept: what was allowed at the beginning may not be so any more. Throws where it is not. */
  readonly requireAllowed: () => Promise<unknown>
}

/**
 * Takes bytes on from where the blob ends. What was taken is durable before anything is said of it: cut off in the
 * middle, all that arrived is kept, and the blob itself says how much that is.
 *
 * @throws AppError `checksum-mismatch`, `too-large`, `unsupported-media`, `upload-moved-on`, and what `requireAllowed` throws
 */
export async function receive(stream: AsyncIterable<Uint8Array>, receiving: Receiving): Promise<void> {
  const { blobs, blob, checksum } = receiving
  const state = await blobs.state(blob.id)
  // Another process may have taken more since the sender was told.
  if (state.bytes !== receiving.offset) throw new AppError('upload-moved-on')
  const sink = appendTo(receiving, state)
  if (checksum !== null) return sink.end(await checked(stream, checksum))
  const waiting = Buffer.allocUnsafe(chunkBytes)
  let length = 0
  try {
    for await (const bytes of stream) {
      for (let at = 0; at < bytes.length;) {
        const taken = Math.min(bytes.length - at, chunkBytes - length)
        waiting.set(bytes.subarray(at, at + taken), length)
        at += taken
        length += taken
        if (length < chunkBytes) continue
        length = 0
        await sink.append(waiting)
      }
    }
  } catch (error) {
    // Cut off: what arrived so far is kept.
    if (!(error instanceof AppError)) await sink.end(waiting.subarray(0, length))
    throw error
  }
  await sink.end(waiting.subarray(0, length))
}

function appendTo({ blobs, blob, size, requireAllowed }: Receiving, begun: BlobState) {
  let state = begun
  async function append(bytes: Uint8Array): Promise<void> {
    // A file that cannot be taken is refused by its first bytes, not by its last.
    if (state.bytes === 0 && (bytes.length >= tellingBytes || bytes.length === size)) mediaTypeOf(bytes.subarray(0, tellingBytes))
    await requireAllowed()
    const after = { bytes: state.bytes + bytes.length, chunks: state.chunks + 1 }
    if (!(await blobs.append(blob, state, bytes, after.bytes === size))) throw new AppError('upload-moved-on')
    state = after
  }
  return {
    append,
    end: async (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; at += chunkBytes) await append(bytes.subarray(at, at + chunkBytes))
    },
  }
}

async function checked(stream: AsyncIterable<Uint8Array>, { algorithm, digest }: Checksum): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const hash = createHash(algorithm)
  let length = 0
  for await (const bytes of stream) {
    length += bytes.length
    if (length > mostChecked) throw new AppError('too-large', 'A request with a checksum carries at most 16 MiB.')
    hash.update(bytes)
    parts.push(Buffer.from(bytes))
  }
  if (!hash.digest().equals(digest)) throw new AppError('checksum-mismatch')
  return Buffer.concat(parts, length)
}

/** @throws AppError `bad-request` */
export function checksumOf(header: string | null): Checksum | null {
  if (header === null) return null
  const [algorithm, encoded = ''] = header.trim().split(/\s+/)
  const digest = Buffer.from(encoded, 'base64')
  if (algorithm === 'sha256' && digest.length === 32) return { algorithm, digest }
  if (algorithm === 'sha1' && digest.length === 20) return { algorithm, digest }
  throw new AppError('bad-request', 'Upload-Checksum must name sha256 or sha1 and give the digest in base64.')
}
