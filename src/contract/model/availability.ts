import { z } from 'zod'
import { FIRST_YEAR, LAST_YEAR, idSchema, lineSchema, recordFields, sentDateSchema, timeZoneSchema } from './common.ts'

const clock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?`

/** Wall time in the zone beside it, so without `Z` or offset: `2026-11-24T15:00`, seconds optional. */
export const wallTimeSchema = z
  .string()
  .regex(
    new RegExp(`^\\d{4}-\\d{2}-\\d{2}T${clock}$`),
    { error: 'a time on the clock of its time zone, without Z or offset: 2026-11-24T15:00', abort: true },
  )
  .refine(
    (time) => sentDateSchema.safeParse(time.slice(0, 10)).success,
    `not a day between the years ${FIRST_YEAR} and ${LAST_YEAR}`,
  )
  .describe(
    `On the clock of the time zone beside it, without Z or offset: 2026-11-24T15:00; years ${FIRST_YEAR} to ${LAST_YEAR}.`,
  )
export const clockTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
export const weekdaySchema = z.enum(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'])

/** One stretch of a weekday. `24:00` is the end of the day; what goes past midnight is two stretches. */
export const weeklyStretchSchema = z
  .object({ day: weekdaySchema, from: clockTimeSchema, to: z.union([clockTimeSchema, z.literal('24:00')]) })
  .refine(({ from, to }) => from < to, 'ends before it begins')

const weekly = z.array(weeklyStretchSchema).max(70)

/** When one clinician works, week by week. */
const hoursSchema = z.object({
  kind: z.literal('hours'),
  clinician_id: idSchema,
  time_zone: timeZoneSchema,
  weekly,
  /** First and last day; null: without end. */
  valid_from: sentDateSchema.nullable().default(null),
  valid_to: sentDateSchema.nullable().default(null),
  /** As many sessions a day as they take. */
  most_per_day: z.int().min(1).max(50).nullable().default(null),
  /** Minutes kept free around each session. */
  buffer_before: z.int().min(0).max(240).default(0),
  buffer_after: z.int().min(0).max(240).default(0),
})

const away = {
  time_zone: timeZoneSchema,
  from: wallTimeSchema,
  to: wallTimeSchema,
  note: lineSchema.nullable().default(null),
}

/** Vacation, illness, training of one clinician. */
const timeOffSchema = z.object({ kind: z.literal('time_off'), clinician_id: idSchema, ...away })
/** Nobody works: a holiday of the practice. */
const closureSchema = z.object({ kind: z.literal('closure'), ...away })
/** One room cannot be used: builders, another tenant. */
const roomClosedSchema = z.object({ kind: z.literal('room_closed'), room_id: idSchema, ...away })

/** What was given up stays as a record and counts no more. */
const state = { status: z.enum(['active', 'withdrawn']).default('active') }

export const availabilityDraftSchema = z
  .discriminatedUnion('kind', [
    hoursSchema.extend(state),
    timeOffSchema.extend(state),
    closureSchema.extend(state),
    roomClosedSchema.extend(state),
  ])
  .refine((one) => one.kind === 'hours' || one.from < one.to, { path: ['to'], error: 'ends before it begins' })

export const availabilitySchema = z.discriminatedUnion('kind', [
  hoursSchema.extend(state).extend(recordFields),
  timeOffSchema.extend(state).extend(recordFields),
  closureSchema.extend(state).extend(recordFields),
  roomClosedSchema.extend(state).extend(recordFields),
])

export type AvailabilityDraft = z.infer<typeof availabilityDraftSchema>
export type Availability = z.infer<typeof availabilitySchema>
