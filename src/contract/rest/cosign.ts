import { z } from 'zod'
import { byId, limitSchema, pageOf, paragraphSchema } from '../model/common.ts'
import { noteSchema, noteVersionSchema, signatureSchema } from '../model/note.ts'
import { reach, route, treating } from './route.ts'

const supervisor = reach({ supervisor: 'supervised' })
const reason = z
  .object({
    reason: paragraphSchema.min(1).describe('Why, in a sentence the author can act on.'),
    by: z.string().trim().min(1).max(200).describe('Name of the person, as printed on the note.'),
  })
  .meta({ id: 'NoteReason', description: 'Reason for a decision on a signed note.' })

/** A supervisee's note is final when the supervisor signed it too. */
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
