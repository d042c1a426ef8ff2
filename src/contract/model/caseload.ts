import { z } from 'zod'
import { idSchema, named, newIdSchema, paragraphSchema, recordFields, timestampSchema } from './common.ts'

export const breakGlassDraftSchema = named('BreakGlassDraft', "A request to open one client's records in an emergency.", {
  id: newIdSchema,
  client_id: idSchema.describe('Client whose records to open.'),
  reason: paragraphSchema
    .min(10, 'say what happened, so that it can be looked at afterwards')
    .describe('What happened, at least 10 characters. The owner reads it when reviewing.'),
  purpose: z.literal('ETREAT').describe('HL7 purpose of use: emergency treatment.'),
})

export const breakGlassReviewSchema = named('BreakGlassReview', "The owner's review of an emergency.", {
  outcome: z.enum(['justified', 'not_justified']).describe('Whether the owner finds the access justified.'),
  comment: paragraphSchema.default('').describe('Comment of the owner.'),
})

export const breakGlassSchema = named('BreakGlass', "One client's records, opened to one person for 60 minutes.", {
  ...breakGlassDraftSchema.shape,
  ...recordFields,
  person_id: idSchema.describe('Person the records are open to.'),
  reason: paragraphSchema.nullable().describe('What happened; null for readers who see ids only.'),
  ends_at: timestampSchema.describe('When the access ends.'),
  review_due_at: timestampSchema.describe("When the owner's review is due: end of the next working day, UTC."),
  review: breakGlassReviewSchema
    .extend({
      comment: paragraphSchema.nullable().describe('Comment of the owner; null for readers who see ids only.'),
      by: idSchema.describe('Person who reviewed.'),
      at: timestampSchema.describe('When it was reviewed.'),
    })
    .nullable()
    .describe("The owner's review; null until it is done."),
})

export type BreakGlass = z.infer<typeof breakGlassSchema>

export const reassignmentSchema = z.object({
  ...recordFields,
  client_id: idSchema.describe('Client who was reassigned.'),
  from_clinician_id: idSchema.nullable().describe('Clinician until then; null: the owner’s own caseload.'),
  to_clinician_id: idSchema.nullable().describe('Clinician from then on; null: the owner’s own caseload.'),
  by: idSchema.describe('Person who reassigned the client.'),
})

export type Reassignment = z.infer<typeof reassignmentSchema>
