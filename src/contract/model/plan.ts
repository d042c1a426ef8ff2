import { z } from 'zod'

export const planSchema = z
  .enum(['free', 'professional', 'enterprise'])
  .meta({ id: 'Plan', description: 'Plan of a practice. It sets the daily quota: 100, 10,000 or none.' })

/** Counted calls that a practice may make per UTC day; null: no limit. */
export const dailyQuota: Readonly<Record<z.infer<typeof planSchema>, number | null>> = {
  free: 100,
  professional: 10_000,
  enterprise: null,
}
