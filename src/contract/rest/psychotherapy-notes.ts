import { byId, idSchema, pageOf, pageQuerySchema } from '../model/common.ts'
import { psychotherapyNoteDraftSchema, psychotherapyNoteSchema } from '../model/psychotherapy-note.ts'
import { reach, route } from './route.ts'

/** Their author's alone, whoever else may see the client. */
const author = reach({ owner: 'own', clinician: 'own', supervisor: 'own' })

/** Psychotherapy notes: no engine, export, figure or feed ever sees them. */
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
