import { z } from 'zod'
import { clockTimeSchema, wallTimeSchema, weekdaySchema } from './availability.ts'
import { idSchema, lineSchema, paragraphSchema, sentTimestampSchema, timeZoneSchema } from './common.ts'
import { modalitySchema, sessionSchema, sessionTypeSchema } from './session.ts'

/** How much it counts against the others; 0 not at all. */
const weightSchema = z.number().min(0).max(100)

export const scheduleRequestSchema = z.object({
  mode: z.enum(['check', 'propose', 'book', 'resolve']),
  request: z.object({
    client_ids: z.array(idSchema).min(1).max(40),
    /** Whoever treats the first client, where it is left out. */
    clinician_id: idSchema.optional(),
    /** Any of these will do, in place of the one. */
    clinician_ids: z.array(idSchema).min(1).max(50).optional(),
    /** Left out or null: `propose` and `resolve` look for one themselves where the practice has rooms. */
    room_id: idSchema.nullable().default(null),
    type: sessionTypeSchema,
    duration_minutes: z
      .int()
      .min(5)
      .max(24 * 60),
    modality: modalitySchema.default('in_person'),
    start: wallTimeSchema.optional(),
    tzid: timeZoneSchema,
    /** RFC 5545; expanded on the clinician's own clock. */
    rrule: z.string().max(500).optional(),
    /** Times a series leaves out, as its walls. */
    exdates: z.array(wallTimeSchema).max(500).default([]),
    /** A session that is to move: it is in nobody's way, and booking a proposal moves it. */
    session_id: idSchema.optional(),
  }),
  /** Four weeks from now where it is left out; at most 62 days. */
  window: z.object({ from: wallTimeSchema, to: wallTimeSchema }).optional(),
  constraints: z
    .object({
      buffer_before: z.int().min(0).max(240),
      buffer_after: z.int().min(0).max(240),
      earliest: clockTimeSchema,
      latest: clockTimeSchema,
      days: z.array(weekdaySchema),
      /** `2026-12-24`, `2026-12-24T12:00/2026-12-26T00:00`, `12:00-13:00`, `TU` or `TU 12:00-13:00`. */
      avoid: z.array(z.string().max(60)).max(100),
    })
    .partial()
    .default({}),
  /** What to weigh when proposals are ranked. */
  preferences: z
    .object({
      same_time_each_week: weightSchema.default(3),
      keep_existing: weightSchema.default(5),
      min_gaps: weightSchema.default(1),
    })
    .prefault({}),
  text: paragraphSchema.optional(),
  max_moves: z.int().min(0).max(10).default(0),
  proposal_id: idSchema.nullable().default(null),
  /** `allow`: sessions of a series that cannot take place are left out, and said so. */
  series_partial: z.enum(['refuse', 'allow']).default('refuse'),
  /** To book a proposal that moves appointments: every one of them, by id. */
  accept_moves: z.array(idSchema).max(10).default([]),
})

export const conflictKindSchema = z.enum([
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

const occurrenceSchema = z.object({ start: wallTimeSchema, end: wallTimeSchema, tzid: z.string(), utc_offset: z.string() })

export const scheduleConflictSchema = z.object({
  kind: conflictKindSchema,
  severity: z.enum(['hard', 'soft']),
  occurrence: wallTimeSchema,
  /** Type `busy` without id when the caller may not see the other booking. */
  with: z.object({ type: z.string(), id: z.string().nullable() }).nullable(),
  message: z.string(),
  /** Proposals that are free of it. */
  fix_ids: z.array(z.string()),
})

export const scheduleProposalSchema = z.object({
  id: idSchema,
  expires_at: z.iso.datetime(),
  score: z.number(),
  occurrences: z.array(occurrenceSchema),
  moves: z.array(
    z.object({ appointment_id: idSchema, from: wallTimeSchema, to: wallTimeSchema, needs_consent_of: z.array(z.string()) }),
  ),
  tradeoffs: z.array(z.string()),
  why: z.array(z.string()),
  clinician_id: idSchema.nullable().optional(),
  room_id: idSchema.nullable().optional(),
})

export const scheduleAnswerSchema = z.object({
  status: z.enum(['ok', 'conflict', 'partial', 'infeasible']),
  conflicts: z.array(scheduleConflictSchema),
  proposals: z.array(scheduleProposalSchema),
  infeasible_core: z.array(z.string()),
  appointment: z.object({ id: idSchema, version: z.int() }).nullable(),
  /** Of a series: all that were booked, in order; and what else was moved for it, by leave. */
  appointments: z.array(z.object({ id: idSchema, version: z.int() })).optional(),
  moved: z.array(z.object({ id: idSchema, version: z.int() })).optional(),
})

/** This session of a series and all after it. */
export const followingPatchSchema = z
  .object({
    /** The new start of this one; the others keep their distance to it on the clock. */
    starts_at: sentTimestampSchema,
    duration_minutes: z
      .int()
      .min(1)
      .max(24 * 60),
    modality: modalitySchema,
    room_id: idSchema.nullable(),
    cpt_code: lineSchema.nullable(),
    status: z.enum(['scheduled', 'cancelled']),
  })
  .partial()

export const followingAnswerSchema = z.object({ data: z.array(sessionSchema) })

export type ScheduleRequest = z.infer<typeof scheduleRequestSchema>
export type ScheduleAnswer = z.infer<typeof scheduleAnswerSchema>
export type ScheduleConflict = z.infer<typeof scheduleConflictSchema>
export type ScheduleProposal = z.infer<typeof scheduleProposalSchema>
export type FollowingPatch = z.infer<typeof followingPatchSchema>
