import { createHash } from 'node:crypto'
import { timestamp } from '#base/clock.ts'
import { AppError, type ErrorCode } from '#contract/errors.ts'
import { type BlobRef, type Blobs, type BlobState, CHUNK_BYTES } from '../blobs/blobs.ts'
import type { UploadServices } from './upload-services.ts'
import { inPractice } from '../store/in-practice.ts'
import type { SentUpload } from '../store/uploads.ts'
import {
  changeSent,
  expireSent,
  findSent,
  blobRemoved,
  blobsToRemove,
  expiredSent,
  forgetExpired,
  practicesWithUploadsToSweep,
} from '../store/uploads.ts'
import { mediaTypeOf, TELLING_BYTES } from '#engines/speech/audio-source.ts'
import type { Call } from '#service/access/call.ts'
import { NotFound } from '#service/kernel/problem.ts'
import { errorKind } from '#base/log.ts'
import type { Database } from '../store/tables.ts'

/** Errors about the content itself, which expire the upload. */
const wrong: ReadonlySet<ErrorCode> = new Set(['checksum-mismatch', 'unsupported-media', 'recording-damaged'])

/** Can run again after a crash. `requireAllowed` is called after the read, which may take long. */
export async function completeUpload(
  { db, clock, blobs }: Pick<UploadServices, 'db' | 'clock'> & { readonly blobs: Pick<Blobs, 'read'> },
  practice: string,
  upload: SentUpload,
  requireAllowed: () => Promise<unknown> = async () => {},
): Promise<void> {
  try {
    const hash = createHash('sha256')
    let head: Buffer = Buffer.alloc(0)
    for await (const bytes of blobs.read(upload)) {
      hash.update(bytes)
      if (head.length < TELLING_BYTES) head = Buffer.concat([head, bytes.subarray(0, TELLING_BYTES)])
    }
    if (upload.sha256 !== null && hash.digest('hex') !== upload.sha256)
      throw new AppError('checksum-mismatch', 'All of it together is not what was announced. Send it again from the beginning.')
    const media_type = mediaTypeOf(head.subarray(0, TELLING_BYTES))
    await requireAllowed()
    await inPractice(db, practice, (write) => changeSent(write, practice, upload.id, { media_type, whole: 1 }))
  } catch (error) {
    const isWrong = error instanceof AppError && wrong.has(error.code)
    if (isWrong) await inPractice(db, practice, (write) => expireSent(write, practice, upload.id, timestamp(clock)))
    throw error
  }
}

export async function openUpload(
  { db, clock }: Pick<UploadServices, 'db' | 'clock'>,
  { practice, caller }: Pick<Call, 'practice' | 'caller'>,
  id: string,
): Promise<SentUpload> {
  const upload = await inPractice(db, practice, (read) => findSent(read, practice, id))
  if (upload?.person_id !== caller.person_id) throw new NotFound(id)
  if ('erased_at' in upload || Date.parse(upload.expires_at) <= clock.now())
    throw new AppError('gone', 'This upload has expired. Send it again.')
  return upload
}

/** An id that names no sent upload passes, because it may name a recording. */
export async function requireWhole(
  services: Pick<UploadServices, 'db' | 'clock' | 'blobs'>,
  call: Pick<Call, 'practice' | 'caller'>,
  id: string,
): Promise<void> {
  const { db, blobs } = services
  if ((await inPractice(db, call.practice, (read) => findSent(read, call.practice, id))) === null) return
  const upload = await openUpload(services, call, id)
  if (upload.whole === 1) return
  if ((await blobs.state(id)).bytes < upload.bytes)
    throw new AppError('conflict', 'Not all of this audio is here yet. Send the rest of it first.')
  await completeUpload(services, call.practice, upload)
}

type Parts = Pick<UploadServices, 'db' | 'clock' | 'blobs' | 'log'>

const REMEMBERED_MS = 7 * 24 * 3_600_000

export function uploadsToSweep(read: Database, now: number): Promise<string[]> {
  return practicesWithUploadsToSweep(read, new Date(now).toISOString(), new Date(now - REMEMBERED_MS).toISOString())
}

export async function sweepUploads({ db, clock, blobs }: Omit<Parts, 'log'>, practice: string): Promise<number> {
  const now = timestamp(clock)
  const ids = await inPractice(db, practice, async (write) => {
    for (const { id } of await expiredSent(write, practice, now)) await expireSent(write, practice, id, now)
    await forgetExpired(write, practice, new Date(clock.now() - REMEMBERED_MS).toISOString())
    return blobsToRemove(write, practice)
  })
  for (const id of ids) {
    await blobs.remove(id)
    await inPractice(db, practice, (write) => blobRemoved(write, id))
  }
  return ids.length
}

export function sweepUploadsSoon(parts: Parts, practice: string): void {
  setImmediate(() => {
    sweepUploads(parts, practice).catch((error: unknown) => parts.log.warn('uploads.sweep', { error: errorKind(error) }))
  })
}

interface Checksum {
  readonly algorithm: 'sha1' | 'sha256'
  readonly digest: Buffer
}

const MAX_CHECKED = 16 * 1024 * 1024

interface Receiving {
  readonly blobs: Blobs
  readonly blob: BlobRef
  readonly offset: number
  readonly size: number
  readonly checksum: Checksum | null
  readonly requireAllowed: () => Promise<unknown>
}

/** If the connection drops, received bytes stay, unless the request has a checksum. */
export async function receive(stream: AsyncIterable<Uint8Array>, receiving: Receiving): Promise<void> {
  const { blobs, blob, checksum } = receiving
  const state = await blobs.state(blob.id)
  if (state.bytes !== receiving.offset) throw new AppError('upload-moved-on')
  const sink = appendTo(receiving, state)
  if (checksum !== null) return sink.end(await checked(stream, checksum))
  const waiting = Buffer.allocUnsafe(CHUNK_BYTES)
  let length = 0
  try {
    for await (const bytes of stream) {
      for (let at = 0; at < bytes.length;) {
        const taken = Math.min(bytes.length - at, CHUNK_BYTES - length)
        waiting.set(bytes.subarray(at, at + taken), length)
        at += taken
        length += taken
        if (length < CHUNK_BYTES) continue
        length = 0
        await sink.append(waiting)
      }
    }
  } catch (error) {
    if (!(error instanceof AppError)) await sink.end(waiting.subarray(0, length))
    throw error
  }
  await sink.end(waiting.subarray(0, length))
}

function appendTo({ blobs, blob, size, requireAllowed }: Receiving, begun: BlobState) {
  let state = begun
  async function append(bytes: Uint8Array): Promise<void> {
    if (state.bytes === 0 && (bytes.length >= TELLING_BYTES || bytes.length === size))
      mediaTypeOf(bytes.subarray(0, TELLING_BYTES))
    await requireAllowed()
    const after = { bytes: state.bytes + bytes.length, chunks: state.chunks + 1 }
    if (!(await blobs.append(blob, state, bytes, after.bytes === size))) throw new AppError('upload-moved-on')
    state = after
  }
  return {
    append,
    end: async (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await append(bytes.subarray(at, at + CHUNK_BYTES))
    },
  }
}

async function checked(stream: AsyncIterable<Uint8Array>, { algorithm, digest }: Checksum): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const hash = createHash(algorithm)
  let length = 0
  for await (const bytes of stream) {
    length += bytes.length
    if (length > MAX_CHECKED) throw new AppError('too-large', 'A request with a checksum carries at most 16 MiB.')
    hash.update(bytes)
    parts.push(Buffer.from(bytes))
  }
  if (!hash.digest().equals(digest)) throw new AppError('checksum-mismatch')
  return Buffer.concat(parts, length)
}

export function checksumOf(header: string | null): Checksum | null {
  if (header === null) return null
  const [algorithm, encoded = ''] = header.trim().split(/\s+/)
  const digest = Buffer.from(encoded, 'base64')
  if (algorithm === 'sha256' && digest.length === 32) return { algorithm, digest }
  if (algorithm === 'sha1' && digest.length === 20) return { algorithm, digest }
  throw new AppError('bad-request', 'Upload-Checksum must name sha256 or sha1 and give the digest in base64.')
}
