import { z } from 'zod'
import { idSchema, named, newIdSchema, paragraphSchema, recordFields, sha256Schema, timestampSchema } from './common.ts'

export const retentionPolicyDraftSchema = named('RetentionPolicyDraft', 'How long the practice keeps transcripts and notes.', {
  transcript_days: z
    .union([z.literal(0), z.literal(1), z.literal(7), z.literal(30)])
    .nullable()
    .describe("Days a transcript is kept after the session's last note was signed; null: always."),
  note_years: z
    .int()
    .min(1)
    .max(100)
    .describe('Years a note must be kept before it may be erased. Notes are never erased automatically.'),
})

export const retentionPolicySchema = named('RetentionPolicy', 'How long the practice keeps transcripts and notes, as in force.', {
  ...retentionPolicyDraftSchema.shape,
  version: z.int().min(1).describe('Counts up from 1 with every change; also the `ETag`.'),
  updated_at: timestampSchema.describe('When the policy last changed.'),
})

export const legalHoldDraftSchema = named('LegalHoldDraft', 'A legal hold to place.', {
  id: newIdSchema,
  client_id: idSchema.nullable().describe('Client whose records are held; null: the whole practice.'),
  reason: paragraphSchema.min(1).describe('Why the records must be kept.'),
})

export const legalHoldSchema = named('LegalHold', 'A legal hold. While it stands, nothing it covers is erased.', {
  ...legalHoldDraftSchema.shape,
  ...recordFields,
  placed_by: idSchema.describe('Person who placed it.'),
  released_at: timestampSchema.nullable().describe('When it ended; null while it stands.'),
  released_by: idSchema.nullable().describe('Person who ended it; null while it stands.'),
})

export const erasedKindSchema = z.enum(['transcript', 'analysis', 'note'])

export const erasureDraftSchema = named('ErasureDraft', 'A record to erase permanently.', {
  id: newIdSchema,
  record_kind: erasedKindSchema.describe('Kind of record to erase.'),
  record_id: idSchema.describe('Id of the record to erase.'),
  reason: paragraphSchema.min(1).describe('Why it is erased.'),
})

export const erasureSchema = named('Erasure', 'What remains of an erased record.', {
  ...erasureDraftSchema.shape,
  id: idSchema.describe('Id of this entry.'),
  client_id: idSchema.nullable().describe('Client of the erased record; null if it had none.'),
  erased_by: idSchema.nullable().describe("Person who erased it; null: the practice's retention policy."),
  erased_at: timestampSchema.describe('When it was erased.'),
  content_sha256: sha256Schema.describe("SHA-256 in hex of the record's canonical JSON."),
})

export type RetentionPolicy = z.infer<typeof retentionPolicySchema>
export type LegalHold = z.infer<typeof legalHoldSchema>
export type Erasure = z.infer<typeof erasureSchema>
export type ErasedKind = z.infer<typeof erasedKindSchema>
