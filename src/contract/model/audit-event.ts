import { z } from 'zod'
import { limitSchema, sentTimestampSchema, timestampSchema } from './common.ts'

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
  /** `hash` of the event before it; 64 zeros for the first. Equal to it everywhere, no event is missing in between. */
  previous_hash: z.string(),
  /**
   * HMAC-SHA-256 of this event and all before it, under a key of the practice; plain SHA-256 for events from before
   * links had a key. Whoever noted `seq:hash` can later ask the operator to prove that event: `audit verify --at-least`.
   */
  hash: z.string(),
})

const idText = z.string().regex(/^[0-9A-Za-z-]{1,64}$/, 'not an id')

const filters = {
  from: sentTimestampSchema.optional(),
  /** The moment itself is not in it. */
  to: sentTimestampSchema.optional(),
  person: idText.optional(),
  operation: z
    .string()
    .regex(/^[A-Za-z]{1,64}$/, 'not the id of an operation')
    .optional(),
  /** The id of a record that was touched. */
  entity: idText.optional(),
}

export const auditQuerySchema = z.object({
  limit: limitSchema(200, 50),
  cursor: z.string().max(500).optional(),
  ...filters,
})

export const auditExportQuerySchema = z.object({ ...filters, format: z.enum(['ndjson', 'csv']).default('ndjson') })

export type AuditRecord = z.infer<typeof auditEventSchema>
