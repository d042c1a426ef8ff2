import { z } from 'zod'
import { dateSchema, idSchema, timestampSchema } from '../model/common.ts'
import { coverageRequestSchema, rawCoverageSchema, storedCoverageSchema } from '../model/coverage.ts'
import { authorisationDraftSchema, authorisationPatchSchema, authorisationSchema } from '../model/payer.ts'
import { engineStateSchema } from '../model/service-document.ts'
import { method } from './method.ts'

const byClient = z.object({ client_id: idSchema })

/** What the service tells of a client's cover. */
export const coverageToldSchema = z.object({
  /** What the payer said, newest first; checks that failed stand among them and hide none. */
  checks: z.array(storedCoverageSchema),
  authorisations: z.array(authorisationSchema),
  /** Who can be asked now; null where the service does not say. */
  gateway: engineStateSchema.nullable(),
})

const clientCoverageSchema = coverageToldSchema.extend({
  answered_at: timestampSchema,
  /** The service could not be asked: this is of `answered_at`. */
  is_old: z.boolean(),
})

export const coverageMethods = {
  'coverage.get': method(byClient, clientCoverageSchema),
  /** Asks the payer on the client's card now. It may take a minute, and longer than that goes on by itself. */
  'coverage.check': method(
    byClient.extend({
      service_date: dateSchema.optional(),
      modality: coverageRequestSchema.shape.modality,
      cpt_codes: coverageRequestSchema.shape.cpt_codes,
      /** Where the plan is somebody else's. */
      subscriber: coverageRequestSchema.shape.subscriber,
    }),
    z.object({ coverage: clientCoverageSchema, is_still_asking: z.boolean() }),
  ),
  /** The payer's answer as it came. */
  'coverage.original': method(z.object({ eligibility_id: idSchema }), rawCoverageSchema),
  'authorisations.add': method(authorisationDraftSchema, authorisationSchema),
  'authorisations.change': method(
    z.object({ id: idSchema, version: z.int(), patch: authorisationPatchSchema }),
    authorisationSchema,
  ),
} as const

export type ClientCoverage = z.infer<typeof clientCoverageSchema>
export type CoverageTold = z.infer<typeof coverageToldSchema>
