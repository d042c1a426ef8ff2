import { z } from 'zod'
import { method } from './method.ts'

/** What a service is told of, or would be if it took the like. */
export const recordSorts = ['clients', 'sessions', 'consents', 'transcripts', 'notes', 'templates', 'working_hours'] as const

/** Where what is done here goes. */
export const serviceOffersSchema = z.object({
  /** `embedded`: all of it is on this laptop, in one place. */
  service: z.enum(['embedded', 'remote']),
  /** False until the service was asked for the first time. */
  is_known: z.boolean(),
  /** The service gets and keeps these; the others stay on this laptop. */
  kept_there: z.array(z.enum(recordSorts)),
  /** Records that the service cannot be told of, by what would be told. */
  waiting: z.array(z.object({ kind: z.string(), count: z.int().min(1) })),
  /** What is made or changed elsewhere comes to this laptop, of these; working hours are asked for when they are looked at. */
  brought_here: z.array(z.enum(recordSorts)),
  /** The service says what was changed as it happens; otherwise its lists are looked through now and then. */
  tells_changes: z.boolean(),
  /** Records here that the service had, and no longer shows to whoever this is. */
  unlisted: z.array(z.object({ sort: z.enum(recordSorts), count: z.int().min(1) })),
})

export const offerMethods = {
  'service.offers': method(z.object({}), serviceOffersSchema),
} as const

export type ServiceOffers = z.infer<typeof serviceOffersSchema>
export type RecordSort = (typeof recordSorts)[number]
