import { idSchema, lineSchema, newIdSchema, pageOf, pageQuerySchema } from '../model/common.ts'
import { rawCoverageSchema, storedCoverageSchema } from '../model/coverage.ts'
import {
  authorisationDraftSchema,
  authorisationPatchSchema,
  authorisationSchema,
  payerDraftSchema,
  payerSchema,
} from '../model/payer.ts'
import { changing, clinical, get, one, patch, post, put, reach, storing, type Reaches } from './route.ts'

const insuring: Reaches = { ...clinical, front_desk: 'all', biller: 'all' }
const listing = reach({ owner: 'all', clinician: 'all', supervisor: 'all', front_desk: 'all', biller: 'all' })
const keeping = reach({ owner: 'all', front_desk: 'all', biller: 'all' })

export const coverageRoutes = {
  listCoverage: get('/coverage', 'What payers said of a client, oldest first, failed checks included', insuring, {
    query: pageQuerySchema.extend({ client_id: idSchema.optional().describe('Only results of this client.') }),
    answers: { 200: pageOf(storedCoverageSchema) },
  }),
  getCoverage: get(
    '/coverage/{id}',
    'One result of an eligibility check',
    insuring,
    one('eligibility result', storedCoverageSchema),
  ),
  getRawCoverage: get(
    '/coverage/{id}/raw',
    'The payer’s answer as it came over the wire',
    insuring,
    one('eligibility result', rawCoverageSchema),
  ),
  listAuthorisations: get('/authorisations', 'What payers allowed, with the visits used so far', insuring, {
    query: pageQuerySchema.extend({ client_id: idSchema.optional().describe('Only authorizations of this client.') }),
    answers: { 200: pageOf(authorisationSchema) },
  }),
  getAuthorisation: get('/authorisations/{id}', 'One authorisation', insuring, one('authorization', authorisationSchema)),
  createAuthorisation: post('/authorisations', 'Enter an authorisation that a payer gave', insuring, {
    body: authorisationDraftSchema
      .extend({ id: newIdSchema })
      .meta({ id: 'NewAuthorization', description: "A payer's approval for a number of visits." }),
    answers: { 201: authorisationSchema },
    failures: ['not-found', 'already-exists'],
  }),
  updateAuthorisation: patch(
    '/authorisations/{id}',
    'Change an authorisation',
    insuring,
    changing('authorization', authorisationPatchSchema, authorisationSchema),
  ),
  listPayers: get('/payers', 'The payers the practice knows', listing, {
    query: pageQuerySchema.extend({ q: lineSchema.optional().describe('Only payers whose id or name contains this text.') }),
    answers: { 200: pageOf(payerSchema) },
  }),
  getPayer: get('/payers/{id}', 'One payer', listing, one('payer', payerSchema)),
  putPayer: put(
    '/payers/{id}',
    'Add a payer to the list, or change one',
    keeping,
    storing('payer', payerDraftSchema, payerSchema, 'already-exists'),
  ),
} as const
