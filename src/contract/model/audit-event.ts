import { z } from 'zod'
import { limitSchema, named, sentTimestampSchema, timestampSchema } from './common.ts'

export const auditEventSchema = named('AuditEvent', 'One recorded call, after FHIR R4 AuditEvent. It holds ids and codes only.', {
  seq: z.int().min(1).describe("Position in the practice's chain: 1, 2, 3 and so on without gaps."),
  recorded: timestampSchema.describe('When the call was recorded.'),
  type: z.literal('rest').describe('FHIR audit event type: `rest` for every call of this API.'),
  operation: z.string().describe('Operation id, as in this document.'),
  action: z.enum(['C', 'R', 'U', 'D', 'E']).describe('FHIR action: create, read, update, delete or execute.'),
  outcome: z.string().describe("`success`, or the problem's `code`."),
  agent: z
    .object({
      person: z.string().describe('Person who called.'),
      key: z.string().nullable().describe('API key of the call; null for other credentials.'),
      roles: z.array(z.string()).describe('Roles the call was made with.'),
    })
    .describe('Who called.'),
  source: z.string().describe('Network address the call came from.'),
  entities: z.array(z.string()).describe('Ids of the records the call touched.'),
  consent: z
    .enum(['checked', 'asserted'])
    .nullable()
    .describe('`checked`: the service checked consent. `asserted`: the caller asserted it. Null if the call needs none.'),
  purpose: z.string().nullable().describe('`Purpose-Of-Use` of the call; null if none was sent.'),
  request_id: z.string().describe("The answer's `X-Request-Id`."),
  previous_hash: z.string().describe('Link of the event before this one, in hex.'),
  hash: z.string().describe('Link of this event, computed over it and all events before it, in hex.'),
})

const idText = z.string().regex(/^[0-9A-Za-z-]{1,64}$/, 'not an id')

const filters = {
  from: sentTimestampSchema.optional().describe('Events recorded at or after this moment. Years 1900 to 2200.'),
  to: sentTimestampSchema.optional().describe('Events recorded before this moment. Years 1900 to 2200.'),
  person: idText.optional().describe('Only calls of this person.'),
  operation: z
    .string()
    .regex(/^[A-Za-z]{1,64}$/, 'not the id of an operation')
    .optional()
    .describe('Only calls of this operation, for example `getNote`.'),
  entity: idText.optional().describe('Only calls that touched the record with this id.'),
}

export const auditQuerySchema = z.object({
  limit: limitSchema(200, 50).describe('Events per page, 1 to 200.'),
  cursor: z.string().max(500).optional().describe('`next_cursor` of the page before. Leave it out for the first page.'),
  ...filters,
})

export const auditExportQuerySchema = z.object({
  ...filters,
  format: z.enum(['ndjson', 'csv']).default('ndjson').describe('`ndjson` for one JSON object per line, or `csv`.'),
})

export type AuditRecord = z.infer<typeof auditEventSchema>

/** Codes of HL7 v3 PurposeOfUse (2.16.840.1.113883.1.11.20448). */
export const purposeOfUseSchema = z.enum([
  'TREAT',
  'CAREMGT',
  'CLINTRL',
  'COC',
  'ETREAT',
  'BTG',
  'ERTREAT',
  'POPHLTH',
  'HPAYMT',
  'CLMATTCH',
  'COVAUTH',
  'COVERAGE',
  'ELIGDTRM',
  'ELIGVER',
  'ENROLLM',
  'REMITADV',
  'HOPERAT',
  'DONAT',
  'FRAUD',
  'GOV',
  'HACCRED',
  'HCOMPL',
  'HDECD',
  'HDIRECT',
  'HDM',
  'HLEGAL',
  'HOUTCOMS',
  'HPRGRP',
  'HQUALIMP',
  'HSYSADMIN',
  'MEMADMIN',
  'PATADMIN',
  'PATSFTY',
  'PERFMSR',
  'RECORDMGT',
  'TRAIN',
  'HRESCH',
  'PATRQT',
  'FAMRQT',
  'PWATRNY',
  'SUPNWK',
  'PUBHLTH',
  'DISASTER',
  'THREAT',
])

export type PurposeOfUse = z.infer<typeof purposeOfUseSchema>
