import type { Benefit, Coverage } from '#contract/model/coverage.ts'
import type { EligibilityRaw, RawBenefit, Rejection } from '../port.ts'
import {
  active,
  type Keep,
  costsIn,
  remaining,
  copayIn,
  countOf,
  rowName,
  type Found,
  settle,
  settleNearest,
  planIn,
  statusIn,
} from './costs.ts'
import rejectionHints from './rejection-hints.json' with { type: 'json' }
import { type Asked, type Network, type Tiers, holdsIn, onSide, tiersOf, within, telehealthPlaces } from './relevant.ts'

export type ReadCoverage = Pick<
  Coverage,
  'status' | 'plan' | 'mental_health' | 'patient_estimate' | 'alternatives' | 'basis' | 'conflicts' | 'benefits' | 'errors'
>

export function readCoverage(raw: EligibilityRaw, asked: Asked): ReadCoverage {
  const basis: Record<string, string[]> = {}
  const conflicts: Conflicts = []
  const keep = keeper(basis, conflicts, '')
  const tiers = tiersOf(raw.benefits, asked)
  const said = keep('status', statusIn(raw.benefits, tiers))
  const status = statusOf(raw, said)
  const network = networkOf(tiers, asked)
  const here = onSide(tiers, network)
  const keepHere = keeper(basis, conflicts, 'mental_health.')
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

type Conflicts = NonNullable<Coverage['conflicts']>

function keeper(basis: Record<string, string[]>, conflicts: Conflicts, path: string, basisPath = path): Keep {
  return (field, { value, rows, conflict }) => {
    if (conflict !== null) conflicts.push({ field: `${path}${field}`, rows: [...rows], values: [...conflict] })
    else if (rows.length > 0) basis[`${basisPath}${field}`] = [...rows]
    return value
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

function alternativesOf(tiers: Tiers, network: Network | 'unknown', conflicts: Conflicts): NonNullable<Coverage['alternatives']> {
  const others: Network[] = network === 'unknown' ? ['in', 'out'] : [network === 'in' ? 'out' : 'in']
  return others.map((other) => {
    const basis: Record<string, string[]> = {}
    const keep = keeper(basis, conflicts, `alternatives.${other}.`, '')
    const costs = costsIn(
      within(tiers, (line) => holdsIn(line, other)),
      keep,
    )
    return { network: other, ...costs, basis }
  })
}

function benefitOf(benefit: RawBenefit): Benefit {
  const { row: _row, stc, messages, segments, dates: _dates, references: _references, deliveries: _deliveries, ...rest } = benefit
  const { places: _places, entities: _entities, ...codes } = rest
  return { row: rowName(benefit), ...codes, stc: [...stc], messages: [...messages], segments: [...segments] }
}

type MentalHealth = Coverage['mental_health']

const disclaimer = 'not a guarantee of payment'

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
  if (copayIn(tiers.mentalHealth).conflict !== null) return null
  if (benefits.coinsurance_percent === '0' && benefits.deductible?.individual?.remaining === '0.00') {
    const rows = [...rowsOf('coinsurance_percent'), ...rowsOf('deductible.individual.remaining')]
    return { amount: '0.00', basis: rows, confidence: 'inferred', disclaimer }
  }
  const visit = copayIn(tiers.officeVisit)
  return visit.value === null || benefits.coinsurance_percent !== null
    ? null
    : { amount: visit.value, basis: [...visit.rows], confidence: 'inferred', disclaimer }
}

type YesNo = 'yes' | 'no'

/** EB01: I not covered; E excluded; 6 to 8 inactive. */
const excluded = new Set(['I', 'E', '6', '7', '8'])
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

const coverageOf = ({ eb }: RawBenefit): YesNo | null => (active.has(eb) ? 'yes' : excluded.has(eb) ? 'no' : null)

const coveredIn = (tiers: Tiers): Found<YesNo> => settleNearest(tiers.mentalHealth, coverageOf)

function visitLimitIn(tiers: Tiers, keep: Keep): MentalHealth['visit_limit'] {
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

const authorizationIn = (tiers: Tiers): Found<YesNo> =>
  settleNearest(tiers.mentalHealth, ({ auth }) => (auth === 'Y' ? 'yes' : auth === 'N' ? 'no' : null))

function telehealthIn(benefits: readonly RawBenefit[], tiers: Tiers): Found<YesNo> {
  const types = new Set(['A6', 'CF', 'A8', 'MH', 'A4'])
  const lines = benefits.filter(
    ({ places, stc, procedure }) =>
      telehealthPlaces.some((place) => places.includes(place)) && (procedure !== null || stc.some((type) => types.has(type))),
  )
  const mine = lines.filter((line) => line.procedure === null || tiers.mentalHealth[0]?.includes(line))
  return settle(mine, coverageOf)
}

const hints: Readonly<Record<string, string>> = rejectionHints

const outages = new Set(['42', '80'])
const notFound = new Set(['64', '65', '67', '71', '72', '73', '75', '77', '78'])

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
    hint: hints[code] ?? 'The payer gave an unknown reason. Call the payer.',
  }))
}
