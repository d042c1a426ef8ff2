import { z } from 'zod'
import { idSchema } from '../model/common.ts'
import { voiceSchema } from '../model/voice.ts'
import { bytesSchema, method, nothing } from './method.ts'

/** The therapist's own voice, kept by the service that tells speakers apart. */
export const voiceMethods = {
  /** Null: the practice's service does not know voices. */
  'voices.get': method(nothing, voiceSchema.nullable()),
  /** Ten to twenty seconds of the therapist alone, as 16 kHz WAV. The sound is forgotten at once. */
  'voices.enroll': method(z.object({ wav: bytesSchema }), voiceSchema),
  /** From the therapist's own turns in the recording of a session. That sound is forgotten at once, too. */
  'voices.enrollFromSession': method(z.object({ session_id: idSchema }), voiceSchema),
  'voices.remove': method(nothing, voiceSchema),
} as const
