import { z } from 'zod'
import { roles } from '../rest/route.ts'
import { apiKeySchema } from './api-key.ts'
import { idSchema, lineSchema, named, timestampSchema } from './common.ts'

export const planSchema = z
  .enum(['free', 'professional', 'enterprise'])
  .meta({ id: 'Plan', description: 'Plan of a practice. It sets the daily quota: 100, 10,000 or none.' })

/** Limit of counted API calls per practice and UTC day; null: no limit. */
export const dailyQuota: Readonly<Record<z.infer<typeof planSchema>, number | null>> = {
  free: 100,
  professional: 10_000,
  enterprise: null,
}

export const meSchema = named('Me', 'The caller as the service sees it.', {
  practice: z
    .object({ id: idSchema.describe('Id of the practice.'), name: lineSchema.describe('Name of the practice.') })
    .describe('Practice the credential belongs to.'),
  person_id: idSchema.describe('Person the credential acts for.'),
  name: lineSchema.nullable().describe("The person's name; null if the practice has no staff entry for them."),
  roles: z.array(z.enum(roles)).describe('Roles this call is made with.'),
  consent_policy: z
    .enum(['enforced', 'asserted'])
    .describe(
      '`enforced`: the service checks stored consents. `asserted`: by calling, the caller states that consent was given.',
    ),
  plan: planSchema.describe('Plan of the practice.'),
  quota: z
    .object({
      limit: z.int().describe('Counted calls the practice may make per UTC day.'),
      used: z.int().min(0).describe('Counted calls made today.'),
      resets_at: timestampSchema.describe('When the count starts over.'),
    })
    .nullable()
    .describe("Today's quota (UTC day); null on a plan without one."),
  key: apiKeySchema.nullable().describe('The API key of this call; null for other credentials.'),
  has_former_secret: z.boolean().describe("True if this call used the key's previous secret, which ends with the grace period."),
  ends_at: timestampSchema.nullable().describe('When this credential stops working; null: never.'),
})

export type Me = z.infer<typeof meSchema>

/** A voice print is biometric data (45 CFR 164.514(b)(2)(i)(P)), so no answer contains it. */
export const voiceSchema = named('Voice', 'Voice enrollment of the caller. The voice print itself is never returned.', {
  enrolled_at: timestampSchema.nullable().describe('When the voice was enrolled; null: not enrolled.'),
  heard_ms: z.int().min(0).nullable().describe('Speech it was made from, in milliseconds; null: not enrolled.'),
  usable: z.boolean().describe('True if the enrollment works with the installed model.'),
  ready: z.boolean().describe('True if the models to enroll a voice are installed.'),
})

export type Voice = z.infer<typeof voiceSchema>
