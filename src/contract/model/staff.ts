import { z } from 'zod'
import { roles } from '../rest/route.ts'
import { idSchema, lineSchema, named, orNull, recordFields, stripDefaults } from './common.ts'

/** ISO/IEC 7812 prefix of US health applications. The check digit of an NPI covers this prefix. */
const issuer = '80840'

/** An NPI has ten digits and starts with 1 or 2. The last digit is the Luhn check digit of the prefix and the other nine. */
export function isNpi(text: string): boolean {
  return /^[12]\d{9}$/.test(text) && luhnSum(issuer + text) % 10 === 0
}

function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
}

export const npiSchema = z.string().refine(isNpi, 'not an NPI: ten digits, the last of them a check digit')

const stateSchema = z.string().regex(/^[A-Z]{2}$/, 'a state is two capital letters')

const draftFields = {
  name: lineSchema.min(1, 'a name is needed').describe('Name of the person.'),
  roles: z.array(z.enum(roles)).min(1).max(roles.length).describe('Roles in the practice; rights add up.'),
  credential: orNull(lineSchema).describe('Credential behind the name, for example `LCSW`; null if none.'),
  npi: orNull(npiSchema).describe('National Provider Identifier, 10 digits; null if none.'),
  licence_states: z.array(stateSchema).max(60).default([]).describe('USPS codes of the states the person is licensed in.'),
  supervisor_id: orNull(idSchema).describe("Supervisor, who sees this person's caseload and cosigns their notes; null if none."),
  shared_clients: z.array(idSchema).max(500).default([]).describe('Clients on other caseloads this person also treats.'),
  status: z.enum(['active', 'left']).default('active').describe("With `left`, the person's API keys are revoked."),
}
const staffFields = stripDefaults(draftFields)

export const staffDraftSchema = named('StaffDraft', 'A person to add to the practice.', {
  ...draftFields,
  id: idSchema
    .optional()
    .describe('Id of the person, chosen by the caller (any UUID); API keys name it. Without it, the service makes one.'),
})

export const staffPatchSchema = z
  .object(staffFields)
  .partial()
  .meta({ id: 'StaffPatch', description: 'Fields of a person to change. Fields left out stay as they are.' })
export const staffSchema = named('Staff', 'A person who works in the practice.', {
  ...staffFields,
  ...recordFields,
  withheld: z.array(z.string()).optional().describe("Names of fields the caller's role does not see; they are empty."),
})

export type Staff = z.infer<typeof staffSchema>
export type StaffPatch = z.infer<typeof staffPatchSchema>
