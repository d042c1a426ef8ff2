import { z } from 'zod'
import { roles } from '../rest/route.ts'
import { idSchema, lineSchema, pageQuerySchema, sentTimestampSchema, timestampSchema } from './common.ts'

/** The part of a key that names it; the rest is the secret. */
export const keyIdSchema = z.string().regex(/^[0-9A-Za-z]{16}$/, 'not the id of a key')

/** A week is as long as any change of keys takes. */
const longestRenewalDays = 400
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
  /** Each rotation makes it good for so many days from then; null: it ends when it ends. */
  renews_for_days: z.int().min(1).max(longestRenewalDays).nullable().optional(),
})

/** The answer that makes a secret; null when the same call is answered again, since it is kept nowhere. */
export const apiKeyWithSecretSchema = apiKeySchema.extend({ secret: z.string().nullable() })

export const apiKeyDraftSchema = z.object({
  name: lineSchema.min(1),
  roles: z.array(z.enum(roles)).min(1).max(roles.length),
  /** The caller where it is left out. */
  person_id: idSchema.optional(),
  expires_at: sentTimestampSchema.optional(),
  /** For a device that rotates its key by itself: a key that is lost or forgotten ends, one that is used goes on. */
  renews_for_days: z.int().min(1).max(longestRenewalDays).optional(),
  mode: z.enum(['live', 'test']).default('live'),
})

export const apiKeyRotationSchema = z.object({
  /** How long the secret of before still works; 0 ends it at once. */
  grace_minutes: z
    .int()
    .min(0)
    .max(longestGraceMinutes)
    .default(24 * 60),
  /**
   * A new secret of the same key that the caller made, in the form of ours, and keeps already: should this answer be
   * lost, no key is. Left out, it is made here and shown once.
   */
  secret: z.string().max(200).optional(),
})

export const apiKeyQuerySchema = pageQuerySchema.omit({ updated_since: true }).extend({ person_id: idSchema.optional() })

export type ApiKey = z.infer<typeof apiKeySchema>
export type ApiKeyWithSecret = z.infer<typeof apiKeyWithSecretSchema>
