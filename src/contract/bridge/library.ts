import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method } from './method.ts'

export const wordHitSchema = z.object({
  session_id: idSchema,
  client_name: lineSchema,
  starts_at: timestampSchema,
  segment_id: z.string(),
  start_ms: z.int().nullable(),
  /** The text around the hit; `matched` parts are highlighted. */
  excerpt: z.array(z.object({ text: z.string(), matched: z.boolean() })),
})

export const outboxItemSchema = z.object({
  id: idSchema,
  /** Intent kind, e.g. `create-client`; strings/ turns it into words. */
  kind: z.string(),
  client_name: lineSchema.nullable(),
  created_at: timestampSchema,
  state: z.enum(['waiting', 'sending', 'needs_you']),
  attempts: z.int().min(0),
  error: z.string().nullable(),
  /** Upload progress, 0 to 1, for long uploads. */
  progress: z.number().min(0).max(1).nullable(),
  /** The first few intents of the same client that must be sent earlier. */
  waits_for: z.array(z.object({ id: idSchema, kind: z.string(), needs_you: z.boolean() })),
  /** Null if the retry doesn't depend on time. */
  next_attempt_at: timestampSchema.nullable(),
  first: z.boolean(),
  /** Blocked by an open conflict. */
  asked: z.boolean(),
})

export const outboxStatusSchema = z.object({
  waiting: z.int().min(0),
  needs_you: z.int().min(0),
  sending: z.boolean(),
  service: z.enum(['embedded', 'remote']),
  reachable: z.boolean(),
  /**
   * `saved`: nothing left to send. `backing_off`: the service answers but refuses this intent for now. `quota`: the daily call
   * quota is used up. `needs_key`: the service rejects this laptop's key or sign-in. `paused`: by the user.
   */
  phase: z.enum(['saved', 'sending', 'offline', 'backing_off', 'quota', 'needs_key', 'paused']),
  /** When sending resumes; null if sending now or not waiting for a time. */
  resumes_at: timestampSchema.nullable(),
  /** Counts since the outbox was last empty. */
  done: z.int().min(0),
  total: z.int().min(0),
  conflicts: z.int().min(0),
  /** How many of `needs_you` wait for a conflict. */
  asked: z.int().min(0),
  /** The practice's daily call quota, as last reported; null if the service has none. */
  quota: z
    .object({ limit: z.int().min(0).nullable(), remaining: z.int().min(0), resets_at: timestampSchema.nullable() })
    .nullable(),
})

/** Changes the practice received since midnight: kinds, names and times, without content. */
export const sentTodaySchema = z.object({
  /** Newest first; a change sent twice appears once. */
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

/** Upper bound of the list; callers that need more only count. */
const MAX_LISTED = 10_000

/** Single use, valid for five minutes. The app never writes the file to disk. */
export const exportTicketSchema = z.object({ url: z.string(), file_name: z.string(), media_type: z.string() })

export const libraryMethods = {
  'search.find': method(
    z.object({ q: z.string().trim().min(1).max(200), limit: z.int().min(1).max(50).default(20) }),
    z.object({
      clients: z.array(z.object({ id: idSchema, display_name: lineSchema })),
      words: z.array(wordHitSchema),
    }),
  ),
  /** Items that need the user first, then the rest in sending order. */
  'outbox.list': method(z.object({ limit: z.int().min(1).max(MAX_LISTED).default(MAX_LISTED) }), z.array(outboxItemSchema)),
  'outbox.status': method(z.object({}), outboxStatusSchema),
  'outbox.sentToday': method(z.object({ limit: z.int().min(1).max(MAX_LISTED).default(MAX_LISTED) }), sentTodaySchema),
  'outbox.retry': method(z.object({}), outboxStatusSchema),
  /** Retries one intent now, whatever it waits for. `not-found`: already sent. */
  'outbox.retryOne': method(z.object({ id: idSchema }), outboxStatusSchema),
  /** Sends this intent and its prerequisites before the rest. `not-found`: already sent. */
  'outbox.first': method(z.object({ id: idSchema }), outboxStatusSchema),
  /** Stops sending until resumed, across restarts. Local work continues. */
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
