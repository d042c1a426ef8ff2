import { byId, idSchema, lineSchema, pageOf, pageQuerySchema } from '../model/common.ts'
import { rawCoverageSchema, storedCoverageSchema } from '../model/coverage.ts'
import {
  authorisationDraftSchema,
  authorisationPatchSchema,
  authorisationSchema,
  payerDraftSchema,
  payerSchema,
} from '../model/payer.ts'
import { reach, route } from './route.ts'

/** The same roles as for `POST /ai/insurance`: all but the auditor. */
const insuring = reach({ owner: 'all', clinician: 'caseload', supervisor: 'supervised', front_desk: 'all', biller: 'all' })
/** The practice shares one list of payers. All roles but the auditor read it; the owner, front desk and billers change it. */
const listing = reach({ owner: 'all', clinician: 'all', supervisor: 'all', front_desk: 'all', biller: 'all' })
const keeping = reach({ owner: 'all', front_desk: 'all', biller: 'all' })

export const coverageRoutes = {
  listCoverage: route({
    method: 'GET',
    path: '/coverage',
    summary: 'What payers said of a client, oldest first, failed checks included',
    published: false,
    counted: false,
    reach: insuring,
    query: pageQuerySchema.extend({ client_id: idSchema.optional().describe('Only results of this client.') }),
    answers: { 200: pageOf(storedCoverageSchema) },
    failures: [],
  }),
  getCoverage: route({
    method: 'GET',
    path: '/coverage/{id}',
    summary: 'One result of an eligibility check',
    published: false,
    counted: false,
    reach: insuring,
    params: byId('eligibility result'),
    answers: { 200: storedCoverageSchema },
    failures: ['not-found'],
  }),
  getRawCoverage: route({
    method: 'GET',
    path: '/coverage/{id}/raw',
    summary: 'The payer’s answer as it came over the wire',
    published: false,
    counted: false,
    reach: insuring,
    params: byId('eligibility result'),
    answers: { 200: rawCoverageSchema },
    failures: ['not-found'],
  }),
  listAuthorisations: route({
    method: 'GET',
    path: '/authorisations',
    summary: 'What payers allowed, with the visits used so far',
    published: false,
    counted: false,
    reach: insuring,
    query: pageQuerySchema.extend({ client_id: idSchema.optional().describe('Only authorizations of this client.') }),
    answers: { 200: pageOf(authorisationSchema) },
    failures: [],
  }),
  getAuthorisation: route({
    method: 'GET',
    path: '/authorisations/{id}',
    summary: 'One authorisation',
    published: false,
    counted: false,
    reach: insuring,
    params: byId('authorization'),
    answers: { 200: authorisationSchema },
    failures: ['not-found'],
  }),
  createAuthorisation: route({
    method: 'POST',
    path: '/authorisations',
    summary: 'Enter an authorisation that a payer gave',
    published: false,
    counted: false,
    reach: insuring,
    body: authorisationDraftSchema
      .extend({
        id: idSchema
          .optional()
          .describe('Id for the new record, chosen by the caller (any UUID). Without it, the service makes one.'),
      })
      .meta({ id: 'NewAuthorization', description: "A payer's approval for a number of visits." }),
    answers: { 201: authorisationSchema },
    failures: ['not-found', 'already-exists'],
  }),
  updateAuthorisation: route({
    method: 'PATCH',
    path: '/authorisations/{id}',
    summary: 'Change an authorisation',
    published: false,
    counted: false,
    reach: insuring,
    params: byId('authorization'),
    body: authorisationPatchSchema,
    answers: { 200: authorisationSchema },
    failures: ['not-found', 'stale-version', 'version-required'],
    conditional: true,
  }),
  listPayers: route({
    method: 'GET',
    path: '/payers',
    summary: 'The payers the practice knows',
    published: false,
    counted: false,
    reach: listing,
    query: pageQuerySchema.extend({ q: lineSchema.optional().describe('Only payers whose id or name contains this text.') }),
    answers: { 200: pageOf(payerSchema) },
    failures: [],
  }),
  getPayer: route({
    method: 'GET',
    path: '/payers/{id}',
    summary: 'One payer',
    published: false,
    counted: false,
    reach: listing,
    params: byId('payer'),
    answers: { 200: payerSchema },
    failures: ['not-found'],
  }),
  putPayer: route({
    method: 'PUT',
    path: '/payers/{id}',
    summary: 'Add a payer to the list, or change one',
    published: false,
    counted: false,
    reach: keeping,
    params: byId('payer'),
    body: payerDraftSchema,
    answers: { 200: payerSchema, 201: payerSchema },
    failures: ['not-found', 'already-exists', 'stale-version', 'version-required'],
    conditional: true,
  }),
} as const
