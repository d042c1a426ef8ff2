import { z } from 'zod'
import { lineSchema } from '../model/common.ts'
import { importReportSchema, modelIdSchema, modelListSchema } from '../model/speech-model.ts'
import { method, nothing } from './method.ts'

const byModel = z.object({ id: modelIdSchema })

/** Speech models of the service that is set up; embedded, those on this laptop. */
export const modelMethods = {
  /** Fails with `not-found` or `forbidden` where a practice's service keeps its models to itself. */
  'models.list': method(nothing, modelListSchema),
  /** Begins; how far it is comes as `models.changed`. */
  'models.install': method(byModel, modelListSchema),
  /** Stops an installation; what was fetched of it goes. */
  'models.cancel': method(byModel, modelListSchema),
  'models.remove': method(byModel, modelListSchema),
  'models.choose': method(byModel, modelListSchema),
  'models.test': method(byModel, modelListSchema),
  /** From a folder or files of this laptop, by their absolute paths. */
  'models.import': method(
    z.object({ paths: z.array(z.string().trim().min(1).max(4096)).min(1).max(200), own_name: lineSchema.min(1).nullable() }),
    importReportSchema,
  ),
} as const
