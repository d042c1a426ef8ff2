import { z } from 'zod'
import { diagnosisSchema } from './client.ts'
import {
  idSchema,
  lineSchema,
  listOf,
  MAX_STATEMENTS,
  millisecondsSchema,
  named,
  orNull,
  paragraphSchema,
  recordFields,
  sentTimestampSchema,
  sha256Schema,
  shortIdSchema,
  timestampSchema,
} from './common.ts'
import { templateSchema } from './template.ts'
import { engineSchema } from './transcript.ts'

export const evidenceSchema = named('Evidence', 'Where a statement comes from.', {
  segment_id: z
    .string()
    .min(1)
    .describe(
      'Segment that contains the quote. With a stored transcript, the `id` in its `segments`. With an inline `transcript`, which is not stored: `s1`, `s2`, and so on, counting its sentences.',
    ),
  start_ms: millisecondsSchema.nullable().describe('Start of the segment in milliseconds; null without times.'),
  end_ms: millisecondsSchema.nullable().describe('End of the segment in milliseconds; null without times.'),
  quote: z.string().nullable().describe('Words of the segment, verbatim; null after the source was erased by policy.'),
  quote_sha256: orNull(sha256Schema).describe('SHA-256 of the quote in hex, set when the quote itself was erased.'),
})

export const supportSchema = z.enum(['stated', 'paraphrase', 'clinician_entered']).meta({
  id: 'Support',
  description:
    "`stated`: word for word, or a question with its answer. `paraphrase`: reworded by an engine. `clinician_entered`: the clinician's own words.",
})
export const originSchema = z
  .enum(['model', 'rules', 'person'])
  .meta({ id: 'StatementOrigin', description: 'Who wrote a statement: a language model, fixed rules or a person.' })

export const findingStateSchema = z
  .enum(['stated', 'denied', 'not_assessed'])
  .meta({ id: 'FindingState', description: 'Clinical findings have three values; nothing is assumed normal.' })

export const statementSchema = named('Statement', 'One sentence of a note with its evidence.', {
  id: shortIdSchema.describe('Id of the statement within its note.'),
  text: paragraphSchema.min(1).describe('The sentence.'),
  evidence: z
    .array(evidenceSchema)
    .max(50)
    .describe(
      'Quotes the statement rests on. Empty for the own words of a clinician, and for sentences such as "Not assessed: ..." and "Not stated in session.".',
    ),
  support: supportSchema.describe('How closely the text follows its evidence.'),
  origin: originSchema.describe('Who wrote it.'),
  finding: z
    .object({
      topic: lineSchema.describe('What the finding is about, for example `sleep`.'),
      state: findingStateSchema.describe('Whether it was stated, denied or not assessed.'),
    })
    .nullable()
    .default(null)
    .describe('Set if the statement is a clinical finding; otherwise null.'),
  safety: z
    .boolean()
    .default(false)
    .describe('True for suicide, self-harm, violence, abuse and medication. These must be confirmed one by one before signing.'),
  doubt: lineSchema
    .nullable()
    .optional()
    .describe('Why the automatic check is not sure of the statement; review it before signing. Null: no doubt.'),
  confirmed_at: orNull(sentTimestampSchema).describe(
    'When the clinician confirmed the statement; null: not yet. Years 1900 to 2200.',
  ),
})

export const noteSectionSchema = named('NoteSection', 'One section of a note.', {
  key: shortIdSchema.describe('Key of the section within its template, for example `subjective`.'),
  title: lineSchema.describe('Heading of the section.'),
  statements: z.array(statementSchema).max(MAX_STATEMENTS).describe('Sentences of the section in order.'),
})

export const omissionSchema = named(
  'Omission',
  'Something said in the session that no statement mentions. It is offered, never added automatically.',
  {
    id: shortIdSchema.describe('Id of the omission within its note.'),
    kind: z.enum(['risk', 'medication', 'goal', 'homework', 'substance', 'other']).describe('What the omission is about.'),
    text: paragraphSchema.describe('The sentence that is offered.'),
    evidence: z.array(evidenceSchema).min(1).max(50).describe('Quotes it rests on.'),
    decision: z
      .enum(['open', 'added', 'left_out'])
      .default('open')
      .describe('`open` until the clinician adds it to the note or leaves it out.'),
  },
)

export const noteCheckSchema = named(
  'NoteCheck',
  'A finding of the automatic check: payer elements, minutes against CPT code, copies of earlier notes.',
  {
    code: z.string().max(64).describe('Stable code of the check, for example `coverage`.'),
    severity: z.enum(['info', 'needs_you']).describe('`needs_you`: review it before signing. `info`: for your information.'),
    message: paragraphSchema.describe('The finding in one or two sentences.'),
  },
)

export const noteStatusSchema = z
  .enum(['draft', 'in_review', 'signed', 'awaiting_cosign', 'cosigned', 'returned', 'amended', 'entered_in_error'])
  .meta({ id: 'NoteStatus', description: 'Stage of a note. A signed note never changes; corrections are addenda.' })

export const signatureSchema = named('Signature', 'An electronic signature.', {
  by: lineSchema.min(1).describe('Name of the signer as printed on the note.'),
  credential: lineSchema.nullable().describe('Credential behind the name, for example `LCSW`; null if none.'),
  at: sentTimestampSchema.describe('When it was signed. Years 1900 to 2200.'),
  method: z.enum(['click', 'passphrase']).describe('How the signer confirmed their identity.'),
  content_hash: sha256Schema.describe(
    'SHA-256 in hex of the canonical JSON (RFC 8785, UTF-8) of exactly these members of the note: `session_id`, `client_id`, `template`, `sections`, `unsupported`, `omissions`, `checks`, `engine`. Take them from the answer of the service. `POST /notes/{id}/sign` shows an example.',
  ),
})

export const addendumSchema = named('Addendum', 'An addition to a signed note.', {
  id: idSchema.describe('Id of the addendum, chosen by the caller (UUID).'),
  text: paragraphSchema.min(1).describe('Text that is added.'),
  reason: paragraphSchema.min(1).describe('Why it is added.'),
  by: lineSchema.min(1).describe('Name of the author as printed on the note.'),
  at: sentTimestampSchema.describe('When it was written. Years 1900 to 2200.'),
  content_hash: sha256Schema.describe(
    "SHA-256 in hex of one text: the previous `content_hash` in hex (the last addendum's, or the signature's for the first), followed without a separator by the canonical JSON (RFC 8785) of this addendum's `id`, `text`, `reason`, `by` and `at`.",
  ),
})

export const noteBodySchema = z.object({
  session_id: idSchema.nullable().describe('Session the note is about; null if none was given.'),
  client_id: idSchema.nullable().describe('Client the note is about; null if none was given.'),
  template: templateSchema.describe('Template of the note.'),
  sections: z.array(noteSectionSchema).max(40).describe('Sections in the order of the template.'),
  unsupported: listOf({ text: paragraphSchema.describe('The sentence.'), reason: lineSchema.describe('Why it was left out.') })
    .max(500)
    .describe('Sentences an engine wrote that no evidence supports. They are not part of the note. Send them back unchanged.'),
  omissions: z
    .array(omissionSchema)
    .max(500)
    .describe('Things said in the session that no statement mentions. Set `decision`; send the rest back unchanged.'),
  checks: z
    .array(noteCheckSchema)
    .max(100)
    .describe('Findings of the automatic check when the draft was written. PUT does not check again; send them back unchanged.'),
  engine: engineSchema.describe('Engine that wrote the draft. Send it back unchanged.'),
})

export const noteDraftSchema = noteBodySchema
  .extend({ id: idSchema.optional().describe('Id of the note; if given, it must be the one in the path.') })
  .meta({ id: 'NoteDraft', description: 'A note as the clinician edited it, before it is signed.' })

export const noteReviewDecisionSchema = named('NoteReview', "A supervisor's decision on a signed note.", {
  decision: z.enum(['cosigned', 'returned']).describe('Whether the note was cosigned or returned.'),
  by: lineSchema.min(1).describe('Name of the supervisor.'),
  at: timestampSchema.describe('When it was decided.'),
  reason: paragraphSchema.describe('Why it was returned; empty if it was cosigned.'),
  content_hash: sha256Schema.describe('Hash of the text that was reviewed, as in its signature.'),
})

export const noteBillingSchema = named('NoteBilling', 'What a bill needs to know of a note, for roles that see no more.', {
  cpt_code: lineSchema.nullable().describe('CPT code of the session; null if none was chosen.'),
  diagnoses: z.array(diagnosisSchema).describe('Diagnoses of the client.'),
  starts_at: timestampSchema.nullable().describe('Scheduled start of the session; null without a session.'),
  ends_at: timestampSchema.nullable().describe('Scheduled end of the session; null without a session.'),
  duration_minutes: z.int().nullable().describe('Scheduled length in minutes; null without a session.'),
  started_at: timestampSchema.nullable().describe('Actual start; null if unknown.'),
  finished_at: timestampSchema.nullable().describe('Actual end; null if unknown.'),
  signed_at: timestampSchema.nullable().describe('When the note was signed; null if it is not.'),
})

export const noteSchema = named('Note', 'A clinical note. Every sentence says where it comes from.', {
  ...noteBodySchema.shape,
  ...recordFields,
  status: noteStatusSchema.describe('Stage of the note.'),
  signature: signatureSchema.nullable().describe('Signature of the author; null until signed.'),
  signed_by: idSchema.optional().describe('Person who signed.'),
  addenda: z.array(addendumSchema).describe('Additions after signing, oldest first.'),
  billing: noteBillingSchema.optional().describe('Billing facts, for roles that do not see the text.'),
  withheld: z.array(z.string()).optional().describe("Names of fields the caller's role does not see; they are empty."),
  cosignature: signatureSchema.optional().describe('Signature of the supervisor.'),
  cosigned_by: idSchema.optional().describe('Person who cosigned.'),
  reviews: z.array(noteReviewDecisionSchema).optional().describe('Decisions of supervisors, oldest first.'),
  redacted: z
    .object({
      at: timestampSchema.describe('When the source was erased.'),
      content_hash: sha256Schema.describe('Hash of the note without its quotes, in hex.'),
      put_hash: sha256Schema
        .optional()
        .describe('For a draft stored after that: hash of the text as it was sent. It may be signed as such.'),
    })
    .optional()
    .describe('Set after the source transcript was erased by policy: the quotes are hashes now.'),
  entered_in_error: z
    .object({
      by: lineSchema.min(1).describe('Name of the person who marked it.'),
      at: timestampSchema.describe('When it was marked.'),
      reason: paragraphSchema.describe('Why it does not belong here.'),
    })
    .optional()
    .describe('Set if a signed note does not belong in this record. The text stays.'),
})

export const noteVersionSchema = named('NoteVersion', 'A note as it was when a supervisor returned it.', {
  note_id: idSchema.describe('Id of the note.'),
  version: z.int().min(1).describe('Version of the note at that time.'),
  kept_at: timestampSchema.describe('When this version was stored.'),
  note: noteSchema.describe('The note at that time.'),
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

/**
 * Psychotherapy notes (45 CFR 164.501) document or analyze the contents of a counseling conversation. They are stored apart from
 * the rest of the record, as are counseling notes on substance use (42 CFR 2.11). Medication, start and stop times, modalities
 * and frequencies of treatment, test results and any summary of diagnosis, functional status, treatment plan, symptoms,
 * prognosis or progress belong in the progress note instead.
 */
export const psychotherapyNoteDraftSchema = named(
  'PsychotherapyNoteDraft',
  'A psychotherapy note as defined by 45 CFR 164.501, kept apart from the record.',
  {
    client_id: idSchema.describe('Client the note is about.'),
    session_id: orNull(idSchema).describe('Session the note is about; null if none.'),
    kind: z
      .enum(['psychotherapy', 'substance_use_counselling'])
      .default('psychotherapy')
      .describe('`substance_use_counselling` for notes under 42 CFR 2.11.'),
    text: z.string().trim().min(1).max(100_000).describe('Text of the note.'),
  },
)

export const psychotherapyNoteSchema = psychotherapyNoteDraftSchema
  .extend({ ...recordFields, author_id: idSchema.describe('Person who wrote it.') })
  .meta({ id: 'PsychotherapyNote', description: 'A psychotherapy note. Only its author can read it.' })

export type PsychotherapyNote = z.infer<typeof psychotherapyNoteSchema>
