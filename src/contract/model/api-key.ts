import { z } from 'zod'
import { roles } from '../rest/route.ts'
import { idSchema, lineSchema, named, pageQuerySchema, sentTimestampSchema, timestampSchema } from './common.ts'

/** The id is part of the key itself, so the service can find the record before it checks the secret. */
export const keyIdSchema = z.string().regex(/^[0-9A-Za-z]{16}$/, 'not the id of a key')

const MAX_RENEWAL_DAYS = 400
/** One week: enough time to replace a secret wherever it is used. */
const MAX_GRACE_MINUTES = 7 * 24 * 60

export const apiKeySchema = named('ApiKey', 'An API key without its secret.', {
  id: keyIdSchema.describe('Public part of the key, 16 characters; it appears in the key itself.'),
  name: lineSchema.describe('Name for people, for example the device that uses the key.'),
  person_id: idSchema.describe('Person the key acts for.'),
  roles: z.array(z.enum(roles)).describe("Roles the key lends. They never exceed the person's own."),
  mode: z.enum(['live', 'test']).describe('`test` keys reach sandbox engines only.'),
  created_at: timestampSchema.describe('When the key was made.'),
  expires_at: timestampSchema.nullable().describe('When the key stops working; null: never.'),
  rotated_at: timestampSchema.nullable().describe('When the secret was last replaced; null: never.'),
  grace_until: timestampSchema.nullable().describe('Until when the previous secret still works; null if there is none.'),
  revoked_at: timestampSchema.nullable().describe('When the key was revoked; null while it works.'),
  last_used_at: timestampSchema.nullable().describe('Last call with this key, to about a minute; null: never used.'),
  renews_for_days: z
    .int()
    .min(1)
    .max(MAX_RENEWAL_DAYS)
    .nullable()
    .optional()
    .describe('Each rotation extends the key by this many days; null: rotation does not change its end.'),
})

export const apiKeyWithSecretSchema = named('ApiKeyWithSecret', 'An API key with its new secret.', {
  ...apiKeySchema.shape,
  secret: z
    .string()
    .nullable()
    .describe('The full key to send as a bearer token. Shown once: null when the same call is replayed.'),
})

export const apiKeyDraftSchema = named('ApiKeyDraft', 'A new API key.', {
  name: lineSchema.min(1).describe('Name for people, for example the device that will use the key.'),
  roles: z.array(z.enum(roles)).min(1).max(roles.length).describe("Roles the key lends; at most the caller's own."),
  person_id: idSchema.optional().describe('Person the key acts for. Defaults to the caller.'),
  expires_at: sentTimestampSchema
    .optional()
    .describe('When the key stops working. Without it, the key has no end. Years 1900 to 2200.'),
  renews_for_days: z
    .int()
    .min(1)
    .max(MAX_RENEWAL_DAYS)
    .optional()
    .describe(
      'Makes the key end after this many days unless it is rotated, which extends it again. For devices that rotate their own key.',
    ),
  mode: z.enum(['live', 'test']).default('live').describe('`test` keys reach sandbox engines only.'),
})

export const apiKeyRotationSchema = named('ApiKeyRotation', 'How to replace a secret.', {
  grace_minutes: z
    .int()
    .min(0)
    .max(MAX_GRACE_MINUTES)
    .default(24 * 60)
    .describe('Minutes the previous secret keeps working; 0 ends it at once.'),
  secret: z
    .string()
    .max(200)
    .optional()
    .describe(
      'A new secret for this key made and already stored by the caller, so that a lost answer loses no key. Without it, the service makes one.',
    ),
})

export const apiKeyQuerySchema = pageQuerySchema
  .omit({ updated_since: true })
  .extend({ person_id: idSchema.optional().describe('Only keys of this person.') })

export type ApiKey = z.infer<typeof apiKeySchema>
export type ApiKeyWithSecret = z.infer<typeof apiKeyWithSecretSchema>
