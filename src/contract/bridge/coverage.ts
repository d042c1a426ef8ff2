import { z } from 'zod'
import { dateSchema, idSchema, timestampSchema } from '../model/common.ts'
import { coverageRequestSchema, rawCoverageSchema, storedCoverageSchema } from '../model/coverage.ts'
import { authorisationDraftSchema, authorisationPatchSchema, authorisationSchema } from '../model/payer.ts'
import { engineStateSchema } from '../model/service-document.ts'
import { method } from './method.ts'

const byClient = z.object({ client_id: idSchema })

export const coverageToldSchema = z.object({
  /** Newest first, including failed checks. */
  checks: z.array(storedCoverageSchema),
  authorisations: z.array(authorisationSchema),
  /** State of the eligibility gateway; null if the service doesn't report it. */
  gateway: engineStateSchema.nullable(),
})

const clientCoverageSchema = coverageToldSchema.extend({
  answered_at: timestampSchema,
  /** True if the service was unreachable; this is then the cached answer from `answered_at`. */
  is_old: z.boolean(),
})

export const coverageMethods = {
  'coverage.get': method(byClient, clientCoverageSchema),
  /** Asks the payer on the client's card. Waits up to a minute; after that the check continues in the background. */
  'coverage.check': method(
    byClient.extend({
      service_date: dateSchema.optional(),
      modality: coverageRequestSchema.shape.modality,
      cpt_codes: coverageRequestSchema.shape.cpt_codes,
      /** Set if another person holds the plan. */
      subscriber: coverageRequestSchema.shape.subscriber,
    }),
    z.object({ coverage: clientCoverageSchema, is_still_asking: z.boolean() }),
  ),
  'coverage.original': method(z.object({ eligibility_id: idSchema }), rawCoverageSchema),
  'authorisations.add': method(authorisationDraftSchema, authorisationSchema),
  'authorisations.change': method(
    z.object({ id: idSchema, version: z.int(), patch: authorisationPatchSchema }),
    authorisationSchema,
  ),
} as const

export type ClientCoverage = z.infer<typeof clientCoverageSchema>
export type CoverageTold = z.infer<typeof coverageToldSchema>
