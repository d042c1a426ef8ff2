import { z } from 'zod'
import { idSchema, lineSchema } from '../model/common.ts'
import { importReportSchema, modelIdSchema, modelListSchema } from '../model/speech-model.ts'
import { voiceSchema } from '../model/me.ts'
import { bytesSchema, method, nothing } from './method.ts'

const byModel = z.object({ id: modelIdSchema })

export const modelMethods = {
  /** Fails with `not-offered` or `forbidden` if a practice service doesn't show its models to this user. */
  'models.list': method(nothing, modelListSchema),
  'models.install': method(byModel, modelListSchema),
  /** Cancels the installation and deletes partial downloads. */
  'models.cancel': method(byModel, modelListSchema),
  'models.remove': method(byModel, modelListSchema),
  'models.choose': method(byModel, modelListSchema),
  'models.test': method(byModel, modelListSchema),
  'models.import': method(
    z.object({ paths: z.array(z.string().trim().min(1).max(4096)).min(1).max(200), own_name: lineSchema.min(1).nullable() }),
    importReportSchema,
  ),
} as const

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
