import { z } from 'zod'
import { analysisSchema } from '../model/analysis.ts'
import { changeCursorSchema, changesSchema, operationStateSchema } from '../model/change.ts'
import { byId, idSchema, limitSchema, pageOf, pageQuerySchema } from '../model/common.ts'
import {
  analyzeRequestSchema,
  generateNoteRequestSchema,
  notesGenerateRequestSchema,
  transcribeRequestSchema,
  uploadRequestSchema,
  uploadSchema,
} from '../model/documentation-requests.ts'
import { addendumSchema, noteDraftSchema, noteSchema, signatureSchema } from '../model/note.ts'
import { operationSchema } from '../model/operation.ts'
import { transcriptDraftSchema, transcriptSchema } from '../model/transcript.ts'
import {
  MAX_TRANSCRIPT_BYTES,
  askers,
  changing,
  clinical,
  everyone,
  get,
  one,
  post,
  put,
  remove,
  signers,
  storing,
  transcriptLimitOf,
  treating,
  type Reaches,
} from './route.ts'

const bySession = pageQuerySchema.extend({
  session_id: idSchema.optional().describe('Only records of this session.'),
  client_id: idSchema.optional().describe('Only records of this client.'),
})

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

const noteReaders: Reaches = { ...clinical, biller: 'limited' }

export const documentationRoutes = {
  createUpload: post('/uploads', 'Announce audio that this service can read where it stands', treating, {
    body: uploadRequestSchema,
    answers: { 201: uploadSchema },
    failures: ['not-found', 'already-exists'],
  }),
  transcribe: post('/transcribe', 'Transcribe audio recordings to text', treating, {
    published: true,
    body: transcribeRequestSchema,
    answers: { 200: transcriptSchema, 202: operationSchema },
    failures: transcribeFailures,
    longRunning: true,
  }),
  transcribeWithSpeakers: post('/ai/transcribe', 'Transcribe audio recordings to text with speaker identification', treating, {
    published: true,
    body: transcribeRequestSchema,
    answers: { 200: transcriptSchema, 202: operationSchema },
    failures: transcribeFailures,
    longRunning: true,
  }),
  generateNote: post('/ai/generate-note', 'Generate a clinical note (progress note) from a session transcript', treating, {
    published: true,
    body: generateNoteRequestSchema,
    answers: { 201: noteSchema, 202: operationSchema },
    failures: [...textFailures, 'engine-refused', 'engine-unusable'],
    longRunning: true,
  }),
  generateNoteFromData: post('/notes/generate', 'Generate a clinical note (progress note) from session data', treating, {
    published: true,
    body: notesGenerateRequestSchema,
    answers: { 201: noteSchema },
    failures: ['not-found', 'engine-not-ready', 'engine-failed', 'too-many-operations', 'cancelled'],
  }),
  analyze: post('/ai/analyze', 'Analyze session content for insights and treatment recommendations', treating, {
    published: true,
    body: analyzeRequestSchema,
    answers: { 200: analysisSchema, 202: operationSchema },
    failures: textFailures,
    longRunning: true,
    reads: true,
  }),
  listTranscripts: get('/transcripts', 'List transcripts', treating, {
    query: bySession,
    answers: { 200: pageOf(transcriptSchema) },
  }),
  getTranscript: get('/transcripts/{id}', 'One transcript', treating, one('transcript', transcriptSchema)),
  putTranscript: put('/transcripts/{id}', 'Store a transcript, imported, typed or corrected', treating, {
    params: byId('transcript'),
    body: transcriptDraftSchema,
    answers: { 200: transcriptSchema, 201: transcriptSchema },
    failures: ['not-found', 'conflict', 'stale-version', 'version-required'],
    conditional: true,
    bodyLimit: MAX_TRANSCRIPT_BYTES,
    bodyLimitOf: transcriptLimitOf,
  }),
  listNotes: get('/notes', 'List notes', noteReaders, {
    beyondNeedsPurpose: true,
    query: bySession,
    answers: { 200: pageOf(noteSchema) },
  }),
  getNote: get('/notes/{id}', 'One note', noteReaders, {
    beyondNeedsPurpose: true,
    params: byId('note'),
    answers: { 200: noteSchema },
    failures: ['not-found'],
  }),
  putNote: put(
    '/notes/{id}',
    'Store a draft as the therapist changed it',
    treating,
    storing('note', noteDraftSchema, noteSchema, 'already-signed'),
  ),
  signNote: post(
    '/notes/{id}/sign',
    'Sign a note; it never changes again',
    signers,
    changing('note', signatureSchema, noteSchema, 'already-signed', 'not-ready-to-sign', 'conflict'),
  ),
  addAddendum: post('/notes/{id}/addenda', 'Add an addendum to a signed note', signers, {
    params: byId('note'),
    body: addendumSchema,
    answers: { 200: noteSchema },
    failures: ['not-found', 'conflict', 'already-exists'],
  }),
  getOperation: get('/operations/{id}', 'How far long work has come', askers, {
    params: byId('operation'),
    answers: { 200: operationSchema },
    failures: ['not-found', 'consent-missing'],
  }),
  cancelOperation: remove('/operations/{id}', 'Stop long work', askers, {
    params: byId('operation'),
    answers: { 200: operationSchema },
    failures: ['not-found', 'consent-missing'],
  }),
} as const

export const eventRoutes = {
  followOperation: get(
    '/operations/{id}/events',
    'How far long work comes, as server-sent events until it is over (204: it was, and you know)',
    askers,
    {
      stream: 'out',
      params: byId('operation'),
      answers: { 200: operationStateSchema, 204: null },
      failures: ['not-found', 'too-many-streams'],
    },
  ),
  listChanges: get(
    '/events',
    'What changed since a cursor, as a page, or as it happens where text/event-stream is accepted; without one, where now is',
    everyone,
    {
      stream: 'out',
      query: z.object({
        since: changeCursorSchema
          .optional()
          .describe('Changes after this cursor. Without it, the answer holds the cursor of now and no changes.'),
        limit: limitSchema(1000, 200).describe('Changes per page, 1 to 1,000.'),
      }),
      answers: { 200: changesSchema },
      failures: ['cursor-expired', 'too-many-streams'],
    },
  ),
} as const
