import { z } from 'zod'
import { lineSchema } from '../model/common.ts'
import { importReportSchema, modelIdSchema, modelListSchema } from '../model/speech-model.ts'
import { method, nothing } from './method.ts'

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
