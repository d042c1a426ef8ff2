import type { Coverage } from '#contract/model/coverage.ts'
import { copayIn } from './costs.ts'
import type { Tiers } from './relevant.ts'

type MentalHealth = Coverage['mental_health']

const disclaimer = 'not a guarantee of payment'

/**
 * What the patient will likely pay for a visit. Only where the lines leave nothing to guess: a share of a fee that
 * nobody here knows is not an amount.
 */
export function estimateOf(
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
  // Lines about it disagree: no other line settles that.
  if (copayIn(tiers.mentalHealth).conflict !== null) return null
  if (benefits.coinsurance_percent === '0' && benefits.deductible?.individual?.remaining === '0.00') {
    const rows = [...rowsOf('coinsurance_percent'), ...rowsOf('deductible.individual.remaining')]
    return { amount: '0.00', basis: rows, confidence: 'inferred', disclaimer }
  }
  // Parity makes an office visit the likely measure; it is not what the payer said of therapy.
  const visit = copayIn(tiers.officeVisit)
  return visit.value === null || benefits.coinsurance_percent !== null
    ? null
    : { amount: visit.value, basis: [...visit.rows], confidence: 'inferred', disclaimer }
}
