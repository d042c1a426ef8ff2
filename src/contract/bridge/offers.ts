import { z } from 'zod'
import { method } from './method.ts'

export const recordSorts = ['clients', 'sessions', 'consents', 'transcripts', 'notes', 'templates', 'working_hours'] as const

export const serviceOffersSchema = z.object({
  service: z.enum(['embedded', 'remote']),
  /** False until the service's capabilities were first read. */
  is_known: z.boolean(),
  /** The service stores these; the others stay on this laptop. */
  kept_there: z.array(z.enum(recordSorts)),
  /** Changes that the service can't represent, by intent kind. */
  waiting: z.array(z.object({ kind: z.string(), count: z.int().min(1) })),
  /** Remote changes of these kinds are downloaded; working hours are read on demand. */
  brought_here: z.array(z.enum(recordSorts)),
  /** The service pushes changes; otherwise the app polls its lists. */
  tells_changes: z.boolean(),
  /** Local records the service once had and no longer shows to this user. */
  unlisted: z.array(z.object({ sort: z.enum(recordSorts), count: z.int().min(1) })),
})

export const offerMethods = {
  'service.offers': method(z.object({}), serviceOffersSchema),
} as const

export type ServiceOffers = z.infer<typeof serviceOffersSchema>
export type RecordSort = (typeof recordSorts)[number]
