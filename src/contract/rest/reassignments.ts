import { pageOf, pageQuerySchema } from '../model/common.ts'
import { reassignmentSchema } from '../model/reassignment.ts'
import { reach, route } from './route.ts'

/** Notices of clients who changed hands. */
export const reassignmentRoutes = {
  listReassignments: route({
    method: 'GET',
    path: '/reassignments',
    summary:
      'List clients whom somebody other than their clinician reassigned: all for the owner and the auditor, own former clients for clinicians',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'own', supervisor: 'own', auditor: 'all' }),
    query: pageQuerySchema,
    answers: { 200: pageOf(reassignmentSchema) },
    failures: [],
  }),
} as const
