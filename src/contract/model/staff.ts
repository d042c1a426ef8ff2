import { z } from 'zod'
import { roles } from '../rest/route.ts'
import { idSchema, lineSchema, recordFields } from './common.ts'
import { isNpi } from './npi.ts'

export const npiSchema = z.string().refine(isNpi, 'not an NPI: ten digits, the last of them a check digit')

/** USPS code of a state or territory. */
const stateSchema = z.string().regex(/^[A-Z]{2}$/, 'a state is two capital letters')

const staffFields = {
  name: lineSchema.min(1, 'a name is needed'),
  roles: z.array(z.enum(roles)).min(1).max(roles.length),
  /** As it stands behind the name, e.g. "LCSW". */
  credential: lineSchema.nullable(),
  npi: npiSchema.nullable(),
  /** Where they may treat. */
  licence_states: z.array(stateSchema).max(60),
  /** Who reaches this person's caseload and cosigns their notes. */
  supervisor_id: idSchema.nullable(),
  /** Clients of others whom this person treats too. */
  shared_clients: z.array(idSchema).max(500),
  /** Whoever left calls nothing any more: their keys are revoked with it. */
  status: z.enum(['active', 'left']),
}

/** `id` is the person's, as their keys name it. */
export const staffDraftSchema = z.object({
  ...staffFields,
  id: idSchema.optional(),
  credential: staffFields.credential.default(null),
  npi: staffFields.npi.default(null),
  licence_states: staffFields.licence_states.default([]),
  supervisor_id: staffFields.supervisor_id.default(null),
  shared_clients: staffFields.shared_clients.default([]),
  status: staffFields.status.default('active'),
})

export const staffPatchSchema = z.object(staffFields).partial()
/** `withheld`: fields that the reader's role does not see; they are empty here. */
export const staffSchema = z.object({ ...staffFields, ...recordFields, withheld: z.array(z.string()).optional() })

export type Staff = z.infer<typeof staffSchema>
export type StaffPatch = z.infer<typeof staffPatchSchema>
