import { byId, pageOf, pageQuerySchema } from '../model/common.ts'
import {
  erasureDraftSchema,
  erasureSchema,
  legalHoldDraftSchema,
  legalHoldSchema,
  retentionPolicyDraftSchema,
  retentionPolicySchema,
} from '../model/retention.ts'
import { reach, route } from './route.ts'

const owner = reach({ owner: 'all' })
const ownerAndAuditor = reach({ owner: 'all', auditor: 'all' })
const pageQuery = pageQuerySchema.omit({ updated_since: true })

export const retentionRoutes = {
  getRetention: route({
    method: 'GET',
    path: '/retention',
    summary: 'How long the practice keeps transcripts and notes',
    published: false,
    counted: false,
    reach: ownerAndAuditor,
    answers: { 200: retentionPolicySchema },
    failures: [],
  }),
  putRetention: route({
    method: 'PUT',
    path: '/retention',
    summary: 'Change how long the practice keeps transcripts and notes',
    published: false,
    counted: false,
    reach: owner,
    body: retentionPolicyDraftSchema,
    answers: { 200: retentionPolicySchema },
    failures: ['stale-version', 'version-required'],
    conditional: true,
  }),
  listLegalHolds: route({
    method: 'GET',
    path: '/legal-holds',
    summary: 'List legal holds, released ones included',
    published: false,
    counted: false,
    reach: ownerAndAuditor,
    query: pageQuery,
    answers: { 200: pageOf(legalHoldSchema) },
    failures: [],
  }),
  placeLegalHold: route({
    method: 'POST',
    path: '/legal-holds',
    summary: 'Keep everything of a client, or of the practice, from being erased',
    published: false,
    counted: false,
    reach: owner,
    body: legalHoldDraftSchema,
    answers: { 201: legalHoldSchema },
    failures: ['not-found', 'already-exists'],
  }),
  releaseLegalHold: route({
    method: 'POST',
    path: '/legal-holds/{id}/release',
    summary: 'End a legal hold',
    published: false,
    counted: false,
    reach: owner,
    params: byId('legal hold'),
    answers: { 200: legalHoldSchema },
    failures: ['not-found'],
  }),
  listErasures: route({
    method: 'GET',
    path: '/erasures',
    summary: 'List what was erased, with when, by whom and why',
    published: false,
    counted: false,
    reach: ownerAndAuditor,
    query: pageQuery,
    answers: { 200: pageOf(erasureSchema) },
    failures: [],
  }),
  eraseRecord: route({
    method: 'POST',
    path: '/erasures',
    summary: 'Erase a transcript or an analysis, or a note past its years',
    published: false,
    counted: false,
    reach: owner,
    body: erasureDraftSchema,
    answers: { 201: erasureSchema },
    failures: ['not-found', 'legal-hold', 'not-yet-due', 'conflict'],
  }),
} as const
