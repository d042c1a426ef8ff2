import { z } from 'zod'
import { timestampSchema } from './common.ts'

/**
 * The service stores a voice as numbers made from a few seconds of speech, without the sound. They are biometric data
 * (45 CFR 164.514(b)(2)(i)(P)), so no answer contains them.
 */
export const voiceSchema = z
  .object({
    enrolled_at: timestampSchema.nullable().describe('When the voice was enrolled; null: not enrolled.'),
    heard_ms: z.int().min(0).nullable().describe('Speech it was made from, in milliseconds; null: not enrolled.'),
    usable: z.boolean().describe('True if the enrollment works with the installed model.'),
    ready: z.boolean().describe('True if the models to enroll a voice are installed.'),
  })
  .meta({ id: 'Voice', description: 'Voice enrollment of the caller. The voice print itself is never returned.' })

export type Voice = z.infer<typeof voiceSchema>
