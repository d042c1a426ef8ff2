import { z } from 'zod'
import { roles } from '../rest/route.ts'
import { idSchema, lineSchema, pageQuerySchema, timestampSchema } from './common.ts'

/** The part of a key that names it; the rest is the secret. */
export const keyIdSchema = z.string().regex(/^[0-9A-Za-z]{16}$/, 'not the id of a key')

/** A week is as long as any change of keys takes. */
const longestGraceMinutes = 7 * 24 * 60

export const apiKeySchema = z.object({
  id: keyIdSchema,
  name: lineSchema,
  /** Whose calls it makes. */
  person_id: idSchema,
  roles: z.array(z.enum(roles)),
  /** A `test` key reaches sandbox engines only. */
  mode: z.enum(['live', 'test']),
  created_at: timestampSchema,
  expires_at: timestampSchema.nullable(),
  rotated_at: timestampSchema.nullable(),
  /** Until when the secret before the last rotation still works. */
  grace_until: timestampSchema.nullable(),
  revoked_at: timestampSchema.nullable(),
  /** To about a minute. */
  last_used_at: timestampSchema.nullable(),
})

/** The answer that makes a secret; null when the same call is answered again, since it is kept nowhere. */
export const apiKeyWithSecretSchema = apiKeySchema.extend({ secret: z.string().nullable() })

export const apiKeyDraftSchema = z.object({
  name: lineSchema.min(1),
  roles: z.array(z.enum(roles)).min(1).max(roles.length),
  /** The caller where it is left out. */
  person_id: idSchema.optional(),
  expires_at: timestampSchema.optional(),
  mode: z.enum(['live', 'test']).default('live'),
})

export const apiKeyRotationSchema = z.object({
  /** How long the secret of before still works; 0 ends it at once. */
  grace_minutes: z
    .int()
    .min(0)
    .max(longestGraceMinutes)
    .default(24 * 60),
})

export const apiKeyQuerySchema = pageQuerySchema.omit({ updated_since: true }).extend({ person_id: idSchema.optional() })

export type ApiKey = z.infer<typeof apiKeySchema>
export type ApiKeyWithSecret = z.infer<typeof apiKeyWithSecretSchema>
