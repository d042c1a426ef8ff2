import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method } from './method.ts'

export const wordHitSchema = z.object({
  session_id: idSchema,
  client_name: lineSchema,
  starts_at: timestampSchema,
  segment_id: z.string(),
  start_ms: z.int().nullable(),
  /** The words found and the text around them; the parts found have `matched`. */
  excerpt: z.array(z.object({ text: z.string(), matched: z.boolean() })),
})

export const outboxItemSchema = z.object({
  id: idSchema,
  /** Kind of change, for example `create-client`. The renderer turns it into words. */
  kind: z.string(),
  client_name: lineSchema.nullable(),
  created_at: timestampSchema,
  state: z.enum(['waiting', 'sending', 'needs_you']),
  attempts: z.int().min(0),
  error: z.string().nullable(),
  /** Upload progress from 0 to 1; null if nothing long is being uploaded. */
  progress: z.number().min(0).max(1).nullable(),
  /** Changes to the same client that must be sent first; at most three are listed. */
  waits_for: z.array(z.object({ id: idSchema, kind: z.string(), needs_you: z.boolean() })),
  /** Null if no time is set for the next attempt. */
  next_attempt_at: timestampSchema.nullable(),
  first: z.boolean(),
  /** True if an open conflict must be resolved first. */
  asked: z.boolean(),
})

export const outboxStatusSchema = z.object({
  waiting: z.int().min(0),
  needs_you: z.int().min(0),
  sending: z.boolean(),
  service: z.enum(['embedded', 'remote']),
  reachable: z.boolean(),
  /**
   * `saved`: nothing is waiting, although some items may need the user. `backing_off`: sending pauses because the service is
   * busy or an attempt failed. `quota`: the daily call quota is used up. `needs_key`: the service rejects this laptop's key or
   * sign-in. `paused`: by the user, even if nothing is waiting.
   */
  phase: z.enum(['saved', 'sending', 'offline', 'backing_off', 'quota', 'needs_key', 'paused']),
  /** When sending resumes; null while sending, if nothing is waiting, or if no time is set. */
  resumes_at: timestampSchema.nullable(),
  /** Items sent since nothing was waiting; `total` adds those that wait now. */
  done: z.int().min(0),
  total: z.int().min(0),
  conflicts: z.int().min(0),
  /** How many of `needs_you` wait for a conflict to be resolved. */
  asked: z.int().min(0),
  /** The practice's daily call quota, as last reported; null if the service has none. */
  quota: z
    .object({ limit: z.int().min(0).nullable(), remaining: z.int().min(0), resets_at: timestampSchema.nullable() })
    .nullable(),
})

/** Changes sent since local midnight: what was changed and when, but not the content. */
export const sentTodaySchema = z.object({
  /** Newest first. Several changes of the same kind to one record appear once. */
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

/** Longest list of changes. The counts in `outbox.status` and `total` include the rest. */
const MAX_LISTED = 10_000

/** The URL works once and for five minutes. The core holds the file in memory only. */
export const exportTicketSchema = z.object({ url: z.string(), file_name: z.string(), media_type: z.string() })

export const libraryMethods = {
  'search.find': method(
    z.object({ q: z.string().trim().min(1).max(200), limit: z.int().min(1).max(50).default(20) }),
    z.object({
      clients: z.array(z.object({ id: idSchema, display_name: lineSchema })),
      words: z.array(wordHitSchema),
    }),
  ),
  /** Items that need the user come first, then the others in the order they will be sent. */
  'outbox.list': method(z.object({ limit: z.int().min(1).max(MAX_LISTED).default(MAX_LISTED) }), z.array(outboxItemSchema)),
  'outbox.status': method(z.object({}), outboxStatusSchema),
  'outbox.sentToday': method(z.object({ limit: z.int().min(1).max(MAX_LISTED).default(MAX_LISTED) }), sentTodaySchema),
  'outbox.retry': method(z.object({}), outboxStatusSchema),
  /** Tries this item again now, whatever it waits for. Fails with `not-found` if it was sent. */
  'outbox.retryOne': method(z.object({ id: idSchema }), outboxStatusSchema),
  /** Sends this item and what it depends on before the rest. Fails with `not-found` if it was sent. */
  'outbox.first': method(z.object({ id: idSchema }), outboxStatusSchema),
  /** Stops sending until resumed, even after a restart. Work on this laptop continues. */
  'outbox.pause': method(z.object({ paused: z.boolean() }), outboxStatusSchema),
  'exports.note': method(z.object({ id: idSchema, format: z.enum(['pdf', 'docx']) }), exportTicketSchema),
  'exports.noteText': method(z.object({ id: idSchema }), z.object({ text: z.string() })),
  'exports.transcript': method(z.object({ session_id: idSchema, format: z.enum(['txt', 'vtt', 'json']) }), exportTicketSchema),
} as const

export type WordHit = z.infer<typeof wordHitSchema>
export type OutboxItem = z.infer<typeof outboxItemSchema>
export type OutboxStatus = z.infer<typeof outboxStatusSchema>
export type SentToday = z.infer<typeof sentTodaySchema>
export type ExportTicket = z.infer<typeof exportTicketSchema>

/** Paths under `app://afterword` or the preview's origin. They contain only ids, because addresses must hold nothing clinical. */
export const recordingPath = (recordingId: string): string => `/media/recordings/${recordingId}`
export const exportPath = (exportId: string): string => `/exports/${exportId}`
