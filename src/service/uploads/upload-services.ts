import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { ByteBudget } from '#service/access/byte-budget.ts'
import type { Database } from '../store/tables.ts'

export interface UploadServices {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly blobs: Blobs
  readonly uploads: UploadLimits
  readonly bytes: ByteBudget
}

export interface UploadLimits {
  readonly mostBytes: number
  readonly mostUploads: number
  readonly keptMs: number
}

export const usualLimits: UploadLimits = { mostBytes: 1024 ** 3, mostUploads: 100, keptMs: 24 * 3_600_000 }

export const tusExtensions = ['creation', 'creation-with-upload', 'termination', 'checksum', 'expiration']

export function uploadOptions({ mostBytes }: UploadLimits): Record<string, string> {
  return {
    'Tus-Resumable': '1.0.0',
    'Tus-Version': '1.0.0',
    'Tus-Extension': tusExtensions.join(','),
    'Tus-Max-Size': String(mostBytes),
    'Tus-Checksum-Algorithm': 'sha256,sha1',
  }
}
