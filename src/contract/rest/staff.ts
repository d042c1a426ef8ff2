import { z } from 'zod'
import { byId, pageOf, pageQuerySchema } from '../model/common.ts'
import { staffDraftSchema, staffPatchSchema, staffSchema } from '../model/staff.ts'
import { reach, route } from './route.ts'

const owner = reach({ owner: 'all' })
/** Names, credentials, NPI and licences; whose clients were shared with whom is the owner's to know. */
const readers = reach({
  owner: 'all',
  clinician: 'limited',
  supervisor: 'limited',
  front_desk: 'limited',
  biller: 'limited',
  auditor: 'limited',
})

/** Who works in the practice. */
export const staffRoutes = {
  listStaff: route({
    method: 'GET',
    path: '/staff',
    summary: 'List who works in the practice, and who left',
    published: false,
    counted: false,
    reach: readers,
    query: pageQuerySchema.extend({ status: z.enum(['active', 'left']).optional().describe('Only people with this status.') }),
    answers: { 200: pageOf(staffSchema) },
    failures: [],
  }),
  getStaff: route({
    method: 'GET',
    path: '/staff/{id}',
    summary: 'One person of the practice',
    published: false,
    counted: false,
    reach: readers,
    params: byId('person'),
    answers: { 200: staffSchema },
    failures: ['not-found'],
  }),
  createStaff: route({
    method: 'POST',
    path: '/staff',
    summary: 'Add somebody who works in the practice',
    published: false,
    counted: false,
    reach: owner,
    body: staffDraftSchema,
    answers: { 201: staffSchema },
    failures: ['already-exists', 'conflict'],
  }),
  updateStaff: route({
    method: 'PATCH',
    path: '/staff/{id}',
    summary:
      'Change fields of a person; with `status` left their keys are revoked, and a role taken away is taken from their keys',
    published: false,
    counted: false,
    reach: owner,
    params: byId('person'),
    body: staffPatchSchema,
    answers: { 200: staffSchema },
    failures: ['not-found', 'conflict', 'stale-version', 'version-required'],
    conditional: true,
  }),
} as const
