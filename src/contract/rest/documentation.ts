import { z } from 'zod'
import { analysisSchema } from '../model/analysis.ts'
import { idSchema, languageSchema, lineSchema, pageOf, pageQuerySchema, paragraphSchema } from '../model/common.ts'
import { addendumSchema, noteDraftSchema, noteSchema, signatureSchema } from '../model/note.ts'
import { templateSchema } from '../model/template.ts'
import { operationSchema } from '../model/operation.ts'
import { MAX_TRANSCRIPT_CHARACTERS, transcriptDraftSchema, transcriptSchema } from '../model/transcript.ts'
import { askers, reach, route, signers, treating } from './route.ts'
import { hasWords, MAX_TEXT_TRANSCRIPT_BYTES, MAX_TRANSCRIPT_BYTES } from './limits.ts'

const byId = z.object({ id: idSchema })
const bySession = pageQuerySchema.extend({ session_id: idSchema.optional(), client_id: idSchema.optional() })
const plainTranscriptSchema = z.string().min(1).max(MAX_TRANSCRIPT_CHARACTERS)

/** Inline audio is at most 700 KiB decoded, which base64 makes 4/3 as long. */
const inlineAudioLength = Math.ceil((700 * 1024) / 3) * 4
const audioSourceSchema = z.union([
  z.object({ upload_id: idSchema }),
  z.object({ content: z.base64().max(inlineAudioLength), media_type: z.string().max(100) }),
])

const transcribeRequestSchema = z.object({
  audio: audioSourceSchema,
  session_id: idSchema.optional(),
  language: languageSchema.optional(),
  speakers: z.object({ min: z.int().min(1).max(40), max: z.int().min(1).max(40) }).optional(),
  vocabulary: z.array(lineSchema).max(500).default([]),
  /** By a model on this machine, where one for it is installed; a server is sent the sound as it is. */
  reduce_noise: z.boolean().default(false),
})

export const generateNoteRequestSchema = z
  .object({
    session_id: idSchema,
    transcript: plainTranscriptSchema.optional(),
    transcript_id: idSchema.optional(),
    template: templateSchema,
    client_id: idSchema,
    /** By the rules alone, whatever engine is chosen. */
    without_ai: z.boolean().optional(),
  })
  .refine((body) => (body.transcript === undefined) !== (body.transcript_id === undefined), {
    path: ['transcript'],
    message: 'give either transcript or transcript_id',
  })

export const notesGenerateRequestSchema = z.object({
  session_type: lineSchema.min(1),
  duration_minutes: z
    .int()
    .min(1)
    .max(24 * 60),
  presenting_concerns: z.array(paragraphSchema.min(1)).max(40),
  interventions: z.array(paragraphSchema.min(1)).max(40),
  client_response: paragraphSchema,
  template: templateSchema.default('soap'),
  client_id: idSchema.optional(),
  session_id: idSchema.optional(),
  language: languageSchema.optional(),
})

const analyzeRequestSchema = z
  .object({
    transcript_id: idSchema.optional(),
    transcript: plainTranscriptSchema.optional(),
    session_id: idSchema.optional(),
    client_id: idSchema.optional(),
    focus: z.array(lineSchema).max(20).default([]),
    /** Goals of the treatment, to see which were spoken of. */
    goals: z.array(lineSchema.min(1)).max(20).default([]),
  })
  .refine((body) => (body.transcript === undefined) !== (body.transcript_id === undefined), {
    path: ['transcript'],
    message: 'give either transcript or transcript_id',
  })

/** Embedded, a recording on this laptop is named instead of sent; the upload is complete at once (DESIGN.md section 1). */
const uploadRequestSchema = z.object({ id: idSchema.optional(), recording_id: idSchema, media_type: z.literal('audio/ogg') })
const uploadSchema = z.object({ id: idSchema, complete: z.boolean(), bytes: z.int().min(0) })

const transcribeFailures = [
  'not-found',
  'conflict',
  'checksum-mismatch',
  'recording-damaged',
  'storage-unreachable',
  'disk-failed',
  'consent-missing',
  'engine-not-ready',
  'engine-failed',
  'model-damaged',
  'too-many-operations',
  'cancelled',
] as const

const textFailures = [
  'not-found',
  'consent-missing',
  'engine-not-ready',
  'engine-failed',
  'nothing-said',
  'too-many-operations',
  'cancelled',
] as const

/** From sound to signed note: uploads, transcription, drafting, transcripts, notes, operations. */
export const documentationRoutes = {
  createUpload: route({
    method: 'POST',
    path: '/uploads',
    summary: 'Announce audio that this service can read where it stands',
    published: false,
    counted: false,
    reach: treating,
    body: uploadRequestSchema,
    answers: { 201: uploadSchema },
    failures: ['not-found', 'already-exists'],
  }),
  transcribe: route({
    method: 'POST',
    path: '/transcribe',
    summary: 'Transcribe audio recordings to text',
    published: true,
    counted: true,
    reach: treating,
    body: transcribeRequestSchema,
    answers: { 200: transcriptSchema, 202: operationSchema },
    failures: transcribeFailures,
    longRunning: true,
  }),
  transcribeWithSpeakers: route({
    method: 'POST',
    path: '/ai/transcribe',
    summary: 'Transcribe audio recordings to text with speaker identification',
    published: true,
    counted: true,
    reach: treating,
    body: transcribeRequestSchema,
    answers: { 200: transcriptSchema, 202: operationSchema },
    failures: transcribeFailures,
    longRunning: true,
  }),
  generateNote: route({
    method: 'POST',
    path: '/ai/generate-note',
    summary: 'Generate a clinical note from a session transcript',
    published: true,
    counted: true,
    reach: treating,
    body: generateNoteRequestSchema,
    answers: { 201: noteSchema, 202: operationSchema },
    failures: [...textFailures, 'engine-refused', 'engine-unusable'],
    longRunning: true,
  }),
  generateNoteFromData: route({
    method: 'POST',
    path: '/notes/generate',
    summary: 'Generate a clinical note from session data',
    published: true,
    counted: true,
    reach: treating,
    body: notesGenerateRequestSchema,
    answers: { 201: noteSchema },
    failures: ['not-found', 'engine-not-ready', 'engine-failed', 'too-many-operations'],
  }),
  analyze: route({
    method: 'POST',
    path: '/ai/analyze',
    summary: 'Analyze session content for insights and treatment recommendations',
    published: true,
    counted: true,
    reach: treating,
    body: analyzeRequestSchema,
    answers: { 200: analysisSchema, 202: operationSchema },
    failures: textFailures,
    longRunning: true,
    reads: true,
  }),
  listTranscripts: route({
    method: 'GET',
    path: '/transcripts',
    summary: 'List transcripts',
    published: false,
    counted: false,
    reach: treating,
    query: bySession,
    answers: { 200: pageOf(transcriptSchema) },
    failures: [],
  }),
  getTranscript: route({
    method: 'GET',
    path: '/transcripts/{id}',
    summary: 'One transcript',
    published: false,
    counted: false,
    reach: treating,
    params: byId,
    answers: { 200: transcriptSchema },
    failures: ['not-found'],
  }),
  putTranscript: route({
    method: 'PUT',
    path: '/transcripts/{id}',
    summary: 'Store a transcript, imported, typed or corrected',
    published: false,
    counted: false,
    reach: treating,
    params: byId,
    body: transcriptDraftSchema,
    answers: { 200: transcriptSchema, 201: transcriptSchema },
    failures: ['not-found', 'conflict', 'stale-version', 'version-required'],
    conditional: true,
    bodyLimit: MAX_TRANSCRIPT_BYTES,
    bodyLimitOf: (body) => (hasWords(body) ? MAX_TRANSCRIPT_BYTES : MAX_TEXT_TRANSCRIPT_BYTES),
  }),
  listNotes: route({
    method: 'GET',
    path: '/notes',
    summary: 'List notes',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', biller: 'limited' }),
    beyondNeedsPurpose: true,
    query: bySession,
    answers: { 200: pageOf(noteSchema) },
    failures: [],
  }),
  getNote: route({
    method: 'GET',
    path: '/notes/{id}',
    summary: 'One note',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', biller: 'limited' }),
    beyondNeedsPurpose: true,
    params: byId,
    answers: { 200: noteSchema },
    failures: ['not-found'],
  }),
  putNote: route({
    method: 'PUT',
    path: '/notes/{id}',
    summary: 'Store a draft as the therapist changed it',
    published: false,
    counted: false,
    reach: treating,
    params: byId,
    body: noteDraftSchema,
    answers: { 200: noteSchema, 201: noteSchema },
    failures: ['not-found', 'already-signed', 'stale-version', 'version-required'],
    conditional: true,
  }),
  signNote: route({
    method: 'POST',
    path: '/notes/{id}/sign',
    summary: 'Sign a note; it never changes again',
    published: false,
    counted: false,
    reach: signers,
    params: byId,
    body: signatureSchema,
    answers: { 200: noteSchema },
    failures: ['not-found', 'already-signed', 'not-ready-to-sign', 'conflict', 'stale-version', 'version-required'],
    conditional: true,
  }),
  addAddendum: route({
    method: 'POST',
    path: '/notes/{id}/addenda',
    summary: 'Add an addendum to a signed note',
    published: false,
    counted: false,
    reach: signers,
    params: byId,
    body: addendumSchema,
    answers: { 200: noteSchema },
    failures: ['not-found', 'conflict', 'already-exists'],
  }),
  getOperation: route({
    method: 'GET',
    path: '/operations/{id}',
    summary: 'How far long work has come',
    published: false,
    counted: false,
    reach: askers,
    params: byId,
    answers: { 200: operationSchema },
    failures: ['not-found', 'consent-missing'],
  }),
  cancelOperation: route({
    method: 'DELETE',
    path: '/operations/{id}',
    summary: 'Stop long work',
    published: false,
    counted: false,
    reach: askers,
    params: byId,
    answers: { 200: operationSchema },
    failures: ['not-found', 'consent-missing'],
  }),
} as const
