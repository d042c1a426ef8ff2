import { z } from 'zod'
import {
  idSchema,
  lineSchema,
  minutesSchema,
  named,
  orNull,
  paragraphSchema,
  recordFields,
  sentTimestampSchema,
  stripDefaults,
  timestampSchema,
  timeZoneSchema,
} from './common.ts'
import { wallTimeSchema } from './availability.ts'

export const sessionTypeSchema = z
  .enum(['individual', 'couple', 'family', 'group', 'intake', 'crisis', 'consultation'])
  .meta({ id: 'SessionType', description: 'Kind of session.' })
export const modalitySchema = z
  .enum(['in_person', 'video', 'phone'])
  .meta({ id: 'Modality', description: 'How client and clinician meet.' })
export const sessionStatusSchema = z
  .enum(['proposed', 'scheduled', 'in_progress', 'completed', 'cancelled', 'no_show'])
  .meta({ id: 'SessionStatus', description: '`proposed`: booked offline and not yet accepted by the service.' })

export const participantSchema = named('Participant', 'A person in the room besides the clinician.', {
  name: lineSchema.min(1).describe('Name of the person.'),
  role: z
    .enum(['client', 'partner', 'parent', 'guardian', 'family', 'group_member', 'interpreter', 'other'])
    .describe("The person's part in the session."),
})

const sentRecurrenceSchema = z.object({
  rrule: z.string().max(500).describe('Recurrence rule (RFC 5545), for example `FREQ=WEEKLY;COUNT=10`.'),
  exdates: z.array(sentTimestampSchema).max(500).describe('Starts the series leaves out, UTC. Years 1900 to 2200.'),
  wall_start: wallTimeSchema.describe("Local start of the first session in the session's time zone, without offset."),
})

export const recurrenceSchema = named('Recurrence', 'Rule of a series.', {
  ...sentRecurrenceSchema.shape,
  exdates: z.array(timestampSchema).max(500).describe('Starts the series leaves out, UTC.'),
  wall_start: z.string().max(40).describe("Local start of the first session in the session's time zone."),
})

export const sessionDraftSchema = z.object({
  id: idSchema.optional().describe('Id for the new session, chosen by the caller (any UUID). Without it, the service makes one.'),
  client_id: idSchema.describe('Client the session is with.'),
  session_type: sessionTypeSchema.describe('Kind of session.'),
  starts_at: sentTimestampSchema.describe(
    'Start in UTC, ending in `Z`; an offset such as `-05:00` is refused. A past time is accepted. Years 1900 to 2200.',
  ),
  duration_minutes: minutesSchema.describe('Scheduled length in minutes.'),
  modality: modalitySchema.default('in_person').describe('How client and clinician meet.'),
  clinician_id: orNull(idSchema).describe(
    'Clinician who holds the session. If null is sent: the caller, if a clinician or supervisor who is not an owner; otherwise the clinician of the client. Null in an answer: the session belongs to the owner.',
  ),
  status: sessionStatusSchema.default('scheduled').describe('Stage of the session.'),
  participants: z
    .array(participantSchema)
    .max(40)
    .default([])
    .describe('People in the room besides the clinician; empty: the client alone.'),
  time_zone: timeZoneSchema
    .default('UTC')
    .describe('IANA time zone the session was booked in. A series keeps its local time in it.'),
  recurrence: orNull(sentRecurrenceSchema).describe('Rule of a series; null for a single session.'),
  room_id: orNull(idSchema).describe('Room; null: none.'),
  cpt_code: orNull(lineSchema).describe('CPT code to bill, for example `90837`; null: none chosen.'),
  presenting_concerns: z.array(paragraphSchema).max(40).default([]).describe('Concerns the client raised, one per entry.'),
})

export const sessionSchema = named('Session', 'A therapy session or appointment.', {
  ...sessionDraftSchema.shape,
  ...recordFields,
  starts_at: timestampSchema.describe('Start, UTC.'),
  recurrence: orNull(recurrenceSchema).describe('Rule of a series; null for a single session.'),
  ends_at: timestampSchema.describe('End, UTC: `starts_at` plus `duration_minutes`.'),
  started_at: timestampSchema.nullable().describe('Actual start, from the recording or entered by hand; null if unknown.'),
  finished_at: timestampSchema.nullable().describe('Actual end, from the recording or entered by hand; null if unknown.'),
  series_id: idSchema.nullable().describe('Series the session belongs to; null for a single session.'),
  occurrence_start: timestampSchema
    .nullable()
    .describe('Start this session had by the rule of its series; null for a single session.'),
  withheld: z.array(z.string()).optional().describe("Names of fields the caller's role does not see; they are empty."),
})

const changeable = sessionDraftSchema.omit({ id: true, client_id: true, clinician_id: true, recurrence: true }).shape

export const sessionPatchSchema = z
  .object({
    ...stripDefaults(changeable),
    starts_at: sentTimestampSchema.describe('Start, UTC. Years 1900 to 2200.'),
    started_at: sentTimestampSchema.nullable().describe('Actual start; null if unknown. Years 1900 to 2200.'),
    finished_at: sentTimestampSchema.nullable().describe('Actual end; null if unknown. Years 1900 to 2200.'),
  })
  .partial()
  .meta({ id: 'SessionPatch', description: 'Fields of a session to change. Fields left out stay as they are.' })

export type Participant = z.infer<typeof participantSchema>
export type SessionDraft = z.infer<typeof sessionDraftSchema>
export type Session = z.infer<typeof sessionSchema>
export type SessionPatch = z.infer<typeof sessionPatchSchema>
export type SessionType = z.infer<typeof sessionTypeSchema>
