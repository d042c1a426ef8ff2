export interface UploadLimits {
  /** Of one upload. Three hours of stereo sound at 48 kHz, uncompressed, are two of these. */
  readonly mostBytes: number
  /** Of one practice at once. */
  readonly mostUploads: number
  /** After this an upload is gone, whatever became of it. */
  readonly keptMs: number
}

export const usualLimits: UploadLimits = { mostBytes: 1024 ** 3, mostUploads: 100, keptMs: 24 * 3_600_000 }
