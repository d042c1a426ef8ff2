import { analysisSchema } from '../model/analysis.ts'
import { byId, idSchema, pageOf, pageQuerySchema } from '../model/common.ts'
import { route, treating } from './route.ts'

/** Stored analyses. Each is read only as long as everyone present agrees to it. */
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
