import { z } from 'zod'
import { idSchema, recordFields } from './common.ts'

/** Tells the former clinician, the owner and the auditor that someone else moved a client to another clinician. */
export const reassignmentSchema = z.object({
  ...recordFields,
  client_id: idSchema.describe('Client who was reassigned.'),
  from_clinician_id: idSchema.nullable().describe('Clinician until then; null: the owner’s own caseload.'),
  to_clinician_id: idSchema.nullable().describe('Clinician from then on; null: the owner’s own caseload.'),
  by: idSchema.describe('Person who reassigned the client.'),
})

export type Reassignment = z.infer<typeof reassignmentSchema>
