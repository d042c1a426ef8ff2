import { z } from 'zod'
import { dateSchema, idSchema, lineSchema, recordFields, sentDateSchema } from './common.ts'

export const diagnosisSchema = z.object({ code: lineSchema, description: lineSchema })

export const insuranceSchema = z.object({
  payer_id: lineSchema,
  payer_name: lineSchema,
  member_id: lineSchema,
  group_number: lineSchema.nullable(),
  relationship: z.enum(['self', 'spouse', 'child', 'other']),
})

const optionalLine = lineSchema.nullable().default(null)

/** What a person fills in. */
export const clientDraftSchema = z.object({
  display_name: lineSchema.min(1, 'a name is needed'),
  given_name: optionalLine,
  family_name: optionalLine,
  /** As the client says them, e.g. "she/her". Empty: drafts say "the client". */
  pronouns: optionalLine,
  date_of_birth: sentDateSchema.nullable().default(null),
  email: optionalLine,
  phone: optionalLine,
  /** USPS code of the state where the client is met by video: the law of that place counts. */
  state: z
    .string()
    .regex(/^[A-Z]{2}$/, 'a state is two capital letters')
    .nullable()
    .optional(),
  status: z.enum(['active', 'archived']).default('active'),
  clinician_id: idSchema.nullable().default(null),
  diagnoses: z.array(diagnosisSchema).max(20).default([]),
  insurance: insuranceSchema.nullable().default(null),
  /** Of the treatment, as agreed; an analysis says where each was spoken of. */
  goals: z.array(lineSchema.min(1)).max(20).default([]),
  /** Names and words that come up with this client, for the ear of a speech engine. */
  vocabulary: z.array(lineSchema.min(1)).max(200).default([]),
})

/** `withheld`: fields that the reader's role does not see; they are empty here. */
export const clientSchema = clientDraftSchema.extend({
  ...recordFields,
  date_of_birth: dateSchema.nullable().default(null),
  withheld: z.array(z.string()).optional(),
})
export const clientPatchSchema = z.object(stripDefaults(clientDraftSchema.shape)).partial()

export type ClientDraft = z.infer<typeof clientDraftSchema>
export type Client = z.infer<typeof clientSchema>
export type ClientPatch = z.infer<typeof clientPatchSchema>

/** A patch changes only what it names, so a default must not fill in the rest. */
function stripDefaults<Shape extends z.core.$ZodShape>(shape: Shape): { [Key in keyof Shape]: Undefaulted<Shape[Key]> } {
  const entries = Object.entries(shape).map(([key, schema]) => [key, schema instanceof z.ZodDefault ? schema.unwrap() : schema])
  return Object.fromEntries(entries)
}
type Undefaulted<Schema> = Schema extends z.ZodDefault<infer Inner> ? Inner : Schema
