import { AppError } from '#contract/errors.ts'
import type { Call } from '#service/access/call.ts'
import type { UploadServices } from './upload-services.ts'
import { inPractice } from '../store/in-practice.ts'
import { findSent } from '../store/sent-uploads.ts'
import { completeUpload } from './complete.ts'
import { openUpload } from './open-upload.ts'

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
