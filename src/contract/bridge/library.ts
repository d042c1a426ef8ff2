import { z } from 'zod'
import { idSchema, lineSchema, shortIdSchema, timestampSchema } from '../model/common.ts'
import { method } from './method.ts'

export const wordHitSchema = z.object({
  session_id: idSchema,
  client_name: lineSchema,
  starts_at: timestampSchema,
  segment_id: z.string(),
  start_ms: z.int().nullable(),
  excerpt: z.array(z.object({ text: z.string(), matched: z.boolean() })),
})

/** A statement or an addendum of a note. */
const noteHitSchema = wordHitSchema.omit({ segment_id: true, start_ms: true }).extend({ statement_id: z.string() })

export const outboxItemSchema = z.object({
  id: idSchema,
  kind: z.string(),
  client_name: lineSchema.nullable(),
  created_at: timestampSchema,
  state: z.enum(['waiting', 'sending', 'needs_you']),
  attempts: z.int().min(0),
  error: z.string().nullable(),
  progress: z.number().min(0).max(1).nullable(),
  waits_for: z.array(z.object({ id: idSchema, kind: z.string(), needs_you: z.boolean() })),
  next_attempt_at: timestampSchema.nullable(),
  first: z.boolean(),
  asked: z.boolean(),
})

export const outboxStatusSchema = z.object({
  waiting: z.int().min(0),
  needs_you: z.int().min(0),
  sending: z.boolean(),
  service: z.enum(['embedded', 'remote']),
  reachable: z.boolean(),
  phase: z.enum(['saved', 'sending', 'offline', 'backing_off', 'quota', 'needs_key', 'paused']),
  resumes_at: timestampSchema.nullable(),
  done: z.int().min(0),
  total: z.int().min(0),
  conflicts: z.int().min(0),
  asked: z.int().min(0),
  quota: z
    .object({ limit: z.int().min(0).nullable(), remaining: z.int().min(0), resets_at: timestampSchema.nullable() })
    .nullable(),
})

export const sentTodaySchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      client_name: lineSchema.nullable(),
      fields: z.array(z.string()),
      sent_at: timestampSchema,
    }),
  ),
  total: z.int().min(0),
})

const MAX_LISTED = 10_000

export const exportTicketSchema = z.object({ url: z.string(), file_name: z.string(), media_type: z.string() })

export const libraryMethods = {
  'search.find': method(
    z.object({ q: z.string().trim().min(1).max(200), limit: z.int().min(1).max(50).default(20) }),
    z.object({
      clients: z.array(z.object({ id: idSchema, display_name: lineSchema })),
      notes: z.array(noteHitSchema),
      words: z.array(wordHitSchema),
    }),
  ),
  'outbox.list': method(z.object({ limit: z.int().min(1).max(MAX_LISTED).default(MAX_LISTED) }), z.array(outboxItemSchema)),
  'outbox.status': method(z.object({}), outboxStatusSchema),
  'outbox.sentToday': method(z.object({ limit: z.int().min(1).max(MAX_LISTED).default(MAX_LISTED) }), sentTodaySchema),
  'outbox.retry': method(z.object({}), outboxStatusSchema),
  'outbox.retryOne': method(z.object({ id: idSchema }), outboxStatusSchema),
  'outbox.first': method(z.object({ id: idSchema }), outboxStatusSchema),
  'outbox.pause': method(z.object({ paused: z.boolean() }), outboxStatusSchema),
  /** `unprintable`: characters that the file shows as a box, because its font lacks them. */
  'exports.note': method(
    z.object({ id: idSchema, format: z.enum(['pdf', 'docx', 'txt']) }),
    exportTicketSchema.extend({ unprintable: z.array(z.string()).readonly() }),
  ),
  'exports.noteText': method(z.object({ id: idSchema, section_key: shortIdSchema.optional() }), z.object({ text: z.string() })),
  'exports.transcript': method(z.object({ session_id: idSchema, format: z.enum(['txt', 'vtt', 'json']) }), exportTicketSchema),
} as const

export type NoteHit = z.infer<typeof noteHitSchema>
export type WordHit = z.infer<typeof wordHitSchema>
export type OutboxItem = z.infer<typeof outboxItemSchema>
export type OutboxStatus = z.infer<typeof outboxStatusSchema>
export type SentToday = z.infer<typeof sentTodaySchema>
export type ExportTicket = z.infer<typeof exportTicketSchema>

/** These paths contain ids only, because a URL must not contain clinical data. */
export const recordingPath = (recordingId: string): string => `/media/recordings/${recordingId}`
export const exportPath = (exportId: string): string => `/exports/${exportId}`
