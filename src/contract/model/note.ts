import { z } from 'zod'
import { diagnosisSchema } from './client.ts'
import {
  idSchema,
  lineSchema,
  millisecondsSchema,
  paragraphSchema,
  recordFields,
  sentTimestampSchema,
  timestampSchema,
} from './common.ts'
import { templateSchema } from './template.ts'
import { engineSchema } from './transcript.ts'

/**
 * Where a statement comes from. `quote` stands word for word in the segment's text; after the source was erased by
 * policy it is null and `quote_sha256` (hex) remains. Times are null for a transcript without times.
 */
export const evidenceSchema = z.object({
  segment_id: z.string().min(1),
  start_ms: millisecondsSchema.nullable(),
  end_ms: millisecondsSchema.nullable(),
  quote: z.string().nullable(),
  quote_sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
})

/** `stated`: word for word, or a question with its answer. `paraphrase`: reworded by a rule or a model. */
export const supportSchema = z.enum(['stated', 'paraphrase', 'clinician_entered'])
export const originSchema = z.enum(['model', 'rules', 'person'])

/** Three-valued (DOMAIN.md section 3): nothing is assumed normal. */
export const findingStateSchema = z.enum(['stated', 'denied', 'not_assessed'])

export const statementSchema = z.object({
  id: z.string().min(1).max(64),
  text: paragraphSchema.min(1),
  evidence: z.array(evidenceSchema).max(50),
  support: supportSchema,
  origin: originSchema,
  /** Set where the statement is a clinical finding. */
  finding: z.object({ topic: lineSchema, state: findingStateSchema }).nullable().default(null),
  /** Suicide, self-harm, violence, abuse, medication: needs a click of its own before signing. */
  safety: z.boolean().default(false),
  /** Why the check of the draft was not sure of it, in plain words: it stands, and needs a look before signing. */
  doubt: lineSchema.nullable().optional(),
  /** When the therapist looked at a safety statement or took an unsourced one as their own words. */
  confirmed_at: sentTimestampSchema.nullable().default(null),
})

export const noteSectionSchema = z.object({
  key: z.string().min(1).max(64),
  title: lineSchema,
  statements: z.array(statementSchema).max(500),
})

/** Said in the session and in no statement: offered, never written by itself. */
export const omissionSchema = z.object({
  id: z.string().min(1).max(64),
  kind: z.enum(['risk', 'medication', 'goal', 'homework', 'substance', 'other']),
  text: paragraphSchema,
  evidence: z.array(evidenceSchema).min(1),
  /** `open` until the therapist adds it to the note or leaves it out. */
  decision: z.enum(['open', 'added', 'left_out']).default('open'),
})

export const noteCheckSchema = z.object({
  code: z.string().max(64),
  severity: z.enum(['info', 'needs_you']),
  message: paragraphSchema,
})

export const noteStatusSchema = z.enum([
  'draft',
  'in_review',
  'signed',
  'awaiting_cosign',
  'cosigned',
  'returned',
  'amended',
  'entered_in_error',
])

export const signatureSchema = z.object({
  by: lineSchema.min(1),
  credential: lineSchema.nullable(),
  at: sentTimestampSchema,
  method: z.enum(['click', 'passphrase']),
  /** SHA-256, hex, of the note's canonical JSON (RFC 8785) without status, signature, addenda and version. */
  content_hash: z.string().regex(/^[0-9a-f]{64}$/),
})

export const addendumSchema = z.object({
  id: idSchema,
  text: paragraphSchema.min(1),
  reason: paragraphSchema.min(1),
  by: lineSchema.min(1),
  at: sentTimestampSchema,
  /** Chained: SHA-256 over the hash before (the signature's for the first) and this addendum's canonical JSON. */
  content_hash: z.string().regex(/^[0-9a-f]{64}$/),
})

export const noteBodySchema = z.object({
  session_id: idSchema.nullable(),
  client_id: idSchema.nullable(),
  template: templateSchema,
  sections: z.array(noteSectionSchema).max(40),
  /** Statements an engine wrote that no evidence bore out; not in the note. */
  unsupported: z.array(z.object({ text: paragraphSchema, reason: lineSchema })).max(500),
  omissions: z.array(omissionSchema).max(500),
  checks: z.array(noteCheckSchema).max(100),
  engine: engineSchema,
})

export const noteDraftSchema = noteBodySchema.extend({ id: idSchema.optional() })

/** What a supervisor made of a signed note; returning it changes no word of it. */
export const noteReviewDecisionSchema = z.object({
  decision: z.enum(['cosigned', 'returned']),
  by: lineSchema.min(1),
  at: timestampSchema,
  reason: paragraphSchema,
  /** Of the text that was looked at, as its signature says it. */
  content_hash: z.string().regex(/^[0-9a-f]{64}$/),
})

/** What a bill needs to know of a note: for readers who see no more of it. */
export const noteBillingSchema = z.object({
  cpt_code: lineSchema.nullable(),
  diagnoses: z.array(diagnosisSchema),
  starts_at: timestampSchema.nullable(),
  ends_at: timestampSchema.nullable(),
  duration_minutes: z.int().nullable(),
  started_at: timestampSchema.nullable(),
  finished_at: timestampSchema.nullable(),
  signed_at: timestampSchema.nullable(),
})

export const noteSchema = noteBodySchema.extend({
  ...recordFields,
  status: noteStatusSchema,
  signature: signatureSchema.nullable(),
  /** Whose the signature is. */
  signed_by: idSchema.optional(),
  addenda: z.array(addendumSchema),
  billing: noteBillingSchema.optional(),
  /** Fields that the reader's role does not see; they are empty here. */
  withheld: z.array(z.string()).optional(),
  cosignature: signatureSchema.optional(),
  cosigned_by: idSchema.optional(),
  /** Oldest first. */
  reviews: z.array(noteReviewDecisionSchema).optional(),
  /** Its source was erased by policy: the quotes are fingerprints now, and this is what is left hashes to. */
  redacted: z
    .object({
      at: timestampSchema,
      content_hash: z.string().regex(/^[0-9a-f]{64}$/),
      /** Of a draft that was put after that: what it hashed to as it was put. It may be signed as that. */
      put_hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
    })
    .optional(),
  entered_in_error: z.object({ by: lineSchema.min(1), at: timestampSchema, reason: paragraphSchema }).optional(),
})

/** As it stood when a supervisor returned it: kept, whatever becomes of the note. */
export const noteVersionSchema = z.object({
  note_id: idSchema,
  version: z.int().min(1),
  kept_at: timestampSchema,
  note: noteSchema,
})

export type Evidence = z.infer<typeof evidenceSchema>
export type Statement = z.infer<typeof statementSchema>
export type NoteSection = z.infer<typeof noteSectionSchema>
export type Omission = z.infer<typeof omissionSchema>
export type NoteCheck = z.infer<typeof noteCheckSchema>
export type NoteBody = z.infer<typeof noteBodySchema>
export type NoteDraft = z.infer<typeof noteDraftSchema>
export type Note = z.infer<typeof noteSchema>
export type Signature = z.infer<typeof signatureSchema>
export type NoteVersion = z.infer<typeof noteVersionSchema>
export type Addendum = z.infer<typeof addendumSchema>
