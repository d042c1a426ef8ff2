import { z } from 'zod'
import { idSchema, paragraphSchema, recordFields, timestampSchema } from './common.ts'

/**
 * State law decides how long notes must be stored: often seven years, and for minors counted from the age of majority. So no
 * note is erased automatically; `note_years` only says when a person may erase one.
 */
export const retentionPolicyDraftSchema = z
  .object({
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
  .meta({ id: 'RetentionPolicyDraft', description: 'How long the practice keeps transcripts and notes.' })

export const retentionPolicySchema = retentionPolicyDraftSchema
  .extend({
    version: z.int().min(1).describe('Counts up from 1 with every change; also the `ETag`.'),
    updated_at: timestampSchema.describe('When the policy last changed.'),
  })
  .meta({ id: 'RetentionPolicy', description: 'How long the practice keeps transcripts and notes, as in force.' })

export const legalHoldDraftSchema = z
  .object({
    id: idSchema
      .optional()
      .describe('Id for the new record, chosen by the caller (any UUID). Without it, the service makes one.'),
    client_id: idSchema.nullable().describe('Client whose records are held; null: the whole practice.'),
    reason: paragraphSchema.min(1).describe('Why the records must be kept.'),
  })
  .meta({ id: 'LegalHoldDraft', description: 'A legal hold to place.' })

export const legalHoldSchema = legalHoldDraftSchema
  .extend({
    ...recordFields,
    placed_by: idSchema.describe('Person who placed it.'),
    released_at: timestampSchema.nullable().describe('When it ended; null while it stands.'),
    released_by: idSchema.nullable().describe('Person who ended it; null while it stands.'),
  })
  .meta({ id: 'LegalHold', description: 'A legal hold. While it stands, nothing it covers is erased.' })

export const erasedKindSchema = z.enum(['transcript', 'analysis', 'note'])

export const erasureDraftSchema = z
  .object({
    id: idSchema
      .optional()
      .describe('Id for the new record, chosen by the caller (any UUID). Without it, the service makes one.'),
    record_kind: erasedKindSchema.describe('Kind of record to erase.'),
    record_id: idSchema.describe('Id of the record to erase.'),
    reason: paragraphSchema.min(1).describe('Why it is erased.'),
  })
  .meta({ id: 'ErasureDraft', description: 'A record to erase permanently.' })

export const erasureSchema = erasureDraftSchema
  .extend({
    id: idSchema.describe('Id of this entry.'),
    client_id: idSchema.nullable().describe('Client of the erased record; null if it had none.'),
    erased_by: idSchema.nullable().describe("Person who erased it; null: the practice's retention policy."),
    erased_at: timestampSchema.describe('When it was erased.'),
    content_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe("SHA-256 in hex of the record's canonical JSON."),
  })
  .meta({ id: 'Erasure', description: 'What remains of an erased record.' })

export type RetentionPolicy = z.infer<typeof retentionPolicySchema>
export type LegalHold = z.infer<typeof legalHoldSchema>
export type Erasure = z.infer<typeof erasureSchema>
export type ErasedKind = z.infer<typeof erasedKindSchema>
