import { z } from 'zod'
import { idSchema, languageSchema, lineSchema, millisecondsSchema, recordFields } from './common.ts'

/** What is read at once: about twelve hours of speech. Longer transcripts are stored, but not drafted from or analyzed. */
export const MAX_TRANSCRIPT_CHARACTERS = 600_000

export const speakerRoleSchema = z.enum(['therapist', 'client', 'other', 'unknown'])

export const speakerSchema = z.object({ id: z.string().min(1).max(64), label: lineSchema, role: speakerRoleSchema })

export const wordSchema = z.object({
  text: z.string(),
  start_ms: millisecondsSchema,
  end_ms: millisecondsSchema,
  /** 0 to 1 as the engine gives it; null where it gives none. */
  confidence: z.number().min(0).max(1).nullable(),
})

/** One turn or part of a turn of one speaker. Times are null for a transcript that was typed or imported without times. */
export const segmentSchema = z.object({
  id: z.string().min(1).max(64),
  speaker_id: z.string().max(64).nullable(),
  start_ms: millisecondsSchema.nullable(),
  end_ms: millisecondsSchema.nullable(),
  text: z.string().max(20_000),
  /** Its voice as an engine heard it: turns that sound alike have the same, whoever they were given to since. Not a print. */
  voice: z.string().max(64).optional(),
  confidence: z.number().min(0).max(1).nullable(),
  words: z.array(wordSchema).optional(),
  /** True once a person corrected the words; a new run of an engine never undoes it. */
  edited: z.boolean().default(false),
})

export const engineSchema = z.object({
  name: z.string(),
  version: z.string(),
  model: z.string().nullable(),
})

const transcriptBody = {
  session_id: idSchema.nullable(),
  language: languageSchema.nullable(),
  duration_ms: millisecondsSchema.nullable(),
  speakers: z.array(speakerSchema).max(40),
  segments: z.array(segmentSchema).max(50_000),
  engine: engineSchema,
}

export const transcriptDraftSchema = z.object({ id: idSchema.optional(), ...transcriptBody })
export const transcriptSchema = z.object({ ...transcriptBody, ...recordFields })

export type SpeakerRole = z.infer<typeof speakerRoleSchema>
export type Speaker = z.infer<typeof speakerSchema>
export type Segment = z.infer<typeof segmentSchema>
export type Engine = z.infer<typeof engineSchema>
export type TranscriptDraft = z.infer<typeof transcriptDraftSchema>
export type Transcript = z.infer<typeof transcriptSchema>
