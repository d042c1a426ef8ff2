import type { Coverage } from '#contract/model/coverage.ts'
import type { RawBenefit } from '../port.ts'
import { amountOf, percentOf } from './decimals.ts'
import type { Found } from './found.ts'
import { settleNearest } from './found.ts'
import type { Tiers } from './relevant.ts'
import { isIndividual } from './relevant.ts'

type Levels = Coverage['mental_health']['deductible']
export type Costs = Pick<Coverage['mental_health'], 'copay' | 'coinsurance_percent' | 'deductible' | 'out_of_pocket'>
/** Takes a value for its place, keeping its lines. */
export type Keep = <Value>(field: string, found: Found<Value>) => Value | null

/** EB06: a visit, a day, an episode; or nothing, which is a visit too. */
const perVisit = new Set([null, '27', '7', '26'])
/** Years of one kind or another, and contracts. */
const wholePeriods = new Set([null, '21', '22', '23', '25'])
const remaining = '29'

/** What a visit costs the patient, as far as these lines say. Nothing said is null, and never nought. */
export function costsIn(tiers: Tiers, keep: Keep): Costs {
  const copay = keep('copay', copayIn(tiers.mentalHealth))
  return {
    copay: copay === null ? null : { amount: copay, currency: 'USD' },
    coinsurance_percent: keep('coinsurance_percent', settleNearest(tiers.mentalHealth, percentIn)),
    deductible: levelsIn('C', 'deductible', tiers, keep),
    out_of_pocket: levelsIn('G', 'out_of_pocket', tiers, keep),
  }
}

export const copayIn = (tiers: readonly (readonly RawBenefit[])[]): Found<string> =>
  settleNearest(
    tiers.map((tier) => tier.filter(isIndividual)),
    (benefit) => (benefit.eb === 'B' && perVisit.has(benefit.time) ? amountOf(benefit.amount) : null),
  )

const percentIn = (benefit: RawBenefit): string | null =>
  benefit.eb === 'A' && isIndividual(benefit) ? percentOf(benefit.percent) : null

/** Of mental health where the plan has one of its own for it, else of the plan. */
function levelsIn(eb: string, field: string, tiers: Tiers, keep: Keep): Levels {
  const nearest = [...tiers.mentalHealth, ...tiers.wholePlan]
  const limit = (who: 'individual' | 'family', is: (benefit: RawBenefit) => boolean) => {
    const read = (isTime: (time: string | null) => boolean) => (benefit: RawBenefit) =>
      benefit.eb === eb && is(benefit) && isTime(benefit.time) ? amountOf(benefit.amount) : null
    const total = keep(
      `${field}.${who}.total`,
      settleNearest(
        nearest,
        read((time) => wholePeriods.has(time)),
      ),
    )
    const left = keep(
      `${field}.${who}.remaining`,
      settleNearest(
        nearest,
        read((time) => time === remaining),
      ),
    )
    return total === null && left === null ? null : { total, remaining: left }
  }
  const individual = limit('individual', isIndividual)
  const family = limit('family', ({ level }) => level === 'FAM')
  return individual === null && family === null ? null : { individual, family }
}
