import { z } from 'zod'
import { dateSchema, idSchema, lineSchema, recordFields, sentDateSchema, timestampSchema } from './common.ts'

/** Decimal string: "20.00". Absent is null, never "0.00". */
const amountSchema = z.string().regex(/^\d+\.\d{2}$/)
const yesNoUnknownSchema = z.enum(['yes', 'no', 'unknown'])
const limitSchema = z.object({ total: amountSchema.nullable(), remaining: amountSchema.nullable() })
const levelsSchema = z.object({ individual: limitSchema.nullable(), family: limitSchema.nullable() })
const copaySchema = z.object({ amount: amountSchema, currency: z.string() })
/** Lines of the payer's answer, counted from 1: "EB#14". */
const rowsSchema = z.array(z.string())

/** The patient where somebody else holds the plan. */
export const dependentSchema = z.object({
  given_name: lineSchema.min(1),
  family_name: lineSchema.min(1),
  date_of_birth: sentDateSchema,
  relationship: z.enum(['spouse', 'child', 'other']).default('other'),
})

export const coverageRequestSchema = z.object({
  client_id: idSchema.optional(),
  /** As on the card, or as the practice's list of payers has it. */
  payer_id: lineSchema.min(1),
  /** Left out: the day the payer answers. */
  service_date: sentDateSchema.optional(),
  service_type_codes: z
    .array(z.string().regex(/^[A-Z0-9]{1,4}$/i))
    .min(1)
    .max(10)
    .default(['30', 'MH']),
  cpt_codes: z
    .array(z.string().regex(/^[A-Z0-9]{1,7}$/i))
    .max(10)
    .default([]),
  provider: z.object({ npi: z.string().regex(/^\d{10}$/), organization_name: lineSchema }).optional(),
  network: z.enum(['auto', 'in', 'out']).default('auto'),
  modality: z.enum(['in_person', 'video', 'phone']).optional(),
  /** Whose plan it is; left out: the client's own card. */
  subscriber: z
    .object({
      member_id: lineSchema,
      given_name: lineSchema,
      family_name: lineSchema,
      date_of_birth: sentDateSchema,
      group_number: lineSchema.nullable().default(null),
    })
    .optional(),
  dependent: dependentSchema.nullable().default(null),
  /** An answer that is no older is given again; 0 asks the payer now. */
  max_age_hours: z.int().min(0).max(24).default(24),
})

/** One EB line as the payer wrote it, its codes untouched (X12 271, 005010X279A1, loop 2110). */
const benefitSchema = z.looseObject({
  row: z.string(),
  whose: z.enum(['subscriber', 'dependent']),
  eb: z.string(),
  level: z.string().nullable(),
  stc: z.array(z.string()),
  insurance_type: z.string().nullable(),
  plan: z.string().nullable(),
  time: z.string().nullable(),
  amount: z.string().nullable(),
  percent: z.string().nullable(),
  quantity_type: z.string().nullable(),
  quantity: z.string().nullable(),
  auth: z.string().nullable(),
  in_network: z.string().nullable(),
  procedure: z.string().nullable(),
  messages: z.array(z.string()),
  /** Everything else under this line, verbatim. */
  segments: z.array(z.string()),
})

const costsShape = {
  copay: copaySchema.nullable(),
  coinsurance_percent: z.string().nullable(),
  deductible: levelsSchema.nullable(),
  out_of_pocket: levelsSchema.nullable(),
}

/** After X12 271 (005010X279A1) and DOMAIN.md section 1; every headline value cites its EB row. */
export const coverageSchema = z.object({
  eligibility_id: idSchema,
  /** `payer_unavailable` stands in stored results alone: a payer that is down now is a 503. */
  status: z.enum(['active', 'inactive', 'unknown', 'not_found', 'payer_unavailable']),
  checked_at: timestampSchema,
  source: z.enum(['live', 'cache', 'sandbox']),
  /** Since the payer said this; absent where it was said just now. */
  age_seconds: z.int().min(0).optional(),
  client_id: idSchema.nullable().optional(),
  service_date: dateSchema.nullable().optional(),
  payer: z.object({ id: z.string(), name: z.string() }),
  plan: z
    .object({
      name: z.string().nullable(),
      type: z.string().nullable(),
      group_number: z.string().nullable(),
      period: z.object({ start: dateSchema.nullable(), end: dateSchema.nullable() }),
      carve_out: z.object({ payer_id: z.string().nullable(), name: z.string(), phone: z.string().nullable() }).nullable(),
    })
    .nullable(),
  mental_health: z.object({
    covered: yesNoUnknownSchema,
    network: z.enum(['in', 'out', 'unknown']),
    ...costsShape,
    visit_limit: z.object({ total: z.int().nullable(), remaining: z.int().nullable(), period: z.string() }).nullable(),
    authorization_required: yesNoUnknownSchema,
    telehealth_covered: yesNoUnknownSchema,
  }),
  patient_estimate: z
    .object({
      amount: amountSchema,
      basis: z.array(z.string()),
      confidence: z.enum(['stated', 'inferred']),
      disclaimer: z.string(),
    })
    .nullable(),
  /** The same on the other side of the network; null is "not said". */
  alternatives: z
    .array(z.object({ network: z.enum(['in', 'out']), ...costsShape, basis: z.record(z.string(), rowsSchema) }))
    .optional(),
  /** Which lines each value above was read from, by its path, e.g. `mental_health.copay`. */
  basis: z.record(z.string(), rowsSchema).optional(),
  /** Lines that say different things of one value: it is null or unknown above, and all are listed here. */
  conflicts: z.array(z.object({ field: z.string(), rows: rowsSchema, values: z.array(z.string()) })).optional(),
  benefits: z.array(benefitSchema),
  errors: z.array(
    z.object({ aaa: z.string(), followup: z.string(), location: z.string(), retryable: z.boolean(), hint: z.string() }),
  ),
  /** Of the answer as it came; null where none came. `GET /coverage/{id}/raw`. */
  raw_ref: z.string().nullable().optional(),
})

/** A result as it is kept. */
export const storedCoverageSchema = coverageSchema.extend(recordFields)

/** The payer's answer as it came over the wire. */
export const rawCoverageSchema = z.object({
  eligibility_id: idSchema,
  media_type: z.enum(['application/edi-x12', 'application/json']),
  text: z.string(),
})

export type CoverageRequest = z.infer<typeof coverageRequestSchema>
export type Coverage = z.infer<typeof coverageSchema>
export type StoredCoverage = z.infer<typeof storedCoverageSchema>
export type Benefit = z.infer<typeof benefitSchema>
