import type { Coverage } from '#contract/model/coverage.ts'
import type { RawBenefit } from '../port.ts'
import type { Keep } from './costs.ts'
import { countOf } from './decimals.ts'
import type { Found } from './found.ts'
import { settle, settleNearest } from './found.ts'
import type { Tiers } from './relevant.ts'
import { telehealthPlaces } from './relevant.ts'

type MentalHealth = Coverage['mental_health']
type YesNo = 'yes' | 'no'

const active = new Set(['1', '2', '3', '4', '5'])
/** I: not covered; E: excluded; 6 to 8: inactive. */
const excluded = new Set(['I', 'E', '6', '7', '8'])
const remaining = '29'
const visits = 'VS'

/** EB06 and HSD05. */
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

/** Only a line of mental health itself says that it is covered. */
export const coveredIn = (tiers: Tiers): Found<YesNo> =>
  settleNearest(tiers.mentalHealth, ({ eb }) => (active.has(eb) ? 'yes' : excluded.has(eb) ? 'no' : null))

export function visitLimitIn(tiers: Tiers, keep: Keep): MentalHealth['visit_limit'] {
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

/** EB11 of a line that covers mental health or says what it costs. U is the payer's own "unknown". */
export const authorizationIn = (tiers: Tiers): Found<YesNo> =>
  settleNearest(tiers.mentalHealth, ({ auth }) => (auth === 'Y' ? 'yes' : auth === 'N' ? 'no' : null))

/** By a place of service alone: what a message says is for a person to read. */
export function telehealthIn(benefits: readonly RawBenefit[], tiers: Tiers): Found<YesNo> {
  const types = new Set(['A6', 'CF', 'A8', 'MH', 'A4'])
  const lines = benefits.filter(
    ({ places, stc, procedure }) =>
      telehealthPlaces.some((place) => places.includes(place)) && (procedure !== null || stc.some((type) => types.has(type))),
  )
  const mine = lines.filter((line) => line.procedure === null || tiers.mentalHealth[0]?.includes(line))
  return settle(mine, ({ eb }) => (active.has(eb) ? 'yes' : excluded.has(eb) ? 'no' : null))
}
