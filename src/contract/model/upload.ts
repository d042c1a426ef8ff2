import { z } from 'zod'
import { idSchema, timestampSchema } from './common.ts'

/** Audio that is sent in parts, as it stands. */
export const sentUploadSchema = z.object({
  id: idSchema,
  session_id: idSchema.nullable(),
  /** All of it is here, fits what was announced, and can be transcribed. */
  complete: z.boolean(),
  bytes: z.int().min(0),
  /** Bytes that are here to stay; sending goes on behind them. */
  offset: z.int().min(0),
  /** What its first bytes say it is; null until they are here. */
  media_type: z.string().nullable(),
  expires_at: timestampSchema,
})

export type SentUpload = z.infer<typeof sentUploadSchema>
