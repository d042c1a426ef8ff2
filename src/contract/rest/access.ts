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
import { changing, everyone, get, one, page, patch, post, reach, remove, type Reaches } from './route.ts'

const owner = reach({ owner: 'all' })
const auditor = reach({ auditor: 'all' })
const auditing = reach({ owner: 'all', clinician: 'own', supervisor: 'own', auditor: 'all' })
const readers = reach({
  owner: 'all',
  clinician: 'limited',
  supervisor: 'limited',
  front_desk: 'limited',
  biller: 'limited',
  auditor: 'limited',
})

export const staffRoutes = {
  listStaff: get('/staff', 'List who works in the practice, and who left', readers, {
    query: pageQuerySchema.extend({ status: z.enum(['active', 'left']).optional().describe('Only people with this status.') }),
    answers: { 200: pageOf(staffSchema) },
  }),
  getStaff: get('/staff/{id}', 'One person of the practice', readers, one('person', staffSchema)),
  createStaff: post('/staff', 'Add somebody who works in the practice', owner, {
    body: staffDraftSchema,
    answers: { 201: staffSchema },
    failures: ['already-exists', 'conflict'],
  }),
  updateStaff: patch(
    '/staff/{id}',
    'Change fields of a person; with `status` left their keys are revoked, and a role taken away is taken from their keys',
    owner,
    changing('person', staffPatchSchema, staffSchema, 'conflict'),
  ),
} as const

export const meRoutes = {
  whoAmI: get('/me', 'Who calls: person, roles, practice, plan, and until when the key is good', everyone, {
    answers: { 200: meSchema },
  }),
} as const

export const reassignmentRoutes = {
  listReassignments: get(
    '/reassignments',
    'List clients whom somebody other than their clinician reassigned: all for the owner and the auditor, own former clients for clinicians',
    auditing,
    page(reassignmentSchema),
  ),
} as const

const treatingOwn = reach({ owner: 'own', clinician: 'own', supervisor: 'own' })

export const breakGlassRoutes = {
  breakGlass: post(
    '/break-glass',
    'Open one client’s records to the caller for 60 minutes, for calls with `Purpose-Of-Use: ETREAT`; never psychotherapy notes. The owner is told and reviews it',
    treatingOwn,
    {
      body: breakGlassDraftSchema,
      answers: { 201: breakGlassSchema },
      failures: ['not-found', 'already-exists'],
    },
  ),
  listBreakGlass: get(
    '/break-glass',
    'List emergencies: all for the owner, ids for the auditor, own ones for everybody else',
    { ...treatingOwn, owner: 'all', auditor: 'limited' },
    {
      query: pageQuerySchema.extend({
        review: z.enum(['open', 'done']).optional().describe('Only emergencies with an open or a finished review.'),
      }),
      answers: { 200: pageOf(breakGlassSchema) },
    },
  ),
  reviewBreakGlass: post(
    '/break-glass/{id}/review',
    'Record that the owner looked at an emergency, and what they make of it',
    owner,
    {
      params: byId('emergency'),
      body: breakGlassReviewSchema,
      answers: { 200: breakGlassSchema },
      failures: ['not-found', 'conflict'],
    },
  ),
} as const

const byKeyId = z.object({
  id: keyIdSchema.describe('Public part of the key: the 16 characters after `aw_live_` or `aw_test_`.'),
})
const ownDevices = reach({ owner: 'all', clinician: 'own', supervisor: 'own', front_desk: 'own', biller: 'own' })

const keyReaders: Reaches = { ...ownDevices, auditor: 'all' }

export const apiKeyRoutes = {
  listApiKeys: get('/api-keys', 'List keys; never a secret', keyReaders, {
    query: apiKeyQuerySchema,
    answers: { 200: pageOf(apiKeySchema) },
  }),
  createApiKey: post('/api-keys', 'Make a key; its secret is shown once', ownDevices, {
    body: apiKeyDraftSchema,
    answers: { 201: apiKeyWithSecretSchema },
    failures: ['conflict'],
  }),
  rotateApiKey: post('/api-keys/{id}/rotate', 'Make a new secret; the old one works for a grace period', ownDevices, {
    params: byKeyId,
    body: apiKeyRotationSchema,
    answers: { 200: apiKeyWithSecretSchema },
    failures: ['not-found', 'conflict'],
  }),
  revokeApiKey: remove('/api-keys/{id}', 'End a key at once, everywhere', ownDevices, {
    params: byKeyId,
    answers: { 200: apiKeySchema },
    failures: ['not-found', 'conflict'],
  }),
} as const

export const auditRoutes = {
  listAuditEvents: get(
    '/audit-events',
    'List the audit log, newest first; one’s own calls where the role reaches no further',
    auditing,
    {
      query: auditQuerySchema,
      answers: { 200: pageOf(auditEventSchema) },
    },
  ),
  exportAuditEvents: get('/audit-events/export', 'The audit log as one file, oldest first: JSON lines or CSV', auditor, {
    query: auditExportQuerySchema,
    stream: 'out',
    media: ['application/x-ndjson', 'text/csv'],
    answers: { 200: null },
  }),
} as const
