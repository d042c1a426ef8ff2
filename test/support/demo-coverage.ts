import type { ClientCoverage } from '#contract/bridge/clients.ts'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { Client } from '#contract/model/client.ts'
import { type StoredCoverage, storedCoverageSchema } from '#contract/model/coverage.ts'
import { authorisationSchema } from '#contract/model/payer.ts'

/** What the payer of an invented client said. */
export type DemoCoverage = 'said' | 'nothing yet' | 'not set up' | 'not found'

export const demoCard: Client['insurance'] = {
  payer_id: '87726',
  payer_name: 'Northlake Health',
  member_id: 'W88204471',
  group_number: 'NL-100',
  relationship: 'self',
}

const benefit = { whose: 'subscriber', level: 'IND', in_network: 'Y', insurance_type: null, plan: null, time: null } as const
const line = (row: number, eb: string, rest: object = {}) => ({
  ...benefit,
  row: `EB#${row}`,
  eb,
  stc: ['MH'],
  amount: null,
  percent: null,
  quantity_type: null,
  quantity: null,
  auth: null,
  procedure: null,
  messages: [],
  segments: [],
  ...rest,
})

const nothingSaid = {
  covered: 'unknown',
  network: 'unknown',
  copay: null,
  coinsurance_percent: null,
  deductible: null,
  out_of_pocket: null,
  visit_limit: null,
  authorization_required: 'unknown',
  telehealth_covered: 'unknown',
}

function check(number: number, checked_at: string, said: object): StoredCoverage {
  const id = `01930009-0000-7000-8000-${String(number).padStart(12, '0')}`
  return storedCoverageSchema.parse({
    id,
    eligibility_id: id,
    version: 1,
    created_at: checked_at,
    updated_at: checked_at,
    checked_at,
    source: 'live',
    payer: { id: '87726', name: 'Northlake Health' },
    plan: null,
    mental_health: nothingSaid,
    patient_estimate: null,
    benefits: [],
    errors: [],
    raw_ref: id,
    ...said,
  })
}

const limit = (total: string, remaining: string) => ({ individual: { total, remaining }, family: null })

const covered = (remaining: number) => ({
  status: 'active',
  service_date: '2026-11-24',
  plan: { name: 'Silver PPO', type: 'PPO', group_number: 'NL-100', period: { start: null, end: '2026-12-31' }, carve_out: null },
  mental_health: {
    ...nothingSaid,
    covered: 'yes',
    network: 'in',
    copay: { amount: '20.00', currency: 'USD' },
    authorization_required: 'no',
    deductible: limit('1500.00', '430.00'),
    out_of_pocket: limit('6000.00', '2100.00'),
    visit_limit: { total: 30, remaining, period: 'calendar_year' },
  },
  patient_estimate: { amount: '20.00', basis: ['EB#14'], confidence: 'stated', disclaimer: 'not a guarantee of payment' },
  alternatives: [{ network: 'out', copay: null, coinsurance_percent: null, deductible: null, out_of_pocket: null, basis: {} }],
  basis: {
    'plan.name': ['EB#3'],
    'plan.type': ['EB#3'],
    'mental_health.copay': ['EB#14'],
    'mental_health.deductible.individual.total': ['EB#16'],
    'mental_health.deductible.individual.remaining': ['EB#17'],
    'mental_health.out_of_pocket.individual.total': ['EB#20'],
    'mental_health.out_of_pocket.individual.remaining': ['EB#21'],
  },
  benefits: [line(3, '1'), line(14, 'B'), line(16, 'C', { messages: ['DOES NOT APPLY TO OFFICE VISITS'] }), line(20, 'G')],
})

const notFound = {
  status: 'not_found',
  errors: [
    { aaa: '73', followup: 'C', location: '2100C', retryable: false, hint: 'Compare the name with the card.' },
    { aaa: '71', followup: 'C', location: '2100C', retryable: false, hint: 'Compare the date of birth with the card.' },
  ],
}

const checks: Readonly<Record<DemoCoverage, readonly StoredCoverage[]>> = {
  said: [
    check(4, new Date(2026, 10, 24, 8, 5).toISOString(), {
      status: 'payer_unavailable',
      raw_ref: null,
      errors: [{ aaa: '42', followup: 'R', location: '2100A', retryable: true, hint: 'The payer can’t answer right now.' }],
    }),
    check(3, new Date(2026, 10, 23, 16, 12).toISOString(), covered(12)),
    check(2, new Date(2026, 8, 2, 9, 40).toISOString(), covered(18)),
    check(1, new Date(2026, 4, 12, 11, 2).toISOString(), notFound),
  ],
  'not found': [check(5, new Date(2026, 10, 24, 8, 5).toISOString(), notFound)],
  'nothing yet': [],
  'not set up': [],
}

const authorisation = authorisationSchema.parse({
  id: '01930009-0000-7000-8000-0000000000a1',
  version: 1,
  created_at: '2026-09-02T08:00:00.000Z',
  updated_at: '2026-09-02T08:00:00.000Z',
  client_id: '01930001-0000-7000-8000-000000000005',
  payer_id: '87726',
  number: 'A-2026-5512',
  visits_approved: 20,
  visits_used_before: 0,
  starts_on: '2026-09-01',
  ends_on: '2030-12-31',
  cpt_codes: ['90834', '90837'],
  cancelled: false,
  visits_used: 8,
  visits_left: 12,
})

export const demoCoverage = (scene: DemoCoverage): ClientCoverage => ({
  checks: [...checks[scene]],
  authorisations: scene === 'said' ? [authorisation] : [],
  gateway:
    scene === 'not set up'
      ? { name: 'none', ready: false, hint: 'No payer gateway is set up.' }
      : { name: 'stedi', ready: true, hint: null },
  answered_at: '2026-11-24T13:40:00.000Z',
  is_old: false,
})

export const demoOriginal: MethodOutput<'coverage.original'> = {
  eligibility_id: checks.said[1]!.id,
  media_type: 'application/edi-x12',
  text: 'ST*271*0001*005010X279A1~BHT*0022*11*AW1*20261123*1612~EB*1*IND*30*PR*SILVER PPO~EB*1*IND*MH~EB*B*IND*MH***27*20****N*Y~SE*6*0001~',
}
