import { z } from 'zod'
import { dateSchema, idSchema, lineSchema, recordFields, sentDateSchema } from './common.ts'

/** Names the sandbox on the card of a sample client: its answers are invented, and no real client is asked about there. */
export const samplePayerId = 'AWSANDBOX'

/** A payer as the practice knows it, so that what is typed from a card finds the id a gateway wants. */
export const payerDraftSchema = z.object({
  /** As requests and clients' cards name it, e.g. "87726". */
  payer_id: lineSchema.min(1),
  name: lineSchema.min(1),
  /** Other spellings that stand on cards or were typed. */
  typed_names: z.array(lineSchema.min(1)).max(50).default([]),
  /** What gateways call it; the first is sent. Empty: `payer_id` is. */
  trading_partner_ids: z.array(lineSchema.min(1)).max(20).default([]),
})

export const payerSchema = payerDraftSchema.extend(recordFields)

const cptSchema = z.string().regex(/^[A-Z0-9]{5}$/i)

/** A payer's leave for a number of visits. */
export const authorisationDraftSchema = z.object({
  client_id: idSchema,
  payer_id: lineSchema.min(1),
  /** As the payer gave it. */
  number: lineSchema.min(1),
  /** Null: for the time alone, however many visits. */
  visits_approved: z.int().min(1).max(10_000).nullable().default(null),
  /** Used up elsewhere, or before this was entered. */
  visits_used_before: z.int().min(0).max(10_000).default(0),
  starts_on: sentDateSchema,
  ends_on: sentDateSchema.nullable().default(null),
  /** Empty: for every code. */
  cpt_codes: z.array(cptSchema).max(40).default([]),
  cancelled: z.boolean().default(false),
})

export const authorisationPatchSchema = z
  .object({
    number: lineSchema.min(1),
    visits_approved: z.int().min(1).max(10_000).nullable(),
    visits_used_before: z.int().min(0).max(10_000),
    starts_on: sentDateSchema,
    ends_on: sentDateSchema.nullable(),
    cpt_codes: z.array(cptSchema).max(40),
    cancelled: z.boolean(),
  })
  .partial()

export const authorisationSchema = authorisationDraftSchema.extend({
  ...recordFields,
  starts_on: dateSchema,
  ends_on: dateSchema.nullable().default(null),
  /** Those before, and the completed sessions that fall under it. */
  visits_used: z.int().min(0),
  /** Null where no number was approved. */
  visits_left: z.int().min(0).nullable(),
})

export type PayerDraft = z.infer<typeof payerDraftSchema>
export type Payer = z.infer<typeof payerSchema>
export type AuthorisationDraft = z.infer<typeof authorisationDraftSchema>
export type AuthorisationPatch = z.infer<typeof authorisationPatchSchema>
export type Authorisation = z.infer<typeof authorisationSchema>
