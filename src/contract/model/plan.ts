import { z } from 'zod'

export const planSchema = z.enum(['free', 'professional', 'enterprise'])

/** Counted calls of a practice in one UTC day; null without an end. */
export const dailyQuota: Readonly<Record<z.infer<typeof planSchema>, number | null>> = {
  free: 100,
  professional: 10_000,
  enterprise: null,
}
