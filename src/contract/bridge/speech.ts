import { z } from 'zod'
import { idSchema, lineSchema } from '../model/common.ts'
import { importReportSchema, modelIdSchema, modelListSchema } from '../model/speech-model.ts'
import { voiceSchema } from '../model/me.ts'
import { bytesSchema, method, nothing } from './method.ts'

const byModel = z.object({ id: modelIdSchema })

export const modelMethods = {
  'models.list': method(nothing, modelListSchema),
  'models.install': method(byModel, modelListSchema),
  'models.cancel': method(byModel, modelListSchema),
  'models.remove': method(byModel, modelListSchema),
  'models.choose': method(byModel, modelListSchema),
  'models.test': method(byModel, modelListSchema),
  'models.import': method(
    z.object({ paths: z.array(z.string().trim().min(1).max(4096)).min(1).max(200), own_name: lineSchema.min(1).nullable() }),
    importReportSchema,
  ),
} as const

export const voiceMethods = {
  'voices.get': method(nothing, voiceSchema.nullable()),
  'voices.enroll': method(z.object({ wav: bytesSchema }), voiceSchema),
  'voices.enrollFromSession': method(z.object({ session_id: idSchema }), voiceSchema),
  'voices.remove': method(nothing, voiceSchema),
} as const
