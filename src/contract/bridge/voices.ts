import { z } from 'zod'
import { voiceSchema } from '../model/voice.ts'
import { bytesSchema, method, nothing } from './method.ts'

/** The therapist's own voice, kept by the service that tells speakers apart. */
export const voiceMethods = {
  /** Null: the practice's service does not know voices. */
  'voices.get': method(nothing, voiceSchema.nullable()),
  /** Ten to twenty seconds of the therapist alone, as 16 kHz WAV. The sound is forgotten at once. */
  'voices.enroll': method(z.object({ wav: bytesSchema }), voiceSchema),
  'voices.remove': method(nothing, voiceSchema),
} as const
