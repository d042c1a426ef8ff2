import { z } from 'zod'
import { clockTimeSchema, wallTimeSchema, weekdaySchema } from './availability.ts'
import {
  idSchema,
  lineSchema,
  listOf,
  minutesSchema,
  named,
  orNull,
  paragraphSchema,
  sentTimestampSchema,
  timeZoneSchema,
} from './common.ts'
import { modalitySchema, sessionSchema, sessionTypeSchema } from './session.ts'

const weightSchema = z.number().min(0).max(100)

export const scheduleRequestSchema = named('ScheduleRequest', 'A question to the scheduler.', {
  mode: z
    .enum(['check', 'propose', 'book', 'resolve'])
    .describe(
      '`check`: is the time free? `propose`: find times. `book`: book `request.start`, or a proposal (`proposal_id`). To book a time that is given in words, first `propose` with `text`, then `book` with the `proposal_id` of the proposal you choose. `resolve`: make room by moving other appointments; it only proposes.',
    ),
  request: z
    .object({
      client_ids: z.array(idSchema).min(1).max(40).describe('Clients who attend.'),
      clinician_id: idSchema
        .optional()
        .describe(
          'Clinician. Without it: the caller, if a clinician or supervisor who is not an owner; otherwise the clinician of the first client. To move a session: its clinician.',
        ),
      clinician_ids: z
        .array(idSchema)
        .min(1)
        .max(50)
        .optional()
        .describe('Any of these clinicians will do; use it instead of `clinician_id`.'),
      room_id: orNull(idSchema).describe('Room. Without it, `propose` and `resolve` choose one if the practice has rooms.'),
      type: sessionTypeSchema.describe('Kind of session.'),
      duration_minutes: z
        .int()
        .min(5)
        .max(24 * 60)
        .describe('Length in minutes.'),
      modality: modalitySchema.default('in_person').describe('How client and clinician meet.'),
      start: wallTimeSchema
        .optional()
        .describe(
          'Local time without offset, in `tzid`. Required to check or book a time. With `propose`, this time is offered first if it is free; if not, `conflicts` says why and the nearest free times follow.',
        ),
      tzid: timeZoneSchema.describe('IANA time zone of all times in this request and its answer.'),
      rrule: z
        .string()
        .max(500)
        .optional()
        .describe('Recurrence rule (RFC 5545) of a series, with `COUNT` or `UNTIL`. At most 400 sessions.'),
      exdates: z.array(wallTimeSchema).max(500).default([]).describe('Times a series leaves out, as local times.'),
      session_id: idSchema.optional().describe('Session to move. It blocks nothing itself, and booking a proposal moves it.'),
    })
    .describe('The appointment, or series of appointments.'),
  window: z
    .object({
      from: wallTimeSchema.describe('Start of the window, local time.'),
      to: wallTimeSchema.describe('End of the window, local time.'),
    })
    .optional()
    .describe('Where to look. Defaults to the next four weeks, or to two weeks before and after `start`; at most 62 days.'),
  constraints: z
    .object({
      buffer_before: z.int().min(0).max(240).describe('Minutes to keep free before the appointment.'),
      buffer_after: z.int().min(0).max(240).describe('Minutes to keep free after the appointment.'),
      earliest: clockTimeSchema.describe('Earliest start, `HH:MM`.'),
      latest: clockTimeSchema.describe('Latest end, `HH:MM`.'),
      days: z.array(weekdaySchema).max(7).describe('Days of the week to consider.'),
      avoid: z
        .array(z.string().max(60))
        .max(100)
        .describe('Times to avoid: `2026-12-24`, `2026-12-24T12:00/2026-12-26T00:00`, `12:00-13:00`, `TU` or `TU 12:00-13:00`.'),
    })
    .partial()
    .default({})
    .describe('Limits on the times to propose.'),
  preferences: z
    .object({
      same_time_each_week: weightSchema.default(3).describe("Weight of the client's usual weekday and time."),
      keep_existing: weightSchema.default(5).describe('Weight of staying close to the present time of a session that moves.'),
      min_gaps: weightSchema.default(1).describe('Weight of leaving no gaps too short for another session.'),
    })
    .prefault({})
    .describe('Weights for ranking proposals, 0 to 100; 0 ignores the criterion.'),
  text: paragraphSchema
    .optional()
    .describe(
      'The wish in plain English: weekdays, "next week", "tomorrow", dates ("December 3", "2026-12-03", "12/3/2026"), parts of the day, and times ("at 3 pm", "after 3 pm", "before noon", "between 2 and 4 pm"). With `propose`, a time such as "Tuesday at 3 pm" counts like `start`. What was understood is repeated in `why`, the rest in `not_understood`. `check` and `book` take the time from `start`; there, the text only adds remarks.',
    ),
  max_moves: z.int().min(0).max(10).default(0).describe('With `resolve`: most appointments that may move.'),
  proposal_id: orNull(idSchema).describe('With `book`: the proposal to book. Null books `request.start`.'),
  series_partial: z
    .enum(['refuse', 'allow'])
    .default('refuse')
    .describe('`allow` books a series without the sessions that cannot take place.'),
  accept_moves: z
    .array(idSchema)
    .max(10)
    .default([])
    .describe('With `book`: ids of all appointments the proposal moves, to confirm that they may move.'),
})

export const conflictKindSchema = z
  .enum([
    'clinician_double',
    'client_double',
    'room_double',
    'buffer_short',
    'outside_hours',
    'time_off',
    'room_closed',
    'licence_state',
    'authorization_exhausted',
    'payer_same_day',
    'max_daily_load',
    'series_partial',
    'dst_gap',
    'dst_overlap',
    'past',
    'group_capacity',
  ])
  .meta({ id: 'ScheduleConflictKind', description: 'What is in the way of a time.' })

const occurrenceSchema = named('ScheduleOccurrence', 'One appointment of a proposal.', {
  start: wallTimeSchema.describe('Start, local time in `tzid`.'),
  end: wallTimeSchema.describe('End, local time in `tzid`.'),
  tzid: z.string().describe('IANA time zone of `start` and `end`.'),
  utc_offset: z.string().describe('Offset from UTC at that time, for example `-06:00`.'),
})

export const scheduleConflictSchema = named('ScheduleConflict', 'One reason against a time.', {
  kind: conflictKindSchema.describe('Kind of conflict.'),
  severity: z.enum(['hard', 'soft']).describe('`hard`: the time cannot be booked. `soft`: it can, knowingly.'),
  occurrence: wallTimeSchema.describe('Appointment the conflict is about, by its local start.'),
  with: z
    .object({
      type: z.string().describe('Kind of record; `busy` if the caller may not see it.'),
      id: z.string().nullable().describe('Id of the record; null if the caller may not see it.'),
    })
    .nullable()
    .describe('Record that is in the way; null if the reason is not a record.'),
  message: z.string().describe('The reason in one sentence that names no one.'),
  fix_ids: z.array(z.string()).describe('Proposals without this conflict.'),
})

export const scheduleProposalSchema = named('ScheduleProposal', 'A time that can be booked.', {
  id: idSchema.describe('Pass it as `proposal_id` to book it.'),
  expires_at: z.iso.datetime().describe('Until when it can be booked: 15 minutes after it was made.'),
  score: z.number().describe('Rank from 0 to 100; higher is better.'),
  occurrences: z.array(occurrenceSchema).describe('The appointments it consists of.'),
  moves: listOf({
    appointment_id: idSchema.describe('Session that would move.'),
    from: wallTimeSchema.describe('Its present start, local time.'),
    to: wallTimeSchema.describe('Its new start, local time.'),
    needs_consent_of: z.array(z.string()).describe('Ids of the people who must agree to the move.'),
  }).describe('Appointments that would move for it.'),
  tradeoffs: z.array(z.string()).describe('What speaks against it, in plain sentences.'),
  why: z.array(z.string()).describe('What speaks for it, in plain sentences.'),
  clinician_id: idSchema.nullable().optional().describe('Clinician of the proposal; null: the session will belong to the owner.'),
  room_id: idSchema.nullable().optional().describe('Room of the proposal; null: none.'),
})

export const scheduleAnswerSchema = named('ScheduleAnswer', 'Answer of the scheduler.', {
  status: z
    .enum(['ok', 'conflict', 'partial', 'infeasible'])
    .describe(
      '`ok`, `conflict` (the time asked for cannot be had), `partial` (a series lacks some sessions) or `infeasible` (nothing fits).',
    ),
  conflicts: z.array(scheduleConflictSchema).describe('What is in the way of the time asked for.'),
  proposals: z
    .array(scheduleProposalSchema)
    .describe(
      'Times that can be booked, best first; nearest first if `start` was given. `propose` offers up to 6, other modes up to 3.',
    ),
  infeasible_core: z.array(z.string()).describe('If nothing fits: a smallest set of reasons that rules out every time.'),
  not_understood: z
    .array(z.string())
    .optional()
    .describe('Parts of `text` that were not understood and did not count. Ask again in other words.'),
  appointment: z
    .object({ id: idSchema.describe('Id of the session.'), version: z.int().describe('Version of the session.') })
    .nullable()
    .describe('The booked session; null unless something was booked.'),
  appointments: listOf({ id: idSchema.describe('Id of the session.'), version: z.int().describe('Version of the session.') })
    .optional()
    .describe('All sessions of a booked series, in order.'),
  moved: listOf({ id: idSchema.describe('Id of the session.'), version: z.int().describe('New version of the session.') })
    .optional()
    .describe('Other sessions that were moved.'),
})

export const followingPatchSchema = z
  .object({
    starts_at: sentTimestampSchema.describe(
      'New start of this session; the following ones shift by the same local time. Years 1900 to 2200.',
    ),
    duration_minutes: minutesSchema.describe('New length in minutes.'),
    modality: modalitySchema.describe('How client and clinician meet.'),
    room_id: idSchema.nullable().describe('Room; null: none.'),
    cpt_code: lineSchema.nullable().describe('CPT code; null: none.'),
    status: z.enum(['scheduled', 'cancelled']).describe('`cancelled` cancels this session and all after it.'),
  })
  .partial()
  .meta({
    id: 'FollowingPatch',
    description: 'Changes to this session of a series and all after it. Fields left out stay as they are.',
  })

export const followingAnswerSchema = z
  .object({ data: z.array(sessionSchema).describe('The changed sessions in order.') })
  .meta({ id: 'FollowingSessions', description: 'Sessions that were changed.' })

export type ScheduleRequest = z.infer<typeof scheduleRequestSchema>
export type ScheduleAnswer = z.infer<typeof scheduleAnswerSchema>
export type ScheduleConflict = z.infer<typeof scheduleConflictSchema>
export type ScheduleProposal = z.infer<typeof scheduleProposalSchema>
export type FollowingPatch = z.infer<typeof followingPatchSchema>
