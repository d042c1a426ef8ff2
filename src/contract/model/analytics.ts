import { z } from 'zod'
import { dateSchema } from './common.ts'

export const figuresSchema = z.object({
  sessions_by_status: z.record(z.string(), z.int().min(0)),
  hours: z.number().min(0),
  /** Null where nothing was scheduled: unknown is never 0. */
  no_show_rate: z.number().min(0).max(1).nullable(),
  notes_due: z.int().min(0),
  notes_signed: z.int().min(0),
  median_hours_to_sign: z.number().min(0).nullable(),
  recording_minutes: z.number().min(0),
  transcription_minutes: z.number().min(0),
  clients_active: z.int().min(0),
  clients_new: z.int().min(0),
  quota_used_today: z.int().min(0),
})

export const analyticsSchema = z.object({
  from: dateSchema,
  to: dateSchema,
  totals: figuresSchema,
  series: z.array(z.object({ from: dateSchema, to: dateSchema, figures: figuresSchema })),
})
