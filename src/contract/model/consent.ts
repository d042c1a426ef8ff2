import { z } from 'zod'
import {
  idSchema,
  languageSchema,
  lineSchema,
  listOf,
  named,
  newIdSchema,
  orNull,
  recordFields,
  sentTimestampSchema,
  timestampSchema,
} from './common.ts'
import { participantSchema } from './session.ts'

export const consentScopeSchema = z
  .enum(['record', 'transcribe', 'draft', 'analyze', 'retain'])
  .meta({ id: 'ConsentScope', description: 'One thing a person can agree to. Each is agreed to separately.' })

export const consentDraftSchema = named('ConsentDraft', 'A consent to record.', {
  id: newIdSchema,
  client_id: idSchema.describe('Client whose sessions the consent covers.'),
  participant: participantSchema.describe('Person who agreed.'),
  scopes: z.array(consentScopeSchema).min(1).max(consentScopeSchema.options.length).describe('What the person agreed to.'),
  text_version: lineSchema.min(1).describe('Version of the consent text that was read or shown.'),
  language: languageSchema.default('en').describe('Language of the consent text (BCP 47).'),
  method: z.enum(['spoken', 'written', 'electronic']).describe('How consent was given.'),
  given_at: sentTimestampSchema.describe('When consent was given. Years 1900 to 2200.'),
  witness: orNull(lineSchema).describe('Name of a witness; null if there was none.'),
})

export const consentSchema = named('Consent', 'A recorded consent. It never changes; it can only be revoked.', {
  ...consentDraftSchema.shape,
  ...recordFields,
  given_at: timestampSchema.describe('When consent was given.'),
  revoked_at: timestampSchema.nullable().describe('When consent was revoked; null while it holds.'),
})

export const consentGateSchema = z.object({
  granted: z.array(consentScopeSchema),
  missing: listOf({ participant: participantSchema, scopes: z.array(consentScopeSchema) }),
})

export type ConsentScope = z.infer<typeof consentScopeSchema>
export type ConsentDraft = z.infer<typeof consentDraftSchema>
export type Consent = z.infer<typeof consentSchema>
export type ConsentGate = z.infer<typeof consentGateSchema>
