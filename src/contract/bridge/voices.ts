import { z } from 'zod'
import { idSchema } from '../model/common.ts'
import { voiceSchema } from '../model/voice.ts'
import { bytesSchema, method, nothing } from './method.ts'

/** The therapist's voice profile. The service stores it to find the therapist's turns in a transcript. */
export const voiceMethods = {
  /** Null if the practice service does not enroll voices. */
  'voices.get': method(nothing, voiceSchema.nullable()),
  /** Takes 10 to 20 seconds of the therapist alone as 16 kHz WAV. The sound is discarded after enrollment. */
  'voices.enroll': method(z.object({ wav: bytesSchema }), voiceSchema),
  /** Uses the therapist's turns in the recording of a session. The sound cut out for this is discarded after enrollment. */
  'voices.enrollFromSession': method(z.object({ session_id: idSchema }), voiceSchema),
  'voices.remove': method(nothing, voiceSchema),
} as const
