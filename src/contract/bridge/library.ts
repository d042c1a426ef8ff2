import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../model/common.ts'
import { method } from './method.ts'

/** Ways to what is kept: search, the outbox, exports. */

export const wordHitSchema = z.object({
  session_id: idSchema,
  client_name: lineSchema,
  starts_at: timestampSchema,
  segment_id: z.string(),
  start_ms: z.int().nullable(),
  /** The words around the hit; `matched` parts are set in the highlighter. */
  excerpt: z.array(z.object({ text: z.string(), matched: z.boolean() })),
})

export const outboxItemSchema = z.object({
  id: idSchema,
  /** What will be done, e.g. `create-client`; worded in strings/. */
  kind: z.string(),
  client_name: lineSchema.nullable(),
  created_at: timestampSchema,
  state: z.enum(['waiting', 'sending', 'needs_you']),
  attempts: z.int().min(0),
  /** Error code of the last attempt. */
  error: z.string().nullable(),
  /** 0 to 1 of what is being sent, where it is long enough to tell. */
  progress: z.number().min(0).max(1).nullable(),
  /** What has to be there before it, of the same client; only the first few. */
  waits_for: z.array(z.object({ id: idSchema, kind: z.string(), needs_you: z.boolean() })),
  /** When it is tried again; null where that is not by the clock. */
  next_attempt_at: timestampSchema.nullable(),
  /** Chosen to go before the rest. */
  first: z.boolean(),
  /** It waits for the answer to a question that stands among the conflicts. */
  asked: z.boolean(),
})

export const outboxStatusSchema = z.object({
  waiting: z.int().min(0),
  needs_you: z.int().min(0),
  sending: z.boolean(),
  /** `embedded`: nothing leaves this laptop. */
  service: z.enum(['embedded', 'remote']),
  /** Whether the last attempt reached the service. */
  reachable: z.boolean(),
  /**
   * `saved`: nothing is left to send. `backing_off`: the service answers, but not to this, or not now. `quota`: the day's
   * calls are used up. `needs_key`: it knows no key or sign-in of this laptop. `paused`: by the person.
   */
  phase: z.enum(['saved', 'sending', 'offline', 'backing_off', 'quota', 'needs_key', 'paused']),
  /** When it goes on by itself; null where it goes on now, or waits for no time. */
  resumes_at: timestampSchema.nullable(),
  /** Of what there was to do since there last was nothing. */
  done: z.int().min(0),
  total: z.int().min(0),
  /** Questions that only the therapist can answer, e.g. what was changed here and elsewhere. */
  conflicts: z.int().min(0),
  /** Of those that need somebody: how many wait for the answer to such a question. */
  asked: z.int().min(0),
  /** The practice's calls of this day, as the service said last; null where it counts none. */
  quota: z
    .object({ limit: z.int().min(0).nullable(), remaining: z.int().min(0), resets_at: timestampSchema.nullable() })
    .nullable(),
})

/** What the practice took since midnight: kinds, names and times, and nothing of what it says. */
export const sentTodaySchema = z.object({
  /** Newest first; what was sent again is there once. */
  items: z.array(
    z.object({
      id: z.string(),
      /** As in the outbox. */
      kind: z.string(),
      client_name: lineSchema.nullable(),
      /** Names of the fields that were changed, where it was some of them. */
      fields: z.array(z.string()),
      sent_at: timestampSchema,
    }),
  ),
  /** With those that are not listed. */
  total: z.int().min(0),
})

/** A page of it is read by people; more than that only counts. */
const MAX_LISTED = 10_000

/** Fetched once from its URL within five minutes, then gone; it never touches the disk on our side. */
export const exportTicketSchema = z.object({ url: z.string(), file_name: z.string(), media_type: z.string() })

export const libraryMethods = {
  'search.find': method(
    z.object({ q: z.string().trim().min(1).max(200), limit: z.int().min(1).max(50).default(20) }),
    z.object({
      clients: z.array(z.object({ id: idSchema, display_name: lineSchema })),
      words: z.array(wordHitSchema),
    }),
  ),
  /** What needs somebody, then the rest in the order of its turn. */
  'outbox.list': method(z.object({ limit: z.int().min(1).max(MAX_LISTED).default(MAX_LISTED) }), z.array(outboxItemSchema)),
  'outbox.status': method(z.object({}), outboxStatusSchema),
  /** Empty where nothing leaves this laptop. */
  'outbox.sentToday': method(z.object({ limit: z.int().min(1).max(MAX_LISTED).default(MAX_LISTED) }), sentTodaySchema),
  'outbox.retry': method(z.object({}), outboxStatusSchema),
  /** Tries one again now, whatever it waited for. `not-found`: it is done. */
  'outbox.retryOne': method(z.object({ id: idSchema }), outboxStatusSchema),
  /** Sends this one, and what has to be there before it, ahead of the rest. `not-found`: it is done. */
  'outbox.first': method(z.object({ id: idSchema }), outboxStatusSchema),
  /** Nothing is sent until it goes on, also after a restart. Work here is not touched by it. */
  'outbox.pause': method(z.object({ paused: z.boolean() }), outboxStatusSchema),
  'exports.note': method(z.object({ id: idSchema, format: z.enum(['pdf', 'docx']) }), exportTicketSchema),
  /** Plain text shaped for pasting into a record system. */
  'exports.noteText': method(z.object({ id: idSchema }), z.object({ text: z.string() })),
  'exports.transcript': method(z.object({ session_id: idSchema, format: z.enum(['txt', 'vtt', 'json']) }), exportTicketSchema),
} as const

export type WordHit = z.infer<typeof wordHitSchema>
export type OutboxItem = z.infer<typeof outboxItemSchema>
export type OutboxStatus = z.infer<typeof outboxStatusSchema>
export type SentToday = z.infer<typeof sentTodaySchema>
export type ExportTicket = z.infer<typeof exportTicketSchema>
