import { z } from 'zod'
import { timestampSchema } from './common.ts'

/** After FHIR R4 AuditEvent: who did what to which records, when, from where, how it went. Ids and codes only. */
export const auditEventSchema = z.object({
  /** Its place in the practice's chain, from 1 without a gap. */
  seq: z.int().min(1),
  recorded: timestampSchema,
  /** http://terminology.hl7.org/CodeSystem/audit-event-type */
  type: z.literal('rest'),
  operation: z.string(),
  /** FHIR: create, read, update, delete, execute. */
  action: z.enum(['C', 'R', 'U', 'D', 'E']),
  outcome: z.string(),
  agent: z.object({ person: z.string(), key: z.string().nullable(), roles: z.array(z.string()) }),
  source: z.string(),
  entities: z.array(z.string()),
  consent: z.enum(['checked', 'asserted']).nullable(),
  purpose: z.string().nullable(),
  request_id: z.string(),
  /** Of this event and all before it (SHA-256). */
  hash: z.string(),
})

const idText = z.string().regex(/^[0-9A-Za-z-]{1,64}$/, 'not an id')

const filters = {
  from: timestampSchema.optional(),
  /** The moment itself is not in it. */
  to: timestampSchema.optional(),
  person: idText.optional(),
  operation: z
    .string()
    .regex(/^[A-Za-z]{1,64}$/, 'not the id of an operation')
    .optional(),
  /** The id of a record that was touched. */
  entity: idText.optional(),
}

export const auditQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
  ...filters,
})

export const auditExportQuerySchema = z.object({ ...filters, format: z.enum(['ndjson', 'csv']).default('ndjson') })

export type AuditRecord = z.infer<typeof auditEventSchema>
