import { z } from 'zod'
import { FIRST_YEAR, idSchema, LAST_YEAR, lineSchema, orNull, recordFields, sentDateSchema, timeZoneSchema } from './common.ts'

const clock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?`

export const wallTimeSchema = z
  .string()
  .regex(new RegExp(`^\\d{4}-\\d{2}-\\d{2}T${clock}$`), {
    error: 'a time on the clock of its time zone, without Z or offset: 2026-11-24T15:00',
    abort: true,
  })
  .refine(
    (time) => sentDateSchema.safeParse(time.slice(0, 10)).success,
    `not a day between the years ${FIRST_YEAR} and ${LAST_YEAR}`,
  )
  .describe(
    `On the clock of the time zone beside it, without Z or offset: 2026-11-24T15:00; years ${FIRST_YEAR} to ${LAST_YEAR}.`,
  )
export const clockTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)
export const weekdaySchema = z
  .enum(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'])
  .meta({ id: 'Weekday', description: 'Day of the week as in RFC 5545.' })

export const weeklyStretchSchema = z
  .object({
    day: weekdaySchema.describe('Day of the week.'),
    from: clockTimeSchema.describe('Start, `HH:MM` on a 24-hour clock.'),
    to: z.union([clockTimeSchema, z.literal('24:00')]).describe('End, `HH:MM`; `24:00` is the end of the day.'),
  })
  .refine(({ from, to }) => from < to, 'ends before it begins')
  .meta({ id: 'WeeklyHours', description: 'One stretch of a weekday. Hours past midnight are two stretches.' })

const weekly = z.array(weeklyStretchSchema).max(70)

const state = {
  status: z.enum(['active', 'withdrawn']).default('active').describe('`withdrawn` entries stay as records and no longer count.'),
}

const hoursSchema = z.object({
  kind: z.literal('hours').describe('Working hours of one clinician.'),
  clinician_id: idSchema.describe('Clinician these hours belong to.'),
  time_zone: timeZoneSchema.describe('IANA time zone the hours are in.'),
  weekly: weekly.describe('Hours of a week.'),
  valid_from: orNull(sentDateSchema).describe('First day these hours hold; null: no start. Years 1900 to 2200.'),
  valid_to: orNull(sentDateSchema).describe('Last day these hours hold; null: no end. Years 1900 to 2200.'),
  most_per_day: orNull(z.int().min(1).max(50)).describe('Most sessions the clinician takes in a day; null: no limit.'),
  buffer_before: z.int().min(0).max(240).default(0).describe('Minutes to keep free before each session.'),
  buffer_after: z.int().min(0).max(240).default(0).describe('Minutes to keep free after each session.'),
  ...state,
})

const away = {
  time_zone: timeZoneSchema.describe('IANA time zone of `from` and `to`.'),
  from: wallTimeSchema.describe('Start as local time without offset.'),
  to: wallTimeSchema.describe('End as local time without offset; must be later than `from`.'),
  note: orNull(lineSchema).describe('Reason for people of the practice; null if none.'),
  ...state,
}

const timeOffSchema = z.object({
  kind: z.literal('time_off').describe('Time off of one clinician: vacation, illness, training.'),
  clinician_id: idSchema.describe('Clinician who is away.'),
  ...away,
})
const closureSchema = z.object({ kind: z.literal('closure').describe('The whole practice is closed.'), ...away })
const roomClosedSchema = z.object({
  kind: z.literal('room_closed').describe('One room cannot be used.'),
  room_id: idSchema.describe('Room that cannot be used.'),
  ...away,
})

export const availabilityDraftSchema = z
  .discriminatedUnion('kind', [hoursSchema, timeOffSchema, closureSchema, roomClosedSchema])
  .refine((one) => one.kind === 'hours' || one.from < one.to, { path: ['to'], error: 'ends before it begins' })
  .meta({
    id: 'AvailabilityDraft',
    description: 'Working hours, time off, a closure of the practice or of a room, as stored by the caller.',
  })

export const availabilitySchema = z
  .discriminatedUnion('kind', [
    hoursSchema.extend(recordFields),
    timeOffSchema.extend(recordFields),
    closureSchema.extend(recordFields),
    roomClosedSchema.extend(recordFields),
  ])
  .meta({ id: 'Availability', description: 'Working hours, time off, a closure of the practice or of a room.' })

export type AvailabilityDraft = z.infer<typeof availabilityDraftSchema>
export type Availability = z.infer<typeof availabilitySchema>

const roomBody = {
  name: lineSchema.min(1, 'a name is needed').describe('Name of the room.'),
  capacity: z.int().min(1).max(200).default(3).describe('People the room holds, clinician included.'),
  time_zone: timeZoneSchema.default('UTC').describe('IANA time zone of the opening hours.'),
  open: z.array(weeklyStretchSchema).max(70).default([]).describe('When the room is open; empty: always.'),
  status: z.enum(['active', 'archived']).default('active').describe('Archived rooms are no longer booked.'),
}

export const roomDraftSchema = z.object(roomBody).meta({ id: 'RoomDraft', description: 'A room as stored by the caller.' })
export const roomSchema = z
  .object({ ...roomBody, ...recordFields })
  .meta({ id: 'Room', description: 'A room in which sessions take place.' })

export type RoomDraft = z.infer<typeof roomDraftSchema>
export type Room = z.infer<typeof roomSchema>
