import { z } from 'zod'
import { dateSchema, idSchema, lineSchema, named, orNull, recordFields, sentDateSchema, stripDefaults } from './common.ts'

export const diagnosisSchema = named('Diagnosis', 'One diagnosis, as the clinician entered it.', {
  code: lineSchema.describe('ICD-10-CM code, for example `F41.1`.'),
  description: lineSchema.describe('Name of the diagnosis.'),
})

export const insuranceSchema = named('Insurance', "A client's insurance card.", {
  payer_id: lineSchema.describe('Payer id on the card, for example `87726`.'),
  payer_name: lineSchema.describe('Payer name on the card.'),
  member_id: lineSchema.describe('Member id on the card.'),
  group_number: lineSchema.nullable().describe('Group number on the card; null if there is none.'),
  relationship: z.enum(['self', 'spouse', 'child', 'other']).describe("The client's relationship to the subscriber."),
})

const optionalLine = orNull(lineSchema)

export const clientDraftSchema = named('ClientDraft', 'What the practice enters about a client.', {
  display_name: lineSchema.min(1, 'a name is needed').describe('Name the practice uses for the client. Required, not empty.'),
  given_name: optionalLine.describe('Legal first name; null if unknown.'),
  family_name: optionalLine.describe('Legal last name; null if unknown.'),
  pronouns: optionalLine.describe(
    'Pronouns as the client says them, for example `she/her`. Without them, drafts write "the client".',
  ),
  date_of_birth: orNull(sentDateSchema).describe('Date of birth, `YYYY-MM-DD`; null if unknown. Years 1900 to 2200.'),
  email: optionalLine.describe('Email address; null if unknown.'),
  phone: optionalLine.describe('Phone number as typed; null if unknown.'),
  state: z
    .string()
    .regex(/^[A-Z]{2}$/, 'a state is two capital letters')
    .nullable()
    .optional()
    .describe(
      "USPS code of the state where the client is during video and phone sessions. The clinician's license must cover it.",
    ),
  status: z
    .enum(['active', 'archived'])
    .default('active')
    .describe('Archived clients stay readable. Lists contain them unless you ask for `status=active`.'),
  clinician_id: orNull(idSchema).describe(
    'Clinician whose caseload the client belongs to. If null is sent with a new client: the caller, if a clinician or supervisor who is not an owner. Null in an answer: the client belongs to the owner.',
  ),
  diagnoses: z.array(diagnosisSchema).max(20).default([]).describe('Diagnoses, most important first.'),
  insurance: orNull(insuranceSchema).describe('Insurance card; null if none is on file.'),
  goals: z.array(lineSchema.min(1)).max(20).default([]).describe('Goals of treatment. An analysis says where each was raised.'),
  vocabulary: z
    .array(lineSchema.min(1))
    .max(200)
    .default([])
    .describe('Names and words that come up with this client, to help speech recognition.'),
})

export const clientSchema = named('Client', 'A client of the practice.', {
  ...clientDraftSchema.shape,
  ...recordFields,
  date_of_birth: orNull(dateSchema).describe('Date of birth, `YYYY-MM-DD`; null if unknown.'),
  withheld: z.array(z.string()).optional().describe("Names of fields the caller's role does not see; they are empty."),
})
export const clientPatchSchema = z
  .object(stripDefaults(clientDraftSchema.shape))
  .partial()
  .meta({ id: 'ClientPatch', description: 'Fields of a client to change. Fields left out stay as they are.' })

export type ClientDraft = z.infer<typeof clientDraftSchema>
export type Client = z.infer<typeof clientSchema>
export type ClientPatch = z.infer<typeof clientPatchSchema>
