import { z } from 'zod'
import { idSchema, languageSchema, lineSchema, millisecondsSchema, named, orNull, recordFields, shortIdSchema } from './common.ts'

/** About twelve hours of speech. Longer transcripts can be stored, but not drafted from or analyzed. */
export const MAX_TRANSCRIPT_CHARACTERS = 600_000

const MAX_SEGMENT_CHARACTERS = 20_000

export const speakerRoleSchema = z
  .enum(['therapist', 'client', 'other', 'unknown'])
  .meta({ id: 'SpeakerRole', description: "A speaker's part in the session." })

export const speakerSchema = named('Speaker', 'A speaker of a transcript.', {
  id: shortIdSchema.describe('Id of the speaker within the transcript.'),
  label: lineSchema.describe('Name to show for the speaker.'),
  role: speakerRoleSchema.describe("The speaker's part in the session."),
})

export const wordSchema = named('Word', 'One recognized word.', {
  text: z.string().describe('The word.'),
  start_ms: millisecondsSchema.describe('Start in milliseconds from the beginning of the audio.'),
  end_ms: millisecondsSchema.describe('End in milliseconds from the beginning of the audio.'),
  confidence: z.number().min(0).max(1).nullable().describe('Confidence of the engine, 0 to 1; null if it gives none.'),
})

export const segmentSchema = named('Segment', 'One turn of a speaker, or a part of one.', {
  id: shortIdSchema.describe('Id of the segment within the transcript. Evidence refers to it.'),
  speaker_id: z.string().max(64).nullable().describe('Speaker of the segment; null if unknown.'),
  start_ms: orNull(millisecondsSchema).describe('Start in milliseconds of the audio; null for typed or imported text.'),
  end_ms: orNull(millisecondsSchema).describe('End in milliseconds of the audio; null for typed or imported text.'),
  text: z.string().max(MAX_SEGMENT_CHARACTERS).describe('What was said.'),
  voice: z
    .string()
    .max(64)
    .optional()
    .describe(
      'Label of the voice the engine heard. Segments that sound alike share it, even after a speaker was corrected. Not a voice print.',
    ),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .default(null)
    .describe('Confidence of the engine, 0 to 1; null if it gives none.'),
  words: z
    .array(wordSchema)
    .max(MAX_SEGMENT_CHARACTERS / 2)
    .optional()
    .describe('Words with times, if the engine gives them.'),
  edited: z.boolean().default(false).describe('True once a person corrected the text.'),
})

export const engineSchema = named('Engine', 'Engine that made a record.', {
  name: z.string().describe('Name of the engine; `rules` uses no AI model.'),
  version: z.string().describe('Version of the engine.'),
  model: z.string().nullable().describe('Model it used; null if none.'),
})

const transcriptBody = {
  session_id: idSchema.nullable().describe('Session that was transcribed; null if none.'),
  language: languageSchema.nullable().describe('Language of the transcript (BCP 47); null if unknown.'),
  duration_ms: millisecondsSchema.nullable().describe('Length of the audio in milliseconds; null for typed or imported text.'),
  speakers: z.array(speakerSchema).max(40).describe('Speakers of the transcript; empty without speaker identification.'),
  segments: z
    .array(segmentSchema)
    .max(50_000)
    .describe('What was said, in order. Drafts and analyses take at most 600,000 characters.'),
  engine: engineSchema.describe('Engine that transcribed.'),
}

export const transcriptDraftSchema = named('TranscriptDraft', 'A transcript to store: imported, typed or corrected.', {
  id: idSchema.optional().describe('Id of the transcript; if given, it must be the one in the path.'),
  ...transcriptBody,
  duration_ms: transcriptBody.duration_ms
    .default(null)
    .describe('Length of the audio in milliseconds; null for typed or imported text.'),
  engine: engineSchema
    .default({ name: 'import', version: '1', model: null })
    .describe('Engine that transcribed. Leave it out for typed or imported text.'),
})
export const transcriptSchema = z
  .object({ ...transcriptBody, ...recordFields })
  .meta({ id: 'Transcript', description: 'What was said in a session.' })

export type SpeakerRole = z.infer<typeof speakerRoleSchema>
export type Speaker = z.infer<typeof speakerSchema>
export type Segment = z.infer<typeof segmentSchema>
export type Engine = z.infer<typeof engineSchema>
export type TranscriptDraft = z.infer<typeof transcriptDraftSchema>
export type Transcript = z.infer<typeof transcriptSchema>
