import { pageOf, pageQuerySchema } from '../model/common.ts'
import {
  erasureDraftSchema,
  erasureSchema,
  legalHoldDraftSchema,
  legalHoldSchema,
  retentionPolicyDraftSchema,
  retentionPolicySchema,
} from '../model/retention.ts'
import { get, one, post, put, reach } from './route.ts'

const owner = reach({ owner: 'all' })
const ownerAndAuditor = reach({ owner: 'all', auditor: 'all' })
const pageQuery = pageQuerySchema.omit({ updated_since: true })

export const retentionRoutes = {
  getRetention: get('/retention', 'How long the practice keeps transcripts and notes', ownerAndAuditor, {
    answers: { 200: retentionPolicySchema },
  }),
  putRetention: put('/retention', 'Change how long the practice keeps transcripts and notes', owner, {
    body: retentionPolicyDraftSchema,
    answers: { 200: retentionPolicySchema },
    failures: ['stale-version', 'version-required'],
    conditional: true,
  }),
  listLegalHolds: get('/legal-holds', 'List legal holds, released ones included', ownerAndAuditor, {
    query: pageQuery,
    answers: { 200: pageOf(legalHoldSchema) },
  }),
  placeLegalHold: post('/legal-holds', 'Keep everything of a client, or of the practice, from being erased', owner, {
    body: legalHoldDraftSchema,
    answers: { 201: legalHoldSchema },
    failures: ['not-found', 'already-exists'],
  }),
  releaseLegalHold: post('/legal-holds/{id}/release', 'End a legal hold', owner, one('legal hold', legalHoldSchema)),
  listErasures: get('/erasures', 'List what was erased, with when, by whom and why', ownerAndAuditor, {
    query: pageQuery,
    answers: { 200: pageOf(erasureSchema) },
  }),
  eraseRecord: post('/erasures', 'Erase a transcript or an analysis, or a note past its years', owner, {
    body: erasureDraftSchema,
    answers: { 201: erasureSchema },
    failures: ['not-found', 'legal-hold', 'not-yet-due', 'conflict'],
  }),
} as const
