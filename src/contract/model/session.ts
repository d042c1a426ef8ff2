import { z } from 'zod'
import {
  idSchema,
  lineSchema,
  paragraphSchema,
  recordFields,
  sentTimestampSchema,
  timestampSchema,
  timeZoneSchema,
} from './common.ts'
import { wallTimeSchema } from './availability.ts'

export const sessionTypeSchema = z.enum(['individual', 'couple', 'family', 'group', 'intake', 'crisis', 'consultation'])
export const modalitySchema = z.enum(['in_person', 'video', 'phone'])
export const sessionStatusSchema = z.enum(['proposed', 'scheduled', 'in_progress', 'completed', 'cancelled', 'no_show'])

/** Somebody in the room besides the therapist; each must have agreed before the microphone opens. */
export const participantSchema = z.object({
  name: lineSchema.min(1),
  role: z.enum(['client', 'partner', 'parent', 'guardian', 'family', 'group_member', 'interpreter', 'other']),
})

const sentRecurrenceSchema = z.object({
  rrule: z.string().max(500),
  exdates: z.array(sentTimestampSchema).max(500),
  /** The time of `starts_at` on the clock of `time_zone`. */
  wall_start: wallTimeSchema,
})

export const recurrenceSchema = sentRecurrenceSchema.extend({
  exdates: z.array(timestampSchema).max(500),
  wall_start: z.string().max(40),
})

/** What takes up a moment began at most so long before it. */
export const mostSessionMinutes = 24 * 60

export const sessionDraftSchema = z.object({
  id: idSchema.optional(),
  client_id: idSchema,
  session_type: sessionTypeSchema,
  starts_at: sentTimestampSchema,
  duration_minutes: z.int().min(1).max(mostSessionMinutes),
  modality: modalitySchema.default('in_person'),
  clinician_id: idSchema.nullable().default(null),
  status: sessionStatusSchema.default('scheduled'),
  /** Without a list: the client alone. */
  participants: z.array(participantSchema).max(40).default([]),
  time_zone: timeZoneSchema.default('UTC'),
  recurrence: sentRecurrenceSchema.nullable().default(null),
  room_id: idSchema.nullable().default(null),
  cpt_code: lineSchema.nullable().default(null),
  presenting_concerns: z.array(paragraphSchema).max(40).default([]),
})

export const sessionSchema = sessionDraftSchema.extend({
  ...recordFields,
  starts_at: timestampSchema,
  recurrence: recurrenceSchema.nullable().default(null),
  /** Derived from `starts_at` and `duration_minutes`. */
  ends_at: timestampSchema,
  /** When it really began and ended, taken from the recording or by hand. */
  started_at: timestampSchema.nullable(),
  finished_at: timestampSchema.nullable(),
  series_id: idSchema.nullable(),
  occurrence_start: timestampSchema.nullable(),
  /** Fields that the reader's role does not see; they are empty here. */
  withheld: z.array(z.string()).optional(),
})

export const sessionPatchSchema = z
  .object({
    session_type: sessionTypeSchema,
    starts_at: sentTimestampSchema,
    duration_minutes: z.int().min(1).max(mostSessionMinutes),
    modality: modalitySchema,
    status: sessionStatusSchema,
    participants: z.array(participantSchema).max(40),
    time_zone: timeZoneSchema,
    room_id: idSchema.nullable(),
    cpt_code: lineSchema.nullable(),
    presenting_concerns: z.array(paragraphSchema).max(40),
    started_at: sentTimestampSchema.nullable(),
    finished_at: sentTimestampSchema.nullable(),
  })
  .partial()

export type Participant = z.infer<typeof participantSchema>
export type SessionDraft = z.infer<typeof sessionDraftSchema>
export type Session = z.infer<typeof sessionSchema>
export type SessionPatch = z.infer<typeof sessionPatchSchema>
export type SessionType = z.infer<typeof sessionTypeSchema>
