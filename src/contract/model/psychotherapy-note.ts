import { z } from 'zod'
import { idSchema, recordFields } from './common.ts'

/**
 * Psychotherapy notes (45 CFR 164.501) analyze the content of a conversation and are stored apart from the rest of the record;
 * so are counseling notes on substance use (42 CFR 2.11). Medication, start and stop times, modality, test results and any
 * summary of diagnosis, function, plan, symptoms, prognosis or progress belong in the progress note instead.
 */
export const psychotherapyNoteDraftSchema = z
  .object({
    client_id: idSchema.describe('Client the note is about.'),
    session_id: idSchema.nullable().default(null).describe('Session the note is about; null if none.'),
    kind: z
      .enum(['psychotherapy', 'substance_use_counselling'])
      .default('psychotherapy')
      .describe('`substance_use_counselling` for notes under 42 CFR 2.11.'),
    text: z.string().trim().min(1).max(100_000).describe('Text of the note.'),
  })
  .meta({
    id: 'PsychotherapyNoteDraft',
    description: 'A psychotherapy note as defined by 45 CFR 164.501, kept apart from the record.',
  })

export const psychotherapyNoteSchema = psychotherapyNoteDraftSchema
  .extend({ ...recordFields, author_id: idSchema.describe('Person who wrote it.') })
  .meta({ id: 'PsychotherapyNote', description: 'A psychotherapy note. Only its author can read it.' })

export type PsychotherapyNote = z.infer<typeof psychotherapyNoteSchema>
