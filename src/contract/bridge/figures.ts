import { z } from 'zod'
import { analyticsSchema } from '../model/analytics.ts'
import { timestampSchema } from '../model/common.ts'
import { exportTicketSchema } from './library.ts'
import { method } from './method.ts'

export const figurePeriodSchema = z.enum(['four_weeks', 'twelve_weeks', 'year'])

/** Weeks run from Monday to Sunday and include the current one. `year` is the current calendar year by month. */
const byPeriod = z.object({ period: figurePeriodSchema })

export const figureMethods = {
  'figures.read': method(
    byPeriod,
    z.object({
      analytics: analyticsSchema,
      answered_at: timestampSchema,
      /** True if the practice service was unreachable; these are then the cached figures from `answered_at`. */
      is_old: z.boolean(),
    }),
  ),
  /** CSV (RFC 4180). */
  'figures.export': method(byPeriod, exportTicketSchema),
} as const

export type FigurePeriod = z.infer<typeof figurePeriodSchema>
