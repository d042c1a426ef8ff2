import { z } from 'zod'
import {
  apiKeyDraftSchema,
  apiKeyQuerySchema,
  apiKeyRotationSchema,
  apiKeySchema,
  apiKeyWithSecretSchema,
  keyIdSchema,
} from '../model/api-key.ts'
import { auditEventSchema, auditExportQuerySchema, auditQuerySchema } from '../model/audit-event.ts'
import { breakGlassDraftSchema, breakGlassReviewSchema, breakGlassSchema, reassignmentSchema } from '../model/caseload.ts'
import { byId, pageOf, pageQuerySchema } from '../model/common.ts'
import { meSchema } from '../model/me.ts'
import { staffDraftSchema, staffPatchSchema, staffSchema } from '../model/staff.ts'
import { everyone, reach, route } from './route.ts'

const owner = reach({ owner: 'all' })
/** With `limited`, `shared_clients` is empty except in the caller's own entry. */
const readers = reach({
  owner: 'all',
  clinician: 'limited',
  supervisor: 'limited',
  front_desk: 'limited',
  biller: 'limited',
  auditor: 'limited',
})

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

export const meRoutes = {
  whoAmI: route({
    method: 'GET',
    path: '/me',
    summary: 'Who calls: person, roles, practice, plan, and until when the key is good',
    published: false,
    counted: false,
    reach: everyone,
    answers: { 200: meSchema },
    failures: [],
  }),
} as const

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

const treatingOwn = reach({ owner: 'own', clinician: 'own', supervisor: 'own' })

/** Emergency access to the records of another clinician's client. */
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

const byKeyId = z.object({
  id: keyIdSchema.describe('Public part of the key: the 16 characters after `aw_live_` or `aw_test_`.'),
})
/** The owner manages all keys, others only those that act for them. */
const ownDevices = reach({ owner: 'all', clinician: 'own', supervisor: 'own', front_desk: 'own', biller: 'own' })

export const apiKeyRoutes = {
  listApiKeys: route({
    method: 'GET',
    path: '/api-keys',
    summary: 'List keys; never a secret',
    published: false,
    counted: false,
    reach: { ...ownDevices, auditor: 'all' },
    query: apiKeyQuerySchema,
    answers: { 200: pageOf(apiKeySchema) },
    failures: [],
  }),
  createApiKey: route({
    method: 'POST',
    path: '/api-keys',
    summary: 'Make a key; its secret is shown once',
    published: false,
    counted: false,
    reach: ownDevices,
    body: apiKeyDraftSchema,
    answers: { 201: apiKeyWithSecretSchema },
    failures: ['conflict'],
  }),
  rotateApiKey: route({
    method: 'POST',
    path: '/api-keys/{id}/rotate',
    summary: 'Make a new secret; the old one works for a grace period',
    published: false,
    counted: false,
    reach: ownDevices,
    params: byKeyId,
    body: apiKeyRotationSchema,
    answers: { 200: apiKeyWithSecretSchema },
    failures: ['not-found', 'conflict'],
  }),
  revokeApiKey: route({
    method: 'DELETE',
    path: '/api-keys/{id}',
    summary: 'End a key at once, everywhere',
    published: false,
    counted: false,
    reach: ownDevices,
    params: byKeyId,
    answers: { 200: apiKeySchema },
    failures: ['not-found', 'conflict'],
  }),
} as const

export const auditRoutes = {
  listAuditEvents: route({
    method: 'GET',
    path: '/audit-events',
    summary: 'List the audit log, newest first; one’s own calls where the role reaches no further',
    published: false,
    counted: false,
    reach: reach({ owner: 'all', clinician: 'own', supervisor: 'own', auditor: 'all' }),
    query: auditQuerySchema,
    answers: { 200: pageOf(auditEventSchema) },
    failures: [],
  }),
  exportAuditEvents: route({
    method: 'GET',
    path: '/audit-events/export',
    summary: 'The audit log as one file, oldest first: JSON lines or CSV',
    published: false,
    counted: false,
    reach: reach({ auditor: 'all' }),
    query: auditExportQuerySchema,
    stream: 'out',
    media: ['application/x-ndjson', 'text/csv'],
    answers: { 200: null },
    failures: [],
  }),
} as const
