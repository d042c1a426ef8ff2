import { z } from 'zod'
import { idSchema, timestampSchema } from './common.ts'

export const sentUploadSchema = z
  .object({
    id: idSchema.describe('Id of the upload. Pass it as `audio.upload_id`.'),
    session_id: idSchema.nullable().describe("Session named in the upload's metadata; null if none."),
    complete: z.boolean().describe('True once all audio arrived, matches what was announced and can be transcribed.'),
    bytes: z.int().min(0).describe('Announced size in bytes.'),
    offset: z.int().min(0).describe('Bytes stored so far; continue from here.'),
    media_type: z.string().nullable().describe('Format found in the first bytes; null until they arrived.'),
    expires_at: timestampSchema.describe('When the audio is deleted if it is not transcribed.'),
  })
  .meta({ id: 'UploadState', description: 'State of an audio upload.' })

export type SentUpload = z.infer<typeof sentUploadSchema>
