import { z } from 'zod'
import { idSchema, paragraphSchema, timeZoneSchema } from './common.ts'
import { modalitySchema, sessionTypeSchema } from './session.ts'

/** Wall time without offset, read in the zone beside it. */
const wallTimeSchema = z.iso.datetime({ local: true, offset: false })
const clockTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

export const scheduleRequestSchema = z.object({
  mode: z.enum(['check', 'propose', 'book', 'resolve']),
  request: z.object({
    client_ids: z.array(idSchema).min(1).max(40),
    clinician_id: idSchema.optional(),
    room_id: idSchema.nullable().default(null),
    type: sessionTypeSchema,
    duration_minutes: z
      .int()
      .min(5)
      .max(24 * 60),
    modality: modalitySchema.default('in_person'),
    start: wallTimeSchema.optional(),
    tzid: timeZoneSchema,
    rrule: z.string().max(500).optional(),
  }),
  window: z.object({ from: wallTimeSchema, to: wallTimeSchema }).optional(),
  constraints: z
    .object({
      buffer_before: z.int().min(0).max(240),
      buffer_after: z.int().min(0).max(240),
      earliest: clockTimeSchema,
      latest: clockTimeSchema,
      days: z.array(z.enum(['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'])),
      avoid: z.array(z.string()),
    })
    .partial()
    .default({}),
  preferences: z.record(z.string(), z.number()).default({}),
  text: paragraphSchema.optional(),
  max_moves: z.int().min(0).max(10).default(0),
  proposal_id: idSchema.nullable().default(null),
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

export const scheduleAnswerSchema = z.object({
  status: z.enum(['ok', 'conflict', 'partial', 'infeasible']),
  conflicts: z.array(
    z.object({
      kind: conflictKindSchema,
      severity: z.enum(['hard', 'soft']),
      occurrence: wallTimeSchema,
      /** Says "busy" alone when the caller may not see the other booking. */
      with: z.object({ type: z.string(), id: z.string() }).nullable(),
      message: z.string(),
      fix_ids: z.array(z.string()),
    }),
  ),
  proposals: z.array(
    z.object({
      id: idSchema,
      expires_at: z.iso.datetime(),
      score: z.number(),
      occurrences: z.array(occurrenceSchema),
      moves: z.array(
        z.object({ appointment_id: idSchema, from: wallTimeSchema, to: wallTimeSchema, needs_consent_of: z.array(z.string()) }),
      ),
      tradeoffs: z.array(z.string()),
      why: z.array(z.string()),
    }),
  ),
  infeasible_core: z.array(z.string()),
  appointment: z.object({ id: idSchema, version: z.int() }).nullable(),
})
