import { z } from 'zod'
import { analyticsSchema } from '../model/analytics.ts'
import { timestampSchema } from '../model/common.ts'
import { exportTicketSchema } from './library.ts'
import { method } from './method.ts'

export const figurePeriodSchema = z.enum(['four_weeks', 'twelve_weeks', 'year'])

/** Whole weeks, Monday to Sunday, including the current one; a year is the current year by month. */
const byPeriod = z.object({ period: figurePeriodSchema })

export const figureMethods = {
  'figures.read': method(
    byPeriod,
    z.object({
      analytics: analyticsSchema,
      answered_at: timestampSchema,
      /** The practice service was unreachable; these are the cached figures from `answered_at`. */
      is_old: z.boolean(),
    }),
  ),
  /** CSV (RFC 4180). */
  'figures.export': method(byPeriod, exportTicketSchema),
} as const

export type FigurePeriod = z.infer<typeof figurePeriodSchema>
