import { timestamp } from '#base/clock.ts'
import { errorKind } from '#base/log.ts'
import type { UploadServices } from './upload-services.ts'
import { inPractice } from '../store/in-practice.ts'
import {
  blobRemoved,
  blobsToRemove,
  expiredSent,
  expireSent,
  forgetExpired,
  practicesWithUploadsToSweep,
} from '../store/sent-uploads.ts'
import type { Database } from '../store/tables.ts'

type Parts = Pick<UploadServices, 'db' | 'clock' | 'blobs' | 'log'>

/** How long it is known that an upload was there and expired. */
const rememberedMs = 7 * 24 * 3_600_000

/** Practices for which `sweepUploads` has something to do. */
export function uploadsToSweep(read: Database, now: number): Promise<string[]> {
  return practicesWithUploadsToSweep(read, new Date(now).toISOString(), new Date(now - rememberedMs).toISOString())
}

/** Uploads whose time is over lose their keys; then the bytes of all that were let go are removed. Says how many. */
export async function sweepUploads({ db, clock, blobs }: Omit<Parts, 'log'>, practice: string): Promise<number> {
  const now = timestamp(clock)
  const ids = await inPractice(db, practice, async (write) => {
    for (const { id } of await expiredSent(write, practice, now)) await expireSent(write, practice, id, now)
    await forgetExpired(write, practice, new Date(clock.now() - rememberedMs).toISOString())
    return blobsToRemove(write, practice)
  })
  for (const id of ids) {
    await blobs.remove(id)
    await inPractice(db, practice, (write) => blobRemoved(write, id))
  }
  return ids.length
}

/**
 * As soon as the write that is under way is through: it holds the practice until then. What fails now is made up for by
 * the sweep that comes now and then.
 */
export function sweepUploadsSoon(parts: Parts, practice: string): void {
  setImmediate(() => {
    sweepUploads(parts, practice).catch((error: unknown) => parts.log.warn('uploads.sweep', { error: errorKind(error) }))
  })
}
