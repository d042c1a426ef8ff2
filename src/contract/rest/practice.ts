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
import { everyone, reach, route, treating } from './route.ts'

export const practiceRoutes = {
  describeService: route({
    method: 'GET',
    path: '/',
    summary: 'What this service is, which engines are ready and which extensions it offers',
    published: false,
    counted: false,
    reach: everyone,
    answers: { 200: serviceDocumentSchema },
    failures: [],
  }),
  listClients: route({
    method: 'GET',
    path: '/clients',
    summary: 'List all clients in the practice',
    published: true,
    counted: true,
    reach: reach({
      owner: 'all',
      clinician: 'caseload',
      supervisor: 'supervised',
      front_desk: 'limited',
      biller: 'limited',
      auditor: 'limited',
    }),
    query: pageQuerySchema.extend({
      q: z.string().max(200).optional().describe('Only clients whose name contains this text.'),
      status: z
        .enum(['active', 'archived'])
        .optional()
        .describe('Only clients with this status. Without it, archived clients are listed too.'),
    }),
    answers: { 200: pageOf(clientSchema) },
    failures: [],
  }),
  getClient: route({
    method: 'GET',
    path: '/clients/{id}',
    summary: 'One client',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', front_desk: 'limited', biller: 'limited' }),
    params: byId('client'),
    answers: { 200: clientSchema },
    failures: ['not-found'],
  }),
  createClient: route({
    method: 'POST',
    path: '/clients',
    summary: 'Add a client',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', front_desk: 'limited' }),
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
  updateClient: route({
    method: 'PATCH',
    path: '/clients/{id}',
    summary: 'Change fields of a client',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', front_desk: 'limited' }),
    params: byId('client'),
    body: clientPatchSchema,
    answers: { 200: clientSchema },
    failures: ['not-found', 'stale-version', 'version-required'],
    conditional: true,
  }),
  listSessions: route({
    method: 'GET',
    path: '/sessions',
    summary: 'List sessions',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', front_desk: 'limited' }),
    query: pageQuerySchema.extend({
      client_id: idSchema.optional().describe('Only sessions with this client.'),
      status: sessionStatusSchema.optional().describe('Only sessions with this status.'),
    }),
    answers: { 200: pageOf(sessionSchema) },
    failures: [],
  }),
  createSession: route({
    method: 'POST',
    path: '/sessions',
    summary: 'Create a new therapy session, or with `recurrence` a series of them',
    published: true,
    counted: true,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', front_desk: 'all' }),
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
  getSession: route({
    method: 'GET',
    path: '/sessions/{id}',
    summary: 'One session',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', front_desk: 'limited' }),
    params: byId('session'),
    answers: { 200: sessionSchema },
    failures: ['not-found'],
  }),
  updateSession: route({
    method: 'PATCH',
    path: '/sessions/{id}',
    summary: 'Change fields of a session',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', front_desk: 'limited' }),
    params: byId('session'),
    body: sessionPatchSchema,
    answers: { 200: sessionSchema },
    failures: ['not-found', 'double-booking', 'stale-version', 'version-required'],
    conditional: true,
  }),
  listConsents: route({
    method: 'GET',
    path: '/consents',
    summary: 'List consents, revoked ones included',
    published: false,
    counted: false,
    reach: treating,
    query: pageQuerySchema.extend({ client_id: idSchema.optional().describe('Only consents for this client.') }),
    answers: { 200: pageOf(consentSchema) },
    failures: [],
  }),
  giveConsent: route({
    method: 'POST',
    path: '/consents',
    summary: 'Record that somebody agreed',
    published: false,
    counted: false,
    reach: treating,
    body: consentDraftSchema,
    answers: { 201: consentSchema },
    failures: ['not-found', 'already-exists'],
  }),
  revokeConsent: route({
    method: 'POST',
    path: '/consents/{id}/revoke',
    summary: 'Record that somebody no longer agrees; wins over everything',
    published: false,
    counted: false,
    reach: treating,
    params: byId('consent'),
    body: z
      .object({ revoked_at: sentTimestampSchema.describe('When consent was revoked. Years 1900 to 2200.') })
      .meta({ id: 'ConsentRevocation', description: 'End of a consent.' }),
    answers: { 200: consentSchema },
    failures: ['not-found'],
  }),
  schedule: route({
    method: 'POST',
    path: '/ai/schedule',
    summary: 'Scheduling with conflict resolution',
    published: true,
    counted: true,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', front_desk: 'all', biller: 'limited' }),
    body: scheduleRequestSchema,
    answers: { 200: scheduleAnswerSchema },
    failures: ['not-found', 'conflict', 'double-booking', 'engine-not-ready'],
  }),
  verifyInsurance: route({
    method: 'POST',
    path: '/ai/insurance',
    summary: 'Verify insurance coverage and benefits in real time',
    published: true,
    counted: true,
    reach: reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', front_desk: 'all', biller: 'all' }),
    body: coverageRequestSchema,
    answers: { 200: coverageSchema, 202: operationSchema },
    failures: ['not-found', 'engine-not-ready', 'engine-failed', 'payer-unavailable', 'too-many-operations', 'cancelled'],
    longRunning: true,
    reads: true,
  }),
  readAnalytics: route({
    method: 'GET',
    path: '/analytics',
    summary: 'Retrieve practice analytics and metrics',
    published: true,
    counted: true,
    reach: reach({
      owner: 'all',
      clinician: 'own',
      supervisor: 'supervised',
      front_desk: 'limited',
      biller: 'limited',
      auditor: 'all',
    }),
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
