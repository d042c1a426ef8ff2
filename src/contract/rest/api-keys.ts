import { z } from 'zod'
import {
  apiKeyDraftSchema,
  apiKeyQuerySchema,
  apiKeyRotationSchema,
  apiKeySchema,
  apiKeyWithSecretSchema,
  keyIdSchema,
} from '../model/api-key.ts'
import { pageOf } from '../model/common.ts'
import { reach, route } from './route.ts'

const byId = z.object({ id: keyIdSchema.describe('Public part of the key: the 16 characters after `aw_live_` or `aw_test_`.') })
/** The owner all keys; others the ones that make their own calls. */
const ownDevices = reach({ owner: 'all', clinician: 'own', supervisor: 'own', front_desk: 'own', biller: 'own' })

/** Who may call: keys, each shown once, rotated with a grace period and revoked at once. */
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
    params: byId,
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
    params: byId,
    answers: { 200: apiKeySchema },
    failures: ['not-found', 'conflict'],
  }),
} as const
