import { z } from 'zod'
import { idSchema } from '../model/common.ts'
import { voiceSchema } from '../model/voice.ts'
import { bytesSchema, method, nothing } from './method.ts'

/** The therapist's voice profile, stored by the service for speaker identification. */
export const voiceMethods = {
  /** Null: the practice service has no speaker identification. */
  'voices.get': method(nothing, voiceSchema.nullable()),
  /** 10 to 20 seconds of the therapist alone, as 16 kHz WAV. The sound is discarded after enrollment. */
  'voices.enroll': method(z.object({ wav: bytesSchema }), voiceSchema),
  /** Uses the therapist's turns in a session recording. The extracted sound is discarded after enrollment. */
  'voices.enrollFromSession': method(z.object({ session_id: idSchema }), voiceSchema),
  'voices.remove': method(nothing, voiceSchema),
} as const
