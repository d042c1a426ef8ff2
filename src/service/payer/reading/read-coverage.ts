import type { Benefit, Coverage } from '#contract/model/coverage.ts'
import type { EligibilityRaw, RawBenefit, Rejection } from '../port.ts'
import { type Keep, costsIn, copayIn, countOf, rowName, type Found, settle, settleNearest, planIn, statusIn } from './costs.ts'
import { type Asked, type Network, type Tiers, holdsIn, onSide, tiersOf, within, telehealthPlaces } from './relevant.ts'

export type ReadCoverage = Pick<
  Coverage,
  'status' | 'plan' | 'mental_health' | 'patient_estimate' | 'alternatives' | 'basis' | 'conflicts' | 'benefits' | 'errors'
>

/** Every value cites its lines. Conflicting lines are listed and none is picked. Missing values are null or unknown. */
export function readCoverage(raw: EligibilityRaw, asked: Asked): ReadCoverage {
  const basis: Record<string, string[]> = {}
  const conflicts: NonNullable<Coverage['conflicts']> = []
  const keepUnder =
    (prefix: string): Keep =>
    (field, { value, rows, conflict }) => {
      const path = `${prefix}${field}`
      if (conflict !== null) conflicts.push({ field: path, rows: [...rows], values: [...conflict] })
      else if (rows.length > 0) basis[path] = [...rows]
      return value
    }
  const keep = keepUnder('')
  const tiers = tiersOf(raw.benefits, asked)
  const said = keep('status', statusIn(raw.benefits, tiers))
  const status = statusOf(raw, said)
  const network = networkOf(tiers, asked)
  const here = onSide(tiers, network)
  const keepHere = keepUnder('mental_health.')
  const mental_health: Coverage['mental_health'] = {
    covered: keepHere('covered', coveredIn(here)) ?? 'unknown',
    network,
    ...costsIn(here, keepHere),
    visit_limit: visitLimitIn(here, keepHere),
    authorization_required: keepHere('authorization_required', authorizationIn(here)) ?? 'unknown',
    telehealth_covered: keepHere('telehealth_covered', telehealthIn(raw.benefits, tiers)) ?? 'unknown',
  }
  return {
    status,
    plan: planIn(raw, tiers, keep),
    mental_health,
    patient_estimate: estimateOf(status, mental_health, basis, here),
    alternatives: raw.benefits.length === 0 ? [] : alternativesOf(tiers, network, conflicts),
    basis,
    conflicts,
    benefits: raw.benefits.map((benefit) => benefitOf(benefit)),
    errors: errorsOf(raw.rejections),
  }
}

function statusOf({ rejections }: EligibilityRaw, said: 'active' | 'inactive' | null): Coverage['status'] {
  if (said !== null) return said
  if (isOutage(rejections)) return 'payer_unavailable'
  return isNotFound(rejections) ? 'not_found' : 'unknown'
}

function networkOf(tiers: Tiers, { network }: Asked): Network | 'unknown' {
  const lines = [...tiers.mentalHealth, ...tiers.officeVisit, ...tiers.wholePlan].flat()
  const isSpokenOf = (side: Network): boolean => lines.some((line) => holdsIn(line, side))
  if (network !== 'auto') return isSpokenOf(network) ? network : 'unknown'
  return isSpokenOf('in') ? 'in' : isSpokenOf('out') ? 'out' : 'unknown'
}

/** Benefits of the other network, or of both if the network is unknown. Lines without a network don't count. */
function alternativesOf(
  tiers: Tiers,
  network: Network | 'unknown',
  conflicts: NonNullable<Coverage['conflicts']>,
): NonNullable<Coverage['alternatives']> {
  const others: Network[] = network === 'unknown' ? ['in', 'out'] : [network === 'in' ? 'out' : 'in']
  return others.map((other) => {
    const basis: Record<string, string[]> = {}
    const keep: Keep = (field, { value, rows, conflict }) => {
      if (conflict !== null) conflicts.push({ field: `alternatives.${other}.${field}`, rows: [...rows], values: [...conflict] })
      else if (rows.length > 0) basis[field] = [...rows]
      return value
    }
    return {
      network: other,
      ...costsIn(
        within(tiers, (line) => holdsIn(line, other)),
        keep,
      ),
      basis,
    }
  })
}

function benefitOf(benefit: RawBenefit): Benefit {
  const { row: _row, stc, messages, segments, dates: _dates, references: _references, deliveries: _deliveries, ...rest } = benefit
  const { places: _places, entities: _entities, ...codes } = rest
  return { row: rowName(benefit), ...codes, stc: [...stc], messages: [...messages], segments: [...segments] }
}

type MentalHealth = Coverage['mental_health']

const disclaimer = 'not a guarantee of payment'

/** Estimated patient cost per visit. Null without active coverage, or if the answer does not state enough to estimate it. */
function estimateOf(
  status: Coverage['status'],
  benefits: MentalHealth,
  basis: Readonly<Record<string, readonly string[]>>,
  tiers: Tiers,
): Coverage['patient_estimate'] {
  if (status !== 'active' || benefits.covered !== 'yes' || benefits.visit_limit?.remaining === 0) return null
  const hasShare = benefits.coinsurance_percent !== null && benefits.coinsurance_percent !== '0'
  if (hasShare) return null
  const rowsOf = (field: string): string[] => [...(basis[`mental_health.${field}`] ?? [])]
  if (benefits.copay !== null) return { amount: benefits.copay.amount, basis: rowsOf('copay'), confidence: 'stated', disclaimer }
  // Copay lines conflict, and no other line can resolve the conflict.
  if (copayIn(tiers.mentalHealth).conflict !== null) return null
  if (benefits.coinsurance_percent === '0' && benefits.deductible?.individual?.remaining === '0.00') {
    const rows = [...rowsOf('coinsurance_percent'), ...rowsOf('deductible.individual.remaining')]
    return { amount: '0.00', basis: rows, confidence: 'inferred', disclaimer }
  }
  // Under parity law, the office visit copay is likely, but the payer did not state it for therapy.
  const visit = copayIn(tiers.officeVisit)
  return visit.value === null || benefits.coinsurance_percent !== null
    ? null
    : { amount: visit.value, basis: [...visit.rows], confidence: 'inferred', disclaimer }
}

type VisitsMentalHealth = Coverage['mental_health']
type YesNo = 'yes' | 'no'

const active = new Set(['1', '2', '3', '4', '5'])
/** EB01: I not covered; E excluded; 6 to 8 inactive. */
const excluded = new Set(['I', 'E', '6', '7', '8'])
const remaining = '29'
const visits = 'VS'

const periods: Readonly<Record<string, string>> = {
  '7': 'day',
  '21': 'years',
  '22': 'service_year',
  '23': 'calendar_year',
  '25': 'contract',
  '26': 'episode',
  '32': 'lifetime',
  '33': 'lifetime',
  '34': 'month',
  '35': 'week',
}

/** Only a mental health line can state coverage of mental health. */
const coveredIn = (tiers: Tiers): Found<YesNo> =>
  settleNearest(tiers.mentalHealth, ({ eb }) => (active.has(eb) ? 'yes' : excluded.has(eb) ? 'no' : null))

function visitLimitIn(tiers: Tiers, keep: Keep): VisitsMentalHealth['visit_limit'] {
  const total = keep('visit_limit.total', settleNearest(tiers.mentalHealth, totalOf))
  const left = keep('visit_limit.remaining', settleNearest(tiers.mentalHealth, remainingOf))
  if (total === null && left === null) return null
  return { total: total?.count ?? null, remaining: left, period: total?.period ?? 'unknown' }
}

function totalOf(benefit: RawBenefit): { count: number; period: string } | null {
  if (benefit.eb !== 'F') return null
  for (const { quantity_type, quantity, time } of [benefit, ...benefit.deliveries]) {
    const count = countOf(quantity)
    if (quantity_type === visits && time !== remaining && benefit.time !== remaining && count !== null)
      return { count, period: periods[time ?? ''] ?? 'unknown' }
  }
  return null
}

const remainingOf = ({ eb, time, quantity_type, quantity }: RawBenefit): number | null =>
  eb === 'F' && time === remaining && quantity_type === visits ? countOf(quantity) : null

/** EB11 on mental health lines. U means unknown. */
const authorizationIn = (tiers: Tiers): Found<YesNo> =>
  settleNearest(tiers.mentalHealth, ({ auth }) => (auth === 'Y' ? 'yes' : auth === 'N' ? 'no' : null))

/** Decided only by place of service; free text messages are left to the reader. */
function telehealthIn(benefits: readonly RawBenefit[], tiers: Tiers): Found<YesNo> {
  const types = new Set(['A6', 'CF', 'A8', 'MH', 'A4'])
  const lines = benefits.filter(
    ({ places, stc, procedure }) =>
      telehealthPlaces.some((place) => places.includes(place)) && (procedure !== null || stc.some((type) => types.has(type))),
  )
  const mine = lines.filter((line) => line.procedure === null || tiers.mentalHealth[0]?.includes(line))
  return settle(mine, ({ eb }) => (active.has(eb) ? 'yes' : excluded.has(eb) ? 'no' : null))
}

/** AAA03 codes of 005010X279A1, with advice for the front desk. */
const hints: Readonly<Record<string, string>> = {
  '04': 'Ask for fewer service types at once.',
  '15': 'The payer wants more about the person: give name, birth date and member id.',
  '33': 'Something in the request has a form the payer does not take. Check member id, names and date.',
  '35': 'This payer does not cover the person out of the network.',
  '41': 'The practice may not ask this payer. Sign up with it for eligibility checks.',
  '42': 'The payer cannot answer at the moment. It is asked again by itself; otherwise try later.',
  '43': 'Check the practice’s NPI, and that it is registered with this payer.',
  '44': 'Check the practice’s name.',
  '45': 'The payer wants the practice’s specialty.',
  '46': 'Check the practice’s telephone number.',
  '47': 'The payer does not know the practice’s state.',
  '48': 'The referring provider’s number is wrong.',
  '49': 'The provider is not the one the person chose as primary.',
  '50': 'The payer says this provider may not ask.',
  '51': 'The payer does not know this provider. Check the NPI.',
  '52': 'The service date is outside what the payer answers for.',
  '53': 'The payer takes one question at a time; ask for one service type.',
  '54': 'The payer does not take this service type or procedure code. Ask for the plan as a whole (30).',
  '55': 'The payer does not take this combination of codes.',
  '56': 'Check the service date.',
  '57': 'Check the service date: it is missing or not a date.',
  '58': 'Check the birth date.',
  '60': 'The birth date lies after the service date.',
  '61': 'The date of death lies before the service date.',
  '62': 'The service date is too far back or ahead for this payer.',
  '63': 'The service date is in the future; ask for today.',
  '64': 'Check the patient’s member id against the card.',
  '65': 'Check the patient’s name against the card.',
  '67': 'The payer finds no such patient. Check name and birth date against the card.',
  '68': 'Two members share this id. Give name and birth date exactly as on the card.',
  '69': 'The payer’s record and the patient’s do not agree. Call the payer.',
  '70': 'The payer’s record names another sex.',
  '71': 'Check the birth date against the card.',
  '72': 'Check the member id against the card, with all its letters.',
  '73': 'Check the name against the card.',
  '74': 'Check the subscriber’s sex with the payer.',
  '75': 'Check the name against the card; the payer finds no such subscriber.',
  '76': 'Two subscribers share this id. Give name and birth date exactly as on the card.',
  '77': 'The subscriber was found, the patient was not. Check who is insured with whom.',
  '78': 'The subscriber is not in this group or plan. Check the group number.',
  '79': 'Check the payer: its id is not known here, or it does not take such questions.',
  '80': 'The payer did not answer in time. It is asked again by itself; otherwise try later.',
  '97': 'The address does not fit.',
  T4: 'Check the payer’s name and id.',
}

const outages = new Set(['42', '80'])
/** AAA03 codes about the person, not the request. */
const notFound = new Set(['64', '65', '67', '71', '72', '73', '75', '77', '78'])

/** True if a retry may help: the payer is temporarily unavailable and reports nothing worse. */
export function isOutage(rejections: readonly Rejection[]): boolean {
  const codes = rejections.map(({ code }) => code)
  return (
    codes.some((code) => outages.has(code)) && codes.every((code) => outages.has(code) || (code === '79' && codes.includes('42')))
  )
}

const isNotFound = (rejections: readonly Rejection[]): boolean => rejections.some(({ code }) => notFound.has(code))

export function errorsOf(rejections: readonly Rejection[]): Coverage['errors'] {
  const retryable = isOutage(rejections)
  return rejections.map(({ code, followup, location }) => ({
    aaa: code,
    followup,
    location,
    retryable,
    hint: hints[code] ?? 'The payer gives a reason that is not on the list. Call the payer.',
  }))
}
