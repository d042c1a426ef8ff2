import type { Benefit, Coverage } from '#contract/model/coverage.ts'
import type { EligibilityRaw, RawBenefit } from '../port.ts'
import type { Keep } from './costs.ts'
import { costsIn } from './costs.ts'
import { estimateOf } from './estimate.ts'
import { rowName } from './found.ts'
import { planIn, statusIn } from './plan.ts'
import { errorsOf, isNotFound, isOutage } from './refusals.ts'
import type { Asked, Network, Tiers } from './relevant.ts'
import { holdsIn, onSide, tiersOf, within } from './relevant.ts'
import { authorizationIn, coveredIn, telehealthIn, visitLimitIn } from './visits.ts'

/** What the lines of an answer say, put where people look for it. */
export type ReadCoverage = Pick<
  Coverage,
  'status' | 'plan' | 'mental_health' | 'patient_estimate' | 'alternatives' | 'basis' | 'conflicts' | 'benefits' | 'errors'
>

/** Every value cites its lines; lines that disagree are all listed and none is picked; what nobody said is null or unknown. */
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

/** The side that was asked for; without a wish the inside, where any line speaks of it. */
function networkOf(tiers: Tiers, { network }: Asked): Network | 'unknown' {
  const lines = [...tiers.mentalHealth, ...tiers.officeVisit, ...tiers.wholePlan].flat()
  const isSpokenOf = (side: Network): boolean => lines.some((line) => holdsIn(line, side))
  if (network !== 'auto') return isSpokenOf(network) ? network : 'unknown'
  return isSpokenOf('in') ? 'in' : isSpokenOf('out') ? 'out' : 'unknown'
}

/** What was said of the other side. A line that names no side is not said of it. */
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
