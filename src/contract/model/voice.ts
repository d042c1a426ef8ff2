import { z } from 'zod'
import { timestampSchema } from './common.ts'

/**
 * The caller's own voice, as the service keeps it: numbers made from a few seconds of speech, no sound. They are biometric
 * data (45 CFR 164.514(b)(2)(i)(P)), so the numbers themselves are never given out.
 */
export const voiceSchema = z.object({
  /** Null: not enrolled. */
  enrolled_at: timestampSchema.nullable(),
  /** How much speech it was made from. */
  heard_ms: z.int().min(0).nullable(),
  /** False: not enrolled, or with another model than the one that is installed now. */
  usable: z.boolean(),
  /** The models that tell voices apart are there, so that one can be enrolled. */
  ready: z.boolean(),
})

export type Voice = z.infer<typeof voiceSchema>
