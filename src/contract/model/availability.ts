import { z } from 'zod'
import { dateSchema, idSchema, lineSchema, recordFields, timeZoneSchema } from './common.ts'

/** Wall time without offset, read in the zone beside it. */
export const wallTimeSchema = z.iso.datetime({ local: true, offset: false })
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
  valid_from: dateSchema.nullable().default(null),
  valid_to: dateSchema.nullable().default(null),
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
