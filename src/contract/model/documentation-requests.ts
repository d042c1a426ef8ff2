import { z } from 'zod'
import { idSchema, languageSchema, lineSchema, minutesSchema, named, paragraphSchema, timestampSchema } from './common.ts'
import { templateSchema } from './template.ts'
import { MAX_TRANSCRIPT_CHARACTERS } from './transcript.ts'

const transcriptTextSchema = z
  .string()
  .min(1)
  .max(MAX_TRANSCRIPT_CHARACTERS)
  .optional()
  .describe(
    'Text of the session, at most 600,000 characters. It is not stored. `Label:` at the start of a line starts the turn of a speaker. Labels of the clinician: `Therapist`, `Counselor`, `Clinician`, `Psychologist`, `Psychotherapist`, `Psychiatrist` or `T`. Labels of the client: `Client`, `Patient`, `C`, or a name of the client in the record. Each sentence is a segment: `s1`, `s2`, and so on; each speaker is `p1`, `p2`, and so on. Send either this field or `transcript_id`.',
  )
const transcriptIdSchema = idSchema
  .optional()
  .describe(
    'Id of a stored transcript (`PUT /transcripts/{id}`) of at most 600,000 characters. Evidence then refers to its segments. Send either this field or `transcript`.',
  )
const oneTranscript = { path: ['transcript'], message: 'Send exactly one of `transcript` and `transcript_id`.' }

function hasOneTranscript(body: { transcript?: string | undefined; transcript_id?: string | undefined }): boolean {
  return (body.transcript === undefined) !== (body.transcript_id === undefined)
}

const inlineAudioLength = Math.ceil((700 * 1024) / 3) * 4
const audioSourceSchema = z
  .union([
    z.object({
      upload_id: idSchema.describe('Id of a finished upload (`POST /uploads`).'),
    }),
    z.object({
      content: z
        .base64()
        .max(inlineAudioLength)
        .describe('The audio in base64, at most 700 KiB before encoding. Upload longer audio.'),
      media_type: z.string().max(100).describe('Format of `content`, for example `audio/wav`. The first bytes decide.'),
    }),
  ])
  .meta({ id: 'AudioSource', description: 'Audio to transcribe: an upload, or short audio in the call itself.' })

export const transcribeRequestSchema = named('TranscribeRequest', 'Audio with hints for the engine.', {
  audio: audioSourceSchema.describe('Audio to transcribe.'),
  session_id: idSchema
    .optional()
    .describe('Session the audio belongs to. Its consents are checked if the practice enforces consent.'),
  language: languageSchema.optional().describe('Language spoken (BCP 47). Without it, the engine decides.'),
  speakers: z
    .object({
      min: z.int().min(1).max(40).describe('Fewest speakers.'),
      max: z.int().min(1).max(40).describe('Most speakers.'),
    })
    .optional()
    .describe('Expected number of speakers, for speaker identification.'),
  vocabulary: z.array(lineSchema).max(500).default([]).describe('Names and words to expect.'),
  reduce_noise: z
    .boolean()
    .default(false)
    .describe(
      'Reduces noise first, if a model for it is installed on this machine. Audio for a speech server is sent unchanged.',
    ),
})

export const generateNoteRequestSchema = z
  .object({
    session_id: idSchema.describe('Session the note is about.'),
    transcript: transcriptTextSchema,
    transcript_id: transcriptIdSchema,
    template: templateSchema.describe('Template of the note.'),
    client_id: idSchema.describe('Client the note is about; must be the client of the session.'),
    without_ai: z.boolean().optional().describe('True writes the draft with fixed rules only, whichever engine is configured.'),
  })
  .refine(hasOneTranscript, oneTranscript)
  .meta({
    id: 'GenerateNoteRequest',
    description: 'A session to write a note about. Send exactly one of `transcript` and `transcript_id`.',
  })

export const notesGenerateRequestSchema = named(
  'GenerateNoteFromDataRequest',
  'Facts of a session to write a note from. The note states these facts only.',
  {
    session_type: lineSchema.min(1).describe('Kind of session in your own words.'),
    duration_minutes: minutesSchema.describe('Length of the session in minutes.'),
    presenting_concerns: z.array(paragraphSchema.min(1)).max(40).describe('Concerns the client raised, one per entry.'),
    interventions: z.array(paragraphSchema.min(1)).max(40).describe('Interventions used, one per entry.'),
    client_response: paragraphSchema.describe('How the client responded.'),
    template: templateSchema.default('soap').describe('Template of the note.'),
    client_id: idSchema.optional().describe('Client the note is about.'),
    session_id: idSchema.optional().describe('Session the note is about.'),
    language: languageSchema.optional().describe('Language of the facts (BCP 47).'),
  },
)

export const analyzeRequestSchema = z
  .object({
    transcript_id: transcriptIdSchema,
    transcript: transcriptTextSchema,
    session_id: idSchema.optional().describe('Session the text belongs to.'),
    client_id: idSchema.optional().describe('Client of the session.'),
    focus: z.array(lineSchema).max(20).default([]).describe('Topics to look for in particular.'),
    goals: z.array(lineSchema.min(1)).max(20).default([]).describe('Goals of treatment, to see which were raised.'),
  })
  .refine(hasOneTranscript, oneTranscript)
  .meta({ id: 'AnalyzeRequest', description: 'A session to analyze. Send exactly one of `transcript` and `transcript_id`.' })

export const uploadRequestSchema = named(
  'RecordingUpload',
  'A recording on this machine to transcribe without sending it (embedded service only).',
  {
    id: idSchema.optional().describe('Id for the upload, chosen by the caller (any UUID). Without it, the service makes one.'),
    recording_id: idSchema.describe('Id of the recording.'),
    media_type: z.literal('audio/ogg').describe('Format of recordings.'),
  },
)
export const uploadSchema = named('Upload', 'An upload that is ready to transcribe.', {
  id: idSchema.describe('Id of the upload. Pass it as `audio.upload_id`.'),
  complete: z.boolean().describe('True: the recording can be transcribed.'),
  bytes: z.int().min(0).describe('Size in bytes.'),
})

export const sentUploadSchema = named('UploadState', 'State of an audio upload.', {
  id: idSchema.describe('Id of the upload. Pass it as `audio.upload_id`.'),
  session_id: idSchema.nullable().describe("Session named in the upload's metadata; null if none."),
  complete: z.boolean().describe('True once all audio arrived, matches what was announced and can be transcribed.'),
  bytes: z.int().min(0).describe('Announced size in bytes.'),
  offset: z.int().min(0).describe('Bytes stored so far; continue from here.'),
  media_type: z.string().nullable().describe('Format found in the first bytes; null until they arrived.'),
  expires_at: timestampSchema.describe('When the audio is deleted if it is not transcribed.'),
})

export type SentUpload = z.infer<typeof sentUploadSchema>
