import { z } from 'zod'
import { availabilitySchema, weeklyStretchSchema, wallTimeSchema } from '../model/availability.ts'
import { idSchema, lineSchema, sentTimestampSchema, timeZoneSchema } from '../model/common.ts'
import { scheduleAnswerSchema, scheduleRequestSchema } from '../model/schedule.ts'
import { modalitySchema, sessionSchema, sessionTypeSchema } from '../model/session.ts'
import { method, nothing } from './method.ts'

const asked = scheduleRequestSchema.shape

export const scheduleAskSchema = z.object({
  mode: z.enum(['check', 'propose', 'resolve']),
  client_id: idSchema,
  session_type: sessionTypeSchema,
  duration_minutes: asked.request.shape.duration_minutes,
  modality: modalitySchema.default('in_person'),
  time_zone: timeZoneSchema,
  start: wallTimeSchema.optional(),
  rrule: asked.request.shape.rrule,
  session_id: idSchema.optional(),
  window: asked.window,
  constraints: asked.constraints,
  text: asked.text,
  max_moves: asked.max_moves,
})

export const scheduleBookSchema = z.object({
  client_id: idSchema,
  session_type: sessionTypeSchema,
  duration_minutes: asked.request.shape.duration_minutes,
  modality: modalitySchema.default('in_person'),
  time_zone: timeZoneSchema,
  room_id: idSchema.nullable().default(null),
  starts: z.array(sentTimestampSchema).min(1).max(400),
  moves: z
    .array(z.object({ session_id: idSchema, version: z.int().min(1), starts_at: sentTimestampSchema }))
    .max(10)
    .default([]),
})

export const workingTimeSchema = z.object({
  hours: availabilitySchema.nullable(),
  away: z.array(availabilitySchema),
  is_current: z.boolean(),
})

export const scheduleMethods = {
  'schedule.ask': method(scheduleAskSchema, scheduleAnswerSchema),
  'schedule.book': method(scheduleBookSchema, z.array(sessionSchema)),
  'schedule.workingTime': method(nothing, workingTimeSchema),
  'schedule.setHours': method(
    z.object({
      time_zone: timeZoneSchema,
      weekly: z.array(weeklyStretchSchema).max(70),
      most_per_day: z.int().min(1).max(50).nullable(),
      buffer_after: z.int().min(0).max(240),
    }),
    workingTimeSchema,
  ),
  'schedule.addTimeOff': method(
    z.object({ time_zone: timeZoneSchema, from: wallTimeSchema, to: wallTimeSchema, note: lineSchema.nullable() }),
    workingTimeSchema,
  ),
  'schedule.removeTimeOff': method(z.object({ id: idSchema }), workingTimeSchema),
} as const

export type ScheduleAsk = z.infer<typeof scheduleAskSchema>
export type ScheduleBook = z.infer<typeof scheduleBookSchema>
export type WorkingTime = z.infer<typeof workingTimeSchema>
