import { z } from 'zod'
import { breakGlassDraftSchema, breakGlassReviewSchema, breakGlassSchema } from '../model/break-glass.ts'
import { byId, pageOf, pageQuerySchema } from '../model/common.ts'
import { reach, route } from './route.ts'

const treatingOwn = reach({ owner: 'own', clinician: 'own', supervisor: 'own' })

/** Emergencies: the records of a client who is somebody else's. */
export const breakGlassRoutes = {
  breakGlass: route({
    method: 'POST',
    path: '/break-glass',
    summary:
      'Open one client’s records to the caller for 60 minutes, for calls with `Purpose-Of-Use: ETREAT`; never psychotherapy notes. The owner is told and reviews it',
    published: false,
    counted: false,
    reach: treatingOwn,
    body: breakGlassDraftSchema,
    answers: { 201: breakGlassSchema },
    failures: ['not-found', 'already-exists'],
  }),
  listBreakGlass: route({
    method: 'GET',
    path: '/break-glass',
    summary: 'List emergencies: all for the owner, ids for the auditor, own ones for everybody else',
    published: false,
    counted: false,
    reach: { ...treatingOwn, owner: 'all', auditor: 'limited' },
    query: pageQuerySchema.extend({
      review: z.enum(['open', 'done']).optional().describe('Only emergencies with an open or a finished review.'),
    }),
    answers: { 200: pageOf(breakGlassSchema) },
    failures: [],
  }),
  reviewBreakGlass: route({
    method: 'POST',
    path: '/break-glass/{id}/review',
    summary: 'Record that the owner looked at an emergency, and what they make of it',
    published: false,
    counted: false,
    reach: reach({ owner: 'all' }),
    params: byId('emergency'),
    body: breakGlassReviewSchema,
    answers: { 200: breakGlassSchema },
    failures: ['not-found', 'conflict'],
  }),
} as const
