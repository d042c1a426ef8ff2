import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { ByteBudget } from '#service/access/byte-budget.ts'
import type { Database } from '../store/tables.ts'

/** What sending audio in parts needs of the service. */
export interface UploadServices {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly blobs: Blobs
  readonly uploads: UploadLimits
  /** What one person may send. */
  readonly bytes: ByteBudget
}

export interface UploadLimits {
  /** Of one upload. Three hours of stereo sound at 48 kHz, uncompressed, are two of these. */
  readonly mostBytes: number
  /** Of one practice at once. */
  readonly mostUploads: number
  /** After this an upload is gone, whatever became of it. */
  readonly keptMs: number
}

export const usualLimits: UploadLimits = { mostBytes: 1024 ** 3, mostUploads: 100, keptMs: 24 * 3_600_000 }

export const tusExtensions = ['creation', 'creation-with-upload', 'termination', 'checksum', 'expiration']

/** The upload server's capabilities, public (OPTIONS). */
export function uploadOptions({ mostBytes }: UploadLimits): Record<string, string> {
  return {
    'Tus-Resumable': '1.0.0',
    'Tus-Version': '1.0.0',
    'Tus-Extension': tusExtensions.join(','),
    'Tus-Max-Size': String(mostBytes),
    'Tus-Checksum-Algorithm': 'sha256,sha1',
  }
}
