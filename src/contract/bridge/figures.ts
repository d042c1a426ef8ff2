import { z } from 'zod'
import { analyticsSchema } from '../model/analytics.ts'
import { timestampSchema } from '../model/common.ts'
import { exportTicketSchema } from './library.ts'
import { method } from './method.ts'

export const figurePeriodSchema = z.enum(['four_weeks', 'twelve_weeks', 'year'])

/** Weeks are whole ones, Monday to Sunday, the present one included; a year is this year by months. */
const byPeriod = z.object({ period: figurePeriodSchema })

export const figureMethods = {
  'figures.read': method(
    byPeriod,
    z.object({
      analytics: analyticsSchema,
      answered_at: timestampSchema,
      /** The practice's service could not be asked: these are of `answered_at`. */
      is_old: z.boolean(),
    }),
  ),
  /** The same as a table, for a spreadsheet (RFC 4180). */
  'figures.export': method(byPeriod, exportTicketSchema),
} as const

export type FigurePeriod = z.infer<typeof figurePeriodSchema>
