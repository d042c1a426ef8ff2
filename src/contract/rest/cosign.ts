import { z } from 'zod'
import { idSchema, limitSchema, pageOf, paragraphSchema } from '../model/common.ts'
import { noteSchema, noteVersionSchema, signatureSchema } from '../model/note.ts'
import { reach, route, treating } from './route.ts'

const byId = z.object({ id: idSchema })
const supervisor = reach({ supervisor: 'supervised' })
const reason = z.object({ reason: paragraphSchema.min(1), by: z.string().trim().min(1).max(200) })

/** A supervisee's note is final when the supervisor signed it too. */
export const cosignRoutes = {
  cosignNote: route({
    method: 'POST',
    path: '/notes/{id}/cosign',
    summary: 'Sign a supervisee’s note as their supervisor',
    published: false,
    counted: false,
    reach: supervisor,
    params: byId,
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
    params: byId,
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
    params: byId,
    query: z.object({
      limit: limitSchema(200, 50),
      cursor: z
        .string()
        .regex(/^\d{1,9}$/, 'not a cursor of this list')
        .optional(),
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
    params: byId,
    body: reason,
    answers: { 200: noteSchema },
    failures: ['not-found', 'conflict', 'stale-version', 'version-required'],
    conditional: true,
  }),
} as const
