import { z } from 'zod'

export const planSchema = z
  .enum(['free', 'professional', 'enterprise'])
  .meta({ id: 'Plan', description: 'Plan of a practice. It sets the daily quota: 100, 10,000 or none.' })

/** Counted calls of a practice in one UTC day; null without an end. */
export const dailyQuota: Readonly<Record<z.infer<typeof planSchema>, number | null>> = {
  free: 100,
  professional: 10_000,
  enterprise: null,
}
