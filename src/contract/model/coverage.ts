import { z } from 'zod'
import { dateSchema, idSchema, lineSchema, timestampSchema } from './common.ts'

/** Decimal string: "20.00". Absent is null, never "0.00". */
const amountSchema = z.string().regex(/^\d+\.\d{2}$/)
const yesNoUnknownSchema = z.enum(['yes', 'no', 'unknown'])
const limitSchema = z.object({ total: amountSchema.nullable(), remaining: amountSchema.nullable() })
const levelsSchema = z.object({ individual: limitSchema.nullable(), family: limitSchema.nullable() })

export const coverageRequestSchema = z.object({
  client_id: idSchema.optional(),
  payer_id: lineSchema.min(1),
  service_date: dateSchema.optional(),
  service_type_codes: z.array(z.string().max(4)).min(1).max(10).default(['30', 'MH']),
  cpt_codes: z.array(z.string().max(7)).max(10).default([]),
  provider: z.object({ npi: z.string().regex(/^\d{10}$/), organization_name: lineSchema }).optional(),
  network: z.enum(['auto', 'in', 'out']).default('auto'),
  modality: z.enum(['in_person', 'video', 'phone']).optional(),
  subscriber: z
    .object({
      member_id: lineSchema,
      given_name: lineSchema,
      family_name: lineSchema,
      date_of_birth: dateSchema,
      group_number: lineSchema.nullable().default(null),
    })
    .optional(),
  max_age_hours: z.int().min(0).max(24).default(24),
})

/** After X12 271 (005010X279A1) and DOMAIN.md section 1; every headline value cites its EB row. */
export const coverageSchema = z.object({
  eligibility_id: idSchema,
  status: z.enum(['active', 'inactive', 'unknown', 'not_found', 'payer_unavailable']),
  checked_at: timestampSchema,
  source: z.enum(['live', 'cache', 'sandbox']),
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
    copay: z.object({ amount: amountSchema, currency: z.string() }).nullable(),
    coinsurance_percent: z.string().nullable(),
    deductible: levelsSchema.nullable(),
    out_of_pocket: levelsSchema.nullable(),
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
  benefits: z.array(z.record(z.string(), z.unknown())),
  errors: z.array(
    z.object({ aaa: z.string(), followup: z.string(), location: z.string(), retryable: z.boolean(), hint: z.string() }),
  ),
})
