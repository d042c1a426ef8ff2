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
})

export const outboxStatusSchema = z.object({
  waiting: z.int().min(0),
  needs_you: z.int().min(0),
  sending: z.boolean(),
  /** `embedded`: nothing leaves this laptop. */
  service: z.enum(['embedded', 'remote']),
  /** Whether the last attempt reached the service. */
  reachable: z.boolean(),
})

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
  'outbox.list': method(z.object({}), z.array(outboxItemSchema)),
  'outbox.status': method(z.object({}), outboxStatusSchema),
  'outbox.retry': method(z.object({}), outboxStatusSchema),
  'exports.note': method(z.object({ id: idSchema, format: z.enum(['pdf', 'docx']) }), exportTicketSchema),
  /** Plain text shaped for pasting into a record system. */
  'exports.noteText': method(z.object({ id: idSchema }), z.object({ text: z.string() })),
  'exports.transcript': method(z.object({ session_id: idSchema, format: z.enum(['txt', 'vtt', 'json']) }), exportTicketSchema),
} as const

export type WordHit = z.infer<typeof wordHitSchema>
export type OutboxItem = z.infer<typeof outboxItemSchema>
export type OutboxStatus = z.infer<typeof outboxStatusSchema>
export type ExportTicket = z.infer<typeof exportTicketSchema>
