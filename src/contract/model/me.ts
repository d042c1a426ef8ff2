import { z } from 'zod'
import { roles } from '../rest/route.ts'
import { apiKeySchema } from './api-key.ts'
import { idSchema, lineSchema, timestampSchema } from './common.ts'
import { planSchema } from './plan.ts'

/** Who calls, as the service takes it, and how far this goes. */
export const meSchema = z.object({
  practice: z.object({ id: idSchema, name: lineSchema }),
  person_id: idSchema,
  /** As the practice knows this person; null where it has no entry of them. */
  name: lineSchema.nullable(),
  roles: z.array(z.enum(roles)),
  /** `asserted`: whoever calls says that consent was given; it is not looked up. */
  consent_policy: z.enum(['enforced', 'asserted']),
  plan: planSchema,
  /** Counted calls of the practice in this UTC day; null where there is no end to them. */
  quota: z.object({ limit: z.int(), used: z.int().min(0), resets_at: timestampSchema }).nullable(),
  /** The key this call was made with; null where it was none. */
  key: apiKeySchema.nullable(),
  /** Made with the secret from before the key's last rotation, which ends with the grace period. */
  has_former_secret: z.boolean(),
  /** When what this call was made with ends by itself; null: never. */
  ends_at: timestampSchema.nullable(),
})

export type Me = z.infer<typeof meSchema>
