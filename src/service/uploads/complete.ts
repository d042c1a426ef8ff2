import { createHash } from 'node:crypto'
import { timestamp } from '#base/clock.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#contract/errors.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { UploadServices } from './upload-services.ts'
import { inPractice } from '../store/in-practice.ts'
import type { SentUpload } from '../store/sent-uploads.ts'
import { changeSent, expireSent } from '../store/sent-uploads.ts'
import { mediaTypeOf, tellingBytes } from '#engines/speech/media-type.ts'

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
