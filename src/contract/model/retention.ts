import { z } from 'zod'
import { idSchema, paragraphSchema, recordFields, timestampSchema } from './common.ts'

/**
 * How long a practice keeps what a note was written from, and the note. State rules differ (seven years for adults is
 * common; for minors counted from majority), so notes are never erased by themselves: the years only say when they may be.
 */
export const retentionPolicyDraftSchema = z.object({
  /** Days after its session's last note was signed; null keeps transcripts. */
  transcript_days: z.union([z.literal(0), z.literal(1), z.literal(7), z.literal(30)]).nullable(),
  note_years: z.int().min(1).max(100),
})

export const retentionPolicySchema = retentionPolicyDraftSchema.extend({ version: z.int().min(1), updated_at: timestampSchema })

export const legalHoldDraftSchema = z.object({
  id: idSchema.optional(),
  /** Null holds everything of the practice. */
  client_id: idSchema.nullable(),
  reason: paragraphSchema.min(1),
})

/** While it stands nothing of the client is erased, whoever asks. */
export const legalHoldSchema = legalHoldDraftSchema.extend({
  ...recordFields,
  placed_by: idSchema,
  released_at: timestampSchema.nullable(),
  released_by: idSchema.nullable(),
})

export const erasedKindSchema = z.enum(['transcript', 'analysis', 'note'])

export const erasureDraftSchema = z.object({
  id: idSchema.optional(),
  record_kind: erasedKindSchema,
  record_id: idSchema,
  reason: paragraphSchema.min(1),
})

/** What remains of something erased: that it was, by whom, why, and the fingerprint of what it held. */
export const erasureSchema = erasureDraftSchema.extend({
  id: idSchema,
  client_id: idSchema.nullable(),
  /** Null: the practice's own rule. */
  erased_by: idSchema.nullable(),
  erased_at: timestampSchema,
  /** SHA-256, hex, of the record's canonical JSON. */
  content_sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

export type RetentionPolicy = z.infer<typeof retentionPolicySchema>
export type LegalHold = z.infer<typeof legalHoldSchema>
export type Erasure = z.infer<typeof erasureSchema>
export type ErasedKind = z.infer<typeof erasedKindSchema>
