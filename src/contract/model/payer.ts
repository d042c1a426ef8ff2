import { z } from 'zod'
import { dateSchema, idSchema, lineSchema, named, orNull, recordFields, sentDateSchema, stripDefaults } from './common.ts'

/** Payer id of the sandbox, which invents its answers and contacts no payer. The cards of sample clients name this id. */
export const samplePayerId = 'AWSANDBOX'

export const payerDraftSchema = named('PayerDraft', "A payer for the practice's list.", {
  payer_id: lineSchema.min(1).describe('Payer id as on cards and in requests, for example `87726`.'),
  name: lineSchema.min(1).describe('Name of the payer.'),
  typed_names: z.array(lineSchema.min(1)).max(50).default([]).describe('Other spellings found on cards.'),
  trading_partner_ids: z
    .array(lineSchema.min(1))
    .max(20)
    .default([])
    .describe('Ids the gateway uses for this payer; the first is sent. If empty, `payer_id` is sent.'),
})

export const payerSchema = payerDraftSchema
  .extend(recordFields)
  .meta({ id: 'Payer', description: "A payer on the practice's list." })

const cptSchema = z.string().regex(/^[A-Z0-9]{5}$/i)

export const authorisationDraftSchema = named('AuthorizationDraft', "A payer's approval for a number of visits.", {
  client_id: idSchema.describe('Client the approval is for.'),
  payer_id: lineSchema.min(1).describe('Payer that approved.'),
  number: lineSchema.min(1).describe('Authorization number from the payer.'),
  visits_approved: z.int().min(1).max(10_000).nullable().default(null).describe('Visits approved; null: limited by dates only.'),
  visits_used_before: z.int().min(0).max(10_000).default(0).describe('Visits used elsewhere, or before this was entered.'),
  starts_on: sentDateSchema.describe('First day of the approval, `YYYY-MM-DD`. Years 1900 to 2200.'),
  ends_on: orNull(sentDateSchema).describe('Last day of the approval; null: no end. Years 1900 to 2200.'),
  cpt_codes: z.array(cptSchema).max(40).default([]).describe('CPT codes it covers; empty: all.'),
  cancelled: z.boolean().default(false).describe('True if it no longer counts.'),
})

const { client_id: _client, payer_id: _payer, ...changeable } = authorisationDraftSchema.shape

export const authorisationPatchSchema = z
  .object(stripDefaults(changeable))
  .partial()
  .meta({ id: 'AuthorizationPatch', description: 'Fields of an authorization to change. Fields left out stay as they are.' })

export const authorisationSchema = named('Authorization', "A payer's approval with the visits used so far.", {
  ...authorisationDraftSchema.shape,
  ...recordFields,
  starts_on: dateSchema.describe('First day of the approval, `YYYY-MM-DD`.'),
  ends_on: orNull(dateSchema).describe('Last day of the approval; null: no end.'),
  visits_used: z.int().min(0).describe('Visits used before, plus completed sessions it covers.'),
  visits_left: z.int().min(0).nullable().describe('Visits left; null if no number was approved.'),
})

export type PayerDraft = z.infer<typeof payerDraftSchema>
export type Payer = z.infer<typeof payerSchema>
export type AuthorisationDraft = z.infer<typeof authorisationDraftSchema>
export type AuthorisationPatch = z.infer<typeof authorisationPatchSchema>
export type Authorisation = z.infer<typeof authorisationSchema>
