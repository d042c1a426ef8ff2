import { z } from 'zod'
import { changeCursorSchema, changesSchema, operationStateSchema } from '../model/change.ts'
import { byId, limitSchema } from '../model/common.ts'
import { askers, everyone, route } from './route.ts'

export const eventRoutes = {
  followOperation: route({
    method: 'GET',
    path: '/operations/{id}/events',
    summary: 'How far long work comes, as server-sent events until it is over (204: it was, and you know)',
    published: false,
    counted: false,
    reach: askers,
    stream: 'out',
    params: byId('operation'),
    answers: { 200: operationStateSchema, 204: null },
    failures: ['not-found', 'too-many-streams'],
  }),
  listChanges: route({
    method: 'GET',
    path: '/events',
    summary:
      'What changed since a cursor, as a page, or as it happens where text/event-stream is accepted; without one, where now is',
    published: false,
    counted: false,
    reach: everyone,
    stream: 'out',
    query: z.object({
      since: changeCursorSchema
        .optional()
        .describe('Changes after this cursor. Without it, the answer holds the cursor of now and no changes.'),
      limit: limitSchema(1000, 200).describe('Changes per page, 1 to 1,000.'),
    }),
    answers: { 200: changesSchema },
    failures: ['cursor-expired', 'too-many-streams'],
  }),
} as const
