import { z } from 'zod'
import { clientDraftSchema, clientPatchSchema, clientSchema } from '../model/client.ts'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { consentDraftSchema, consentGateSchema, consentSchema, consentScopeSchema } from '../model/consent.ts'
import { method } from './method.ts'

export const clientRowSchema = z.object({
  client: clientSchema,
  last_session_at: timestampSchema.nullable(),
  next_session_at: timestampSchema.nullable(),
  session_count: z.int().min(0),
  unsigned_notes: z.int().min(0),
  consented: z.array(consentScopeSchema),
})

export const clientMethods = {
  /** Search as you type: each word of `q` must begin a word of the name. Case and accents are ignored. */
  'clients.list': method(
    z.object({ q: lineSchema.optional(), status: z.enum(['active', 'archived']).optional() }),
    z.array(clientRowSchema),
  ),
  'clients.get': method(z.object({ id: idSchema }), clientRowSchema),
  'clients.create': method(clientDraftSchema, clientSchema),
  'clients.update': method(z.object({ id: idSchema, version: z.int(), patch: clientPatchSchema }), clientSchema),

  'consents.list': method(z.object({ client_id: idSchema }), z.array(consentSchema)),
  'consents.give': method(consentDraftSchema.omit({ id: true, given_at: true }), consentSchema),
  /** Stops a running recording at once if consent to it is now missing. The therapist decides what happens to the sound. */
  'consents.revoke': method(z.object({ id: idSchema }), consentSchema),
  'consents.gate': method(z.object({ session_id: idSchema }), consentGateSchema),
} as const

export type ClientRow = z.infer<typeof clientRowSchema>
