import { z } from 'zod'
import { analyticsSchema } from '../model/analytics.ts'
import { clientDraftSchema, clientPatchSchema, clientSchema } from '../model/client.ts'
import { byId, idSchema, pageOf, pageQuerySchema, sentDateSchema, sentTimestampSchema, timeZoneSchema } from '../model/common.ts'
import { consentDraftSchema, consentSchema } from '../model/consent.ts'
import { coverageRequestSchema, coverageSchema } from '../model/coverage.ts'
import { operationSchema } from '../model/operation.ts'
import { scheduleAnswerSchema, scheduleRequestSchema } from '../model/schedule.ts'
import { serviceDocumentSchema } from '../model/service-document.ts'
import { sessionDraftSchema, sessionPatchSchema, sessionSchema, sessionStatusSchema } from '../model/session.ts'
import { changing, clinical, everyone, get, one, patch, post, treating, type Reaches } from './route.ts'

const intake: Reaches = { ...clinical, front_desk: 'limited' }
const readers: Reaches = { ...intake, biller: 'limited' }
const booking: Reaches = { ...clinical, front_desk: 'all' }
const clientReaders: Reaches = { ...readers, auditor: 'limited' }
const schedulers: Reaches = { ...booking, biller: 'limited' }
const insurers: Reaches = { ...booking, biller: 'all' }
const figureReaders: Reaches = { ...readers, clinician: 'own', auditor: 'all' }

export const practiceRoutes = {
  describeService: get('/', 'What this service is, which engines are ready and which extensions it offers', everyone, {
    answers: { 200: serviceDocumentSchema },
  }),
  listClients: get('/clients', 'List all clients in the practice', clientReaders, {
    published: true,
    query: pageQuerySchema.extend({
      q: z.string().max(200).optional().describe('Only clients whose name contains this text.'),
      status: z
        .enum(['active', 'archived'])
        .optional()
        .describe('Only clients with this status. Without it, archived clients are listed too.'),
    }),
    answers: { 200: pageOf(clientSchema) },
  }),
  getClient: get('/clients/{id}', 'One client', readers, one('client', clientSchema)),
  createClient: post('/clients', 'Add a client', intake, {
    body: clientDraftSchema
      .extend({
        id: idSchema
          .optional()
          .describe('Id for the new client, chosen by the caller (any UUID). Without it, the service makes one.'),
      })
      .meta({ id: 'NewClient', description: 'A new client.' }),
    answers: { 201: clientSchema },
    failures: ['not-found', 'already-exists'],
  }),
  updateClient: patch('/clients/{id}', 'Change fields of a client', intake, changing('client', clientPatchSchema, clientSchema)),
  listSessions: get('/sessions', 'List sessions', intake, {
    query: pageQuerySchema.extend({
      client_id: idSchema.optional().describe('Only sessions with this client.'),
      status: sessionStatusSchema.optional().describe('Only sessions with this status.'),
    }),
    answers: { 200: pageOf(sessionSchema) },
  }),
  createSession: post('/sessions', 'Create a new therapy session, or with `recurrence` a series of them', booking, {
    published: true,
    body: sessionDraftSchema
      .extend({
        series_partial: z
          .enum(['refuse', 'allow'])
          .default('refuse')
          .describe('`allow` books a series without the sessions whose times are taken; they appear in `exdates`.'),
      })
      .meta({ id: 'NewSession', description: 'A new session, or with `recurrence` a series.' }),
    answers: { 201: sessionSchema },
    failures: ['not-found', 'already-exists', 'double-booking'],
  }),
  getSession: get('/sessions/{id}', 'One session', intake, one('session', sessionSchema)),
  updateSession: patch(
    '/sessions/{id}',
    'Change fields of a session',
    intake,
    changing('session', sessionPatchSchema, sessionSchema, 'double-booking'),
  ),
  listConsents: get('/consents', 'List consents, revoked ones included', treating, {
    query: pageQuerySchema.extend({ client_id: idSchema.optional().describe('Only consents for this client.') }),
    answers: { 200: pageOf(consentSchema) },
  }),
  giveConsent: post('/consents', 'Record that somebody agreed', treating, {
    body: consentDraftSchema,
    answers: { 201: consentSchema },
    failures: ['not-found', 'already-exists'],
  }),
  revokeConsent: post('/consents/{id}/revoke', 'Record that somebody no longer agrees; wins over everything', treating, {
    params: byId('consent'),
    body: z
      .object({ revoked_at: sentTimestampSchema.describe('When consent was revoked. Years 1900 to 2200.') })
      .meta({ id: 'ConsentRevocation', description: 'End of a consent.' }),
    answers: { 200: consentSchema },
    failures: ['not-found'],
  }),
  schedule: post('/ai/schedule', 'Scheduling with conflict resolution', schedulers, {
    published: true,
    body: scheduleRequestSchema,
    answers: { 200: scheduleAnswerSchema },
    failures: ['not-found', 'conflict', 'double-booking', 'engine-not-ready'],
  }),
  verifyInsurance: post('/ai/insurance', 'Verify insurance coverage and benefits in real time', insurers, {
    published: true,
    body: coverageRequestSchema,
    answers: { 200: coverageSchema, 202: operationSchema },
    failures: ['not-found', 'engine-not-ready', 'engine-failed', 'payer-unavailable', 'too-many-operations', 'cancelled'],
    longRunning: true,
    reads: true,
  }),
  readAnalytics: get('/analytics', 'Retrieve practice analytics and metrics', figureReaders, {
    published: true,
    query: z.object({
      from: sentDateSchema
        .optional()
        .describe('First day, `YYYY-MM-DD`, included. Defaults to 29 days before `to`: the last 30 days. Years 1900 to 2200.'),
      to: sentDateSchema
        .optional()
        .describe('Last day, `YYYY-MM-DD`, included. Defaults to today in `time_zone`. Years 1900 to 2200.'),
      group_by: z.enum(['day', 'week', 'month']).default('week').describe('Length of the parts in `series`.'),
      clinician_id: idSchema.optional().describe('Only figures of this clinician.'),
      time_zone: timeZoneSchema
        .default('UTC')
        .describe('IANA time zone of the caller; it decides which day a session belongs to.'),
    }),
    answers: { 200: analyticsSchema },
    failures: ['not-found'],
  }),
} as const
