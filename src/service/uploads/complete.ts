import { createHash } from 'node:crypto'
import { timestamp } from '#base/clock.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#contract/errors.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { UploadServices } from './upload-services.ts'
import { inPractice } from '../store/in-practice.ts'
import type { SentUpload } from '../store/sent-uploads.ts'
import { changeSent, expireSent, findSent } from '../store/sent-uploads.ts'
import { mediaTypeOf, tellingBytes } from '#engines/speech/media-type.ts'
import type { Call } from '#service/access/call.ts'
import { NotFound } from '#service/kernel/not-found.ts'

/** What says something of the bytes themselves; whatever else fails passes, and the upload stands until it is over. */
const wrong: ReadonlySet<ErrorCode> = new Set(['checksum-mismatch', 'unsupported-media', 'recording-damaged'])

/**
 * Once all bytes are there, they are read back as they stand and held against what their sender said of them. Found
 * wrong, nothing of them is kept: they can never become right. Done again after a crash it comes to the same.
 *
 * @param requireAllowed asked once it was read, which takes a while
 * @throws AppError `checksum-mismatch`, `unsupported-media`, `recording-damaged`, and what `requireAllowed` throws
 */
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
      if (head.length < tellingBytes) head = Buffer.concat([head, bytes.subarray(0, tellingBytes)])
    }
    if (upload.sha256 !== null && hash.digest('hex') !== upload.sha256)
      throw new AppError('checksum-mismatch', 'All of it together is not what was announced. Send it again from the beginning.')
    const media_type = mediaTypeOf(head.subarray(0, tellingBytes))
    await requireAllowed()
    await inPractice(db, practice, (write) => changeSent(write, practice, upload.id, { media_type, whole: 1 }))
  } catch (error) {
    const isWrong = error instanceof AppError && wrong.has(error.code)
    if (isWrong) await inPractice(db, practice, (write) => expireSent(write, practice, upload.id, timestamp(clock)))
    throw error
  }
}

/**
 * An upload is its sender's alone.
 *
 * @throws AppError `not-found`, `gone` where its time is over
 */
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

/**
 * Of audio that is sent in parts, all of it is here. What stands here as a recording is whole anyway.
 *
 * @throws AppError `not-found`, `gone`, `conflict`, and what is found wrong with it
 */
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
