import { z } from 'zod'
import { idSchema, paragraphSchema, recordFields, timestampSchema } from './common.ts'

export const breakGlassDraftSchema = z.object({
  id: idSchema.optional(),
  client_id: idSchema,
  reason: paragraphSchema.min(10, 'say what happened, so that it can be looked at afterwards'),
  /** HL7 PurposeOfUse: emergency treatment. */
  purpose: z.literal('ETREAT'),
})

export const breakGlassReviewSchema = z.object({
  outcome: z.enum(['justified', 'not_justified']),
  comment: paragraphSchema.default(''),
})

/** One client's records, opened in an emergency to one person for an hour. Without a review it is a notice and a task. */
export const breakGlassSchema = breakGlassDraftSchema.extend({
  ...recordFields,
  person_id: idSchema,
  /** Null for readers who see ids alone. */
  reason: paragraphSchema.nullable(),
  ends_at: timestampSchema,
  /** The end of the next working day, UTC. */
  review_due_at: timestampSchema,
  review: breakGlassReviewSchema.extend({ comment: paragraphSchema.nullable(), by: idSchema, at: timestampSchema }).nullable(),
})

export type BreakGlass = z.infer<typeof breakGlassSchema>
