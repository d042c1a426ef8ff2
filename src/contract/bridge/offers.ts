import { z } from 'zod'
import { method } from './method.ts'

export const recordSorts = ['clients', 'sessions', 'consents', 'transcripts', 'notes', 'templates', 'working_hours'] as const

export const serviceOffersSchema = z.object({
  service: z.enum(['embedded', 'remote']),
  /** False until the app has read what the service offers. */
  is_known: z.boolean(),
  /** Records that the service stores; the others stay on this laptop. */
  kept_there: z.array(z.enum(recordSorts)),
  /** Changes that stay on this laptop because the service has no place for them, by kind of change. */
  waiting: z.array(z.object({ kind: z.string(), count: z.int().min(1) })),
  /** Records whose changes are downloaded from the service. Working hours are read when they are shown. */
  brought_here: z.array(z.enum(recordSorts)),
  /** True if the service announces changes; otherwise the app polls its lists. */
  tells_changes: z.boolean(),
  /** Records on this laptop that the service had once and no longer lists for this user. */
  unlisted: z.array(z.object({ sort: z.enum(recordSorts), count: z.int().min(1) })),
})

export const offerMethods = {
  'service.offers': method(z.object({}), serviceOffersSchema),
} as const

export type ServiceOffers = z.infer<typeof serviceOffersSchema>
export type RecordSort = (typeof recordSorts)[number]
