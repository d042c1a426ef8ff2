import { z } from 'zod'
import {
  dateSchema,
  idSchema,
  lineSchema,
  listOf,
  named,
  orNull,
  recordFields,
  sentDateSchema,
  timestampSchema,
} from './common.ts'

/** Dollars as a decimal string, for example "20.00". */
const amountSchema = z.string().regex(/^\d+\.\d{2}$/)
const yesNoUnknownSchema = z.enum(['yes', 'no', 'unknown'])
const limitSchema = named('BenefitLimit', 'A yearly amount and what is left of it.', {
  total: amountSchema.nullable().describe('Full amount for the plan period as a decimal string; null: not stated.'),
  remaining: amountSchema.nullable().describe('Amount still to be met as a decimal string; null: not stated.'),
})
const levelsSchema = named('BenefitLevels', 'A yearly amount for one person and for the family.', {
  individual: limitSchema.nullable().describe('For the patient; null: not stated.'),
  family: limitSchema.nullable().describe('For the whole family; null: not stated.'),
})
const copaySchema = named('Copay', 'A fixed amount per visit.', {
  amount: amountSchema.describe('Decimal string, for example `20.00`.'),
  currency: z.string().describe('ISO 4217 code, for example `USD`.'),
})
/** Names of EB (benefit) segments in the payer's X12 271 answer, counted from 1, for example "EB#14". */
const rowsSchema = z.array(z.string())

export const dependentSchema = named('Dependent', 'The patient, if someone else holds the plan.', {
  given_name: lineSchema.min(1).describe('First name as the payer knows it.'),
  family_name: lineSchema.min(1).describe('Last name as the payer knows it.'),
  date_of_birth: sentDateSchema.describe('Date of birth, `YYYY-MM-DD`. Years 1900 to 2200.'),
  relationship: z.enum(['spouse', 'child', 'other']).default('other').describe('Relationship to the subscriber.'),
})

export const coverageRequestSchema = named(
  'CoverageRequest',
  'An eligibility check. Give `client_id` to use the stored card, or `subscriber` to type one.',
  {
    client_id: idSchema.optional().describe('Client whose stored card is checked.'),
    payer_id: lineSchema.min(1).describe("Payer id on the card or from the practice's payer list."),
    service_date: sentDateSchema
      .optional()
      .describe('Day of the service, `YYYY-MM-DD`. Defaults to the day the payer answers. Years 1900 to 2200.'),
    service_type_codes: z
      .array(z.string().regex(/^[A-Z0-9]{1,4}$/i))
      .min(1)
      .max(10)
      .default(['30', 'MH'])
      .describe('X12 service type codes. `30` is general benefits, `MH` is mental health.'),
    cpt_codes: z
      .array(z.string().regex(/^[A-Z0-9]{1,7}$/i))
      .max(10)
      .default([])
      .describe('Procedure codes to ask about.'),
    provider: z
      .object({
        npi: z
          .string()
          .regex(/^\d{10}$/)
          .describe('National Provider Identifier, 10 digits.'),
        organization_name: lineSchema.describe('Name the NPI is registered under.'),
      })
      .optional()
      .describe("Provider of the service. Defaults to the practice's."),
    network: z
      .enum(['auto', 'in', 'out'])
      .default('auto')
      .describe("Which side of the payer's network to report. `auto` takes what the payer says about this provider."),
    modality: z
      .enum(['in_person', 'video', 'phone'])
      .optional()
      .describe('How the client will be seen, to report telehealth benefits.'),
    subscriber: z
      .object({
        member_id: lineSchema.describe('Member id on the card.'),
        given_name: lineSchema.describe('First name on the card.'),
        family_name: lineSchema.describe('Last name on the card.'),
        date_of_birth: sentDateSchema.describe('Date of birth of the subscriber, `YYYY-MM-DD`. Years 1900 to 2200.'),
        group_number: orNull(lineSchema).describe('Group number on the card; null if there is none.'),
      })
      .optional()
      .describe("Holder of the plan. Defaults to the client's stored card."),
    dependent: orNull(dependentSchema).describe(
      'The patient if someone else holds the plan; null if the subscriber is the patient.',
    ),
    max_age_hours: z
      .int()
      .min(0)
      .max(24)
      .default(24)
      .describe('A stored answer at most this old is returned again; 0 asks the payer now.'),
  },
)

const benefitShape = {
  row: z.string().describe("Line number in the payer's answer, for example `EB#14`."),
  whose: z.enum(['subscriber', 'dependent']).describe('Person the line is about.'),
  eb: z.string().describe('EB01, what the line states, for example `B` for copay.'),
  level: z.string().nullable().describe('EB02, coverage level, for example `IND`; null if absent.'),
  stc: z.array(z.string()).describe('EB03, service type codes.'),
  insurance_type: z.string().nullable().describe('EB04, insurance type code; null if absent.'),
  plan: z.string().nullable().describe('EB05, plan description; null if absent.'),
  time: z.string().nullable().describe('EB06, time period code; null if absent.'),
  amount: z.string().nullable().describe('EB07, amount in dollars; null if absent.'),
  percent: z.string().nullable().describe('EB08, share the patient pays, 0 to 1; null if absent.'),
  quantity_type: z.string().nullable().describe('EB09, unit of the quantity; null if absent.'),
  quantity: z.string().nullable().describe('EB10, quantity such as visits; null if absent.'),
  auth: z.string().nullable().describe('EB11, whether authorization is required: `Y`, `N` or `U`; null if absent.'),
  in_network: z.string().nullable().describe('EB12, in network: `Y`, `N`, `U` or `W`; null if absent.'),
  procedure: z.string().nullable().describe('EB13, procedure; null if absent.'),
  messages: z.array(z.string()).describe('MSG segments under the line.'),
  segments: z.array(z.string()).describe('All other segments under the line, verbatim.'),
}

const benefitSchema = z.looseObject(benefitShape).meta({
  id: 'Benefit',
  description: "One EB line of the payer's answer, with its codes unchanged (X12 271, 005010X279A1, loop 2110).",
})

const costsShape = {
  copay: copaySchema.nullable().describe('Copay per visit; null: not stated.'),
  coinsurance_percent: z
    .string()
    .nullable()
    .describe('Share of the price the patient pays, as a decimal string in percent; null: not stated.'),
  deductible: levelsSchema.nullable().describe('Deductible; null: not stated.'),
  out_of_pocket: levelsSchema.nullable().describe('Out-of-pocket maximum; null: not stated.'),
}

export const coverageSchema = named(
  'Coverage',
  "What the payer says about a client's coverage. Every headline value cites the line it was read from.",
  {
    eligibility_id: idSchema.describe('Id of this eligibility check.'),
    status: z
      .enum(['active', 'inactive', 'unknown', 'not_found', 'payer_unavailable'])
      .describe('`payer_unavailable` appears in stored results only; a payer that is down now is a 503.'),
    checked_at: timestampSchema.describe('When the payer answered.'),
    source: z
      .enum(['live', 'cache', 'sandbox'])
      .describe('`live`: asked now. `cache`: a stored answer. `sandbox`: invented answers for test keys and sample clients.'),
    age_seconds: z.int().min(0).optional().describe('Seconds since the payer answered; absent if it was asked now.'),
    client_id: idSchema.nullable().optional().describe('Client that was checked; null for a typed card.'),
    service_date: dateSchema.nullable().optional().describe('Day the answer is about; null: the day it was given.'),
    payer: z
      .object({ id: z.string().describe('Payer id.'), name: z.string().describe('Payer name.') })
      .describe('Payer that answered.'),
    plan: z
      .object({
        name: z.string().nullable().describe('Plan name; null: not stated.'),
        type: z.string().nullable().describe('Plan type, for example `PPO`; null: not stated.'),
        group_number: z.string().nullable().describe('Group number; null: not stated.'),
        period: z
          .object({
            start: dateSchema.nullable().describe('First day of the plan; null: not stated.'),
            end: dateSchema.nullable().describe('Last day of the plan; null: not stated.'),
          })
          .describe('Plan period.'),
        carve_out: z
          .object({
            payer_id: z.string().nullable().describe('Payer id of that company; null: not stated.'),
            name: z.string().describe('Name of that company.'),
            phone: z.string().nullable().describe('Phone number of that company; null: not stated.'),
          })
          .nullable()
          .describe('Company that handles mental health for this plan; null if the payer does.'),
      })
      .nullable()
      .describe('Plan of the member; null if the payer named none.'),
    mental_health: z
      .object({
        covered: yesNoUnknownSchema.describe('Whether outpatient mental health is covered.'),
        network: z.enum(['in', 'out', 'unknown']).describe('Side of the network these values are for.'),
        ...costsShape,
        visit_limit: z
          .object({
            total: z.int().nullable().describe('Visits in the period; null: not stated.'),
            remaining: z.int().nullable().describe('Visits left in the period; null: not stated.'),
            period: z.string().describe('Period of the limit, for example `calendar_year`.'),
          })
          .nullable()
          .describe('Visits the plan pays for; null: not stated.'),
        authorization_required: yesNoUnknownSchema.describe('Whether visits need prior authorization.'),
        telehealth_covered: yesNoUnknownSchema.describe('Whether video visits are covered.'),
      })
      .describe('Outpatient mental health benefits.'),
    patient_estimate: z
      .object({
        amount: amountSchema.describe('Decimal string in US dollars.'),
        basis: z.array(z.string()).describe('Lines the estimate was read from, for example `EB#14`.'),
        confidence: z.enum(['stated', 'inferred']).describe('`stated` by the payer, or `inferred` from several lines.'),
        disclaimer: z.string().describe('Sentence to show with the estimate.'),
      })
      .nullable()
      .describe('What the patient will probably pay per visit; null if it cannot be estimated.'),
    alternatives: listOf({
      network: z.enum(['in', 'out']).describe('Side of the network these costs are for.'),
      ...costsShape,
      basis: z.record(z.string(), rowsSchema).describe('Lines each cost was read from, by field.'),
    })
      .optional()
      .describe('The same costs on the other side of the network.'),
    basis: z
      .record(z.string(), rowsSchema)
      .optional()
      .describe('Lines each value was read from, by its path, for example `mental_health.copay`.'),
    conflicts: listOf({
      field: z.string().describe('Path of the value.'),
      rows: rowsSchema.describe('Lines that disagree.'),
      values: z.array(z.string()).describe('What each of these lines says.'),
    })
      .optional()
      .describe("Values on which the payer's lines disagree. They are null or `unknown` above."),
    benefits: z.array(benefitSchema).describe('All EB lines of the answer.'),
    errors: listOf({
      aaa: z.string().describe('X12 AAA03 code, for example `72` for an invalid member id.'),
      followup: z.string().describe('X12 AAA04 follow-up code.'),
      location: z.string().describe('Loop of the request that was refused.'),
      retryable: z.boolean().describe('True if the same request may succeed later.'),
      hint: z.string().describe('What to correct, in one sentence.'),
    }).describe('Refusals of the payer; the answer is still 200.'),
    raw_ref: z.string().nullable().optional().describe('Path of the original answer, `/coverage/{id}/raw`; null if none came.'),
  },
)

export const storedCoverageSchema = coverageSchema
  .extend(recordFields)
  .meta({ id: 'StoredCoverage', description: 'A stored eligibility result.' })

export const rawCoverageSchema = named('RawCoverage', "The payer's answer as it came over the wire.", {
  eligibility_id: idSchema.describe('Id of the eligibility check.'),
  media_type: z.enum(['application/edi-x12', 'application/json']).describe('Format of `text`.'),
  text: z.string().describe('The answer, unchanged.'),
})

export type CoverageRequest = z.infer<typeof coverageRequestSchema>
export type Coverage = z.infer<typeof coverageSchema>
export type StoredCoverage = z.infer<typeof storedCoverageSchema>
export type BenefitCodes = z.infer<z.ZodObject<typeof benefitShape>>
export type Benefit = z.infer<typeof benefitSchema>
