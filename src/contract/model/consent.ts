import { z } from 'zod'
import { idSchema, languageSchema, lineSchema, recordFields, sentTimestampSchema, timestampSchema } from './common.ts'
import { participantSchema } from './session.ts'

/** Each scope is agreed to on its own (45 CFR 164.508 asks for specific authorisations). */
export const consentScopeSchema = z.enum(['record', 'transcribe', 'draft', 'analyze', 'retain'])

export const consentDraftSchema = z.object({
  id: idSchema.optional(),
  client_id: idSchema,
  participant: participantSchema,
  scopes: z.array(consentScopeSchema).min(1),
  /** Which wording was read or shown. */
  text_version: lineSchema.min(1),
  language: languageSchema.default('en'),
  method: z.enum(['spoken', 'written', 'electronic']),
  given_at: sentTimestampSchema,
  witness: lineSchema.nullable().default(null),
})

/** Never edited, only revoked. */
export const consentSchema = consentDraftSchema.extend({
  ...recordFields,
  given_at: timestampSchema,
  revoked_at: timestampSchema.nullable(),
})

/** Whether everyone present has agreed to a scope, and who has not. */
export const consentGateSchema = z.object({
  granted: z.array(consentScopeSchema),
  missing: z.array(z.object({ participant: participantSchema, scopes: z.array(consentScopeSchema) })),
})

export type ConsentScope = z.infer<typeof consentScopeSchema>
export type ConsentDraft = z.infer<typeof consentDraftSchema>
export type Consent = z.infer<typeof consentSchema>
export type ConsentGate = z.infer<typeof consentGateSchema>
