import { AppError } from '#contract/errors.ts'
import type { Call } from '#service/access/call.ts'
import type { UploadServices } from './upload-services.ts'
import { inPractice } from '../store/in-practice.ts'
import type { SentUpload } from '../store/sent-uploads.ts'
import { findSent } from '../store/sent-uploads.ts'
import { NotFound } from '#service/kernel/not-found.ts'

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
