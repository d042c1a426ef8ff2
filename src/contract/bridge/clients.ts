import { z } from 'zod'
import { clientDraftSchema, clientPatchSchema, clientSchema } from '../model/client.ts'
import { dateSchema, idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { consentDraftSchema, consentGateSchema, consentSchema, consentScopeSchema } from '../model/consent.ts'
import { coverageRequestSchema, rawCoverageSchema, storedCoverageSchema } from '../model/coverage.ts'
import { authorisationDraftSchema, authorisationPatchSchema, authorisationSchema } from '../model/payer.ts'
import { engineStateSchema } from '../model/service-document.ts'
import { method } from './method.ts'

/** The practice's own number for a client. Known only on this computer, because the service's clients have no field for it. */
const recordNumberSchema = lineSchema.nullable()

export const clientRowSchema = z.object({
  client: clientSchema,
  record_number: recordNumberSchema,
  last_session_at: timestampSchema.nullable(),
  next_session_at: timestampSchema.nullable(),
  session_count: z.int().min(0),
  unsigned_notes: z.int().min(0),
  consented: z.array(consentScopeSchema),
})

export const clientMethods = {
  'clients.list': method(
    z.object({ q: lineSchema.optional(), status: z.enum(['active', 'archived']).optional() }),
    z.array(clientRowSchema),
  ),
  'clients.get': method(z.object({ id: idSchema }), clientRowSchema),
  'clients.create': method(clientDraftSchema, clientSchema),
  'clients.update': method(
    z.object({ id: idSchema, version: z.int(), patch: clientPatchSchema, record_number: recordNumberSchema.optional() }),
    clientSchema,
  ),

  'consents.list': method(z.object({ client_id: idSchema }), z.array(consentSchema)),
  'consents.give': method(consentDraftSchema.omit({ id: true, given_at: true }), consentSchema),
  /** Where the client's sessions now lack consent, also cancels pending work, erases insights, and stops a recording. */
  'consents.revoke': method(z.object({ id: idSchema }), consentSchema),
  'consents.gate': method(z.object({ session_id: idSchema }), consentGateSchema),
} as const

export type ClientRow = z.infer<typeof clientRowSchema>

const byClient = z.object({ client_id: idSchema })

export const coverageToldSchema = z.object({
  checks: z.array(storedCoverageSchema),
  authorisations: z.array(authorisationSchema),
  gateway: engineStateSchema.nullable(),
})

const clientCoverageSchema = coverageToldSchema.extend({
  answered_at: timestampSchema,
  is_old: z.boolean(),
})

export const coverageMethods = {
  'coverage.get': method(byClient, clientCoverageSchema),
  /** `is_still_asking`: the check continues in the background. */
  'coverage.check': method(
    byClient.extend({
      service_date: dateSchema.optional(),
      modality: coverageRequestSchema.shape.modality,
      cpt_codes: coverageRequestSchema.shape.cpt_codes,
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
