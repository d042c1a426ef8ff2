import { z } from 'zod'
import { byId, idSchema, limitSchema, named, pageOf, pageQuerySchema, paragraphSchema } from '../model/common.ts'
import { noteSchema, noteVersionSchema, signatureSchema } from '../model/note.ts'
import { changing, clinical, everyone, get, one, page, post, put, reach, remove, storing, treating } from './route.ts'
import { psychotherapyNoteDraftSchema, psychotherapyNoteSchema } from '../model/note.ts'
import { ownTemplateDraftSchema, ownTemplateSchema } from '../model/template.ts'
import { analysisSchema } from '../model/analysis.ts'

const supervisor = reach({ supervisor: 'supervised' })
const reason = named('NoteReason', 'Reason for a decision on a signed note.', {
  reason: paragraphSchema.min(1).describe('Why, in a sentence the author can act on.'),
  by: z.string().trim().min(1).max(200).describe('Name of the person, as printed on the note.'),
})

export const cosignRoutes = {
  cosignNote: post(
    '/notes/{id}/cosign',
    'Sign a supervisee’s note as their supervisor',
    supervisor,
    changing('note', signatureSchema, noteSchema, 'conflict'),
  ),
  returnNote: post(
    '/notes/{id}/return',
    'Give a supervisee’s note back to be changed; no word of it is',
    supervisor,
    changing('note', reason, noteSchema, 'conflict'),
  ),
  listNoteVersions: get('/notes/{id}/versions', 'The texts that were signed and returned', clinical, {
    beyondNeedsPurpose: true,
    params: byId('note'),
    query: z.object({
      limit: limitSchema(200, 50).describe('Versions per page, 1 to 200.'),
      cursor: z
        .string()
        .regex(/^\d{1,9}$/, 'not a cursor of this list')
        .optional()
        .describe('`next_cursor` of the page before. Leave it out for the first page.'),
    }),
    answers: { 200: pageOf(noteVersionSchema) },
    failures: ['not-found'],
  }),
  enterInError: post(
    '/notes/{id}/entered-in-error',
    'Say that a signed note should not be in this record; its text stays',
    treating,
    changing('note', reason, noteSchema, 'conflict'),
  ),
} as const

const author = reach({ owner: 'own', clinician: 'own', supervisor: 'own' })

/** Psychotherapy notes must not appear in AI input, exports, reports or the change feed. */
export const psychotherapyNoteRoutes = {
  listPsychotherapyNotes: get('/psychotherapy-notes', 'List one’s own psychotherapy notes on a client', author, {
    query: pageQuerySchema.omit({ updated_since: true }).extend({ client_id: idSchema.describe('Client the notes are about.') }),
    answers: { 200: pageOf(psychotherapyNoteSchema) },
  }),
  getPsychotherapyNote: get(
    '/psychotherapy-notes/{id}',
    'One psychotherapy note of one’s own',
    author,
    one('psychotherapy note', psychotherapyNoteSchema),
  ),
  putPsychotherapyNote: put(
    '/psychotherapy-notes/{id}',
    'Write a psychotherapy note, or change one’s own',
    author,
    storing('psychotherapy note', psychotherapyNoteDraftSchema, psychotherapyNoteSchema),
  ),
  deletePsychotherapyNote: remove('/psychotherapy-notes/{id}', 'Erase a psychotherapy note of one’s own', author, {
    params: byId('psychotherapy note'),
    answers: { 204: null },
    failures: ['not-found', 'stale-version', 'version-required', 'legal-hold'],
    conditional: true,
  }),
} as const

const writers = reach({ owner: 'all', clinician: 'all', supervisor: 'all' })

export const templateRoutes = {
  listTemplates: get('/templates', 'List the practice’s own forms of notes', everyone, page(ownTemplateSchema)),
  getTemplate: get('/templates/{id}', 'One form of note', everyone, one('template', ownTemplateSchema)),
  putTemplate: put(
    '/templates/{id}',
    'Store a form of note, new or changed',
    writers,
    storing('template', ownTemplateDraftSchema, ownTemplateSchema),
  ),
} as const

export const analysisRoutes = {
  listAnalyses: get('/analyses', 'List analyses of sessions', treating, {
    query: pageQuerySchema.extend({
      session_id: idSchema.optional().describe('Only analyses of this session.'),
      client_id: idSchema.optional().describe('Only analyses of this client.'),
    }),
    answers: { 200: pageOf(analysisSchema) },
  }),
  getAnalysis: get('/analyses/{id}', 'One analysis', treating, {
    params: byId('analysis'),
    answers: { 200: analysisSchema },
    failures: ['not-found', 'consent-missing'],
  }),
} as const
