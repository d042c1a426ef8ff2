import { z } from 'zod'
import { byId, limitSchema, pageOf, paragraphSchema, idSchema, pageQuerySchema } from '../model/common.ts'
import { noteSchema, noteVersionSchema, signatureSchema } from '../model/note.ts'
import { reach, route, treating, everyone } from './route.ts'
import { psychotherapyNoteDraftSchema, psychotherapyNoteSchema } from '../model/note.ts'
import { ownTemplateDraftSchema, ownTemplateSchema } from '../model/template.ts'
import { analysisSchema } from '../model/analysis.ts'

const supervisor = reach({ supervisor: 'supervised' })
const reason = z
  .object({
    reason: paragraphSchema.min(1).describe('Why, in a sentence the author can act on.'),
    by: z.string().trim().min(1).max(200).describe('Name of the person, as printed on the note.'),
  })
  .meta({ id: 'NoteReason', description: 'Reason for a decision on a signed note.' })

/** The note of a supervisee is final only once the supervisor has signed it too. */
export const cosignRoutes = {
  cosignNote: route({
    method: 'POST',
    path: '/notes/{id}/cosign',
    summary: 'Sign a supervisee’s note as their supervisor',
    published: false,
    counted: false,
    reach: supervisor,
    params: byId('note'),
    body: signatureSchema,
    answers: { 200: noteSchema },
    failures: ['not-found', 'conflict', 'stale-version', 'version-required'],
    conditional: true,
  }),
  returnNote: route({
    method: 'POST',
    path: '/notes/{id}/return',
    summary: 'Give a supervisee’s note back to be changed; no word of it is',
    published: false,
    counted: false,
    reach: supervisor,
    params: byId('note'),
    body: reason,
    answers: { 200: noteSchema },
    failures: ['not-found', 'conflict', 'stale-version', 'version-required'],
    conditional: true,
  }),
  listNoteVersions: route({
    method: 'GET',
    path: '/notes/{id}/versions',
    summary: 'The texts that were signed and returned',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised' }),
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
  enterInError: route({
    method: 'POST',
    path: '/notes/{id}/entered-in-error',
    summary: 'Say that a signed note should not be in this record; its text stays',
    published: false,
    counted: false,
    reach: treating,
    params: byId('note'),
    body: reason,
    answers: { 200: noteSchema },
    failures: ['not-found', 'conflict', 'stale-version', 'version-required'],
    conditional: true,
  }),
} as const

const author = reach({ owner: 'own', clinician: 'own', supervisor: 'own' })

/** Psychotherapy notes must never reach an engine, an export, the figures or the change feed. */
export const psychotherapyNoteRoutes = {
  listPsychotherapyNotes: route({
    method: 'GET',
    path: '/psychotherapy-notes',
    summary: 'List one’s own psychotherapy notes on a client',
    published: false,
    counted: false,
    reach: author,
    query: pageQuerySchema.omit({ updated_since: true }).extend({ client_id: idSchema.describe('Client the notes are about.') }),
    answers: { 200: pageOf(psychotherapyNoteSchema) },
    failures: [],
  }),
  getPsychotherapyNote: route({
    method: 'GET',
    path: '/psychotherapy-notes/{id}',
    summary: 'One psychotherapy note of one’s own',
    published: false,
    counted: false,
    reach: author,
    params: byId('psychotherapy note'),
    answers: { 200: psychotherapyNoteSchema },
    failures: ['not-found'],
  }),
  putPsychotherapyNote: route({
    method: 'PUT',
    path: '/psychotherapy-notes/{id}',
    summary: 'Write a psychotherapy note, or change one’s own',
    published: false,
    counted: false,
    reach: author,
    params: byId('psychotherapy note'),
    body: psychotherapyNoteDraftSchema,
    answers: { 200: psychotherapyNoteSchema, 201: psychotherapyNoteSchema },
    failures: ['not-found', 'stale-version', 'version-required'],
    conditional: true,
  }),
  deletePsychotherapyNote: route({
    method: 'DELETE',
    path: '/psychotherapy-notes/{id}',
    summary: 'Erase a psychotherapy note of one’s own',
    published: false,
    counted: false,
    reach: author,
    params: byId('psychotherapy note'),
    answers: { 204: null },
    failures: ['not-found', 'stale-version', 'version-required', 'legal-hold'],
    conditional: true,
  }),
} as const

const writers = reach({ owner: 'all', clinician: 'all', supervisor: 'all' })

export const templateRoutes = {
  listTemplates: route({
    method: 'GET',
    path: '/templates',
    summary: 'List the practice’s own forms of notes',
    published: false,
    counted: false,
    reach: everyone,
    query: pageQuerySchema,
    answers: { 200: pageOf(ownTemplateSchema) },
    failures: [],
  }),
  getTemplate: route({
    method: 'GET',
    path: '/templates/{id}',
    summary: 'One form of note',
    published: false,
    counted: false,
    reach: everyone,
    params: byId('template'),
    answers: { 200: ownTemplateSchema },
    failures: ['not-found'],
  }),
  putTemplate: route({
    method: 'PUT',
    path: '/templates/{id}',
    summary: 'Store a form of note, new or changed',
    published: false,
    counted: false,
    reach: writers,
    params: byId('template'),
    body: ownTemplateDraftSchema,
    answers: { 200: ownTemplateSchema, 201: ownTemplateSchema },
    failures: ['not-found', 'stale-version', 'version-required'],
    conditional: true,
  }),
} as const

/** A stored analysis can be read only while everyone present in the session consents to it. */
export const analysisRoutes = {
  listAnalyses: route({
    method: 'GET',
    path: '/analyses',
    summary: 'List analyses of sessions',
    published: false,
    counted: false,
    reach: treating,
    query: pageQuerySchema.extend({
      session_id: idSchema.optional().describe('Only analyses of this session.'),
      client_id: idSchema.optional().describe('Only analyses of this client.'),
    }),
    answers: { 200: pageOf(analysisSchema) },
    failures: [],
  }),
  getAnalysis: route({
    method: 'GET',
    path: '/analyses/{id}',
    summary: 'One analysis',
    published: false,
    counted: false,
    reach: treating,
    params: byId('analysis'),
    answers: { 200: analysisSchema },
    failures: ['not-found', 'consent-missing'],
  }),
} as const
