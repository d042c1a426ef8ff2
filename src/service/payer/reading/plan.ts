import type { Coverage } from '#contract/model/coverage.ts'
import type { EligibilityRaw, RawBenefit, RawEntity } from '../port.ts'
import type { Keep } from './costs.ts'
import type { Found } from './found.ts'
import { nothing, settle, settleNearest } from './found.ts'
import type { Tiers } from './relevant.ts'

type Plan = NonNullable<Coverage['plan']>

/** EB01 1 to 5: covered, in one way or another. 6 to 8: not any more, or not yet. */
const active = new Set(['1', '2', '3', '4', '5'])
const inactive = new Set(['6', '7', '8'])

/** EB04, where what it stands for is a kind of plan that people know. */
const kinds: Readonly<Record<string, string>> = {
  PR: 'PPO',
  PS: 'POS',
  HM: 'HMO',
  HN: 'Medicare Advantage HMO',
  EP: 'EPO',
  IN: 'Indemnity',
  MA: 'Medicare Part A',
  MB: 'Medicare Part B',
  MC: 'Medicaid',
  C1: 'Commercial',
  CO: 'COBRA',
  GP: 'Group',
  IP: 'Individual',
}

/** By the plan as a whole; where no line is of that, by any line that says it. */
export function statusIn(benefits: readonly RawBenefit[], tiers: Tiers): Found<'active' | 'inactive'> {
  return settleNearest([...tiers.wholePlan, benefits], ({ eb }) =>
    active.has(eb) ? 'active' : inactive.has(eb) ? 'inactive' : null,
  )
}

export function planIn(raw: EligibilityRaw, tiers: Tiers, keep: Keep): Plan | null {
  const saying = [...tiers.wholePlan, ...tiers.mentalHealth].map((tier) =>
    tier.filter(({ eb }) => active.has(eb) || inactive.has(eb)),
  )
  const plan: Plan = {
    name: keep(
      'plan.name',
      settleNearest(saying, ({ plan: name }) => name),
    ),
    type: keep(
      'plan.type',
      settleNearest(saying, (line) => kindOf(line)),
    ),
    group_number: keep('plan.group_number', groupIn(raw, saying)),
    period: { start: periodIn(raw, saying, 'start', keep), end: periodIn(raw, saying, 'end', keep) },
    carve_out: keep('plan.carve_out', carveOutIn(tiers)),
  }
  const { period, ...said } = plan
  return [...Object.values(said), ...Object.values(period)].every((value) => value === null) ? null : plan
}

const kindOf = ({ insurance_type }: RawBenefit): string | null =>
  insurance_type === null ? null : (kinds[insurance_type] ?? insurance_type)

/** REF 6P names the group, 1L the group or policy. Said of the person it has no line; said under a line it has. */
function groupIn(raw: EligibilityRaw, saying: readonly (readonly RawBenefit[])[]): Found<string> {
  for (const qualifier of ['6P', '1L']) {
    const values = new Set(raw.references.filter((reference) => reference.qualifier === qualifier).map(({ value }) => value))
    if (values.size === 1) return { value: [...values][0]!, rows: [], conflict: null }
    if (values.size > 1) return { value: null, rows: [], conflict: [...values] }
    const found = settleNearest(saying, ({ references }) => references.find((one) => one.qualifier === qualifier)?.value ?? null)
    if (found.rows.length > 0) return found
  }
  return nothing
}

/** Whole spans first (291 plan, 307 eligibility), then days they begin (346, 356) or end (347, 357). */
const spans = ['291', '307']
const days = { start: ['346', '356'], end: ['347', '357'] } as const

function periodIn(
  raw: EligibilityRaw,
  saying: readonly (readonly RawBenefit[])[],
  side: 'start' | 'end',
  keep: Keep,
): string | null {
  const dateIn = (dates: EligibilityRaw['dates']): string | null => {
    for (const qualifier of spans) {
      const span = dates.find((date) => date.qualifier === qualifier && date.end !== null)
      if (span !== undefined) return span[side]
    }
    for (const qualifier of days[side]) {
      const day = dates.find((date) => date.qualifier === qualifier)
      if (day !== undefined) return day.start
    }
    return null
  }
  const ofPerson = dateIn(raw.dates)
  return keep(
    `plan.period.${side}`,
    ofPerson === null ? settleNearest(saying, ({ dates }) => dateIn(dates)) : { value: ofPerson, rows: [], conflict: null },
  )
}

/** U: ask the one named; R: another payer; MC: a managed care coordinator; each said of mental health. */
const elsewhere = new Set(['U', 'R', 'MC'])

function carveOutIn(tiers: Tiers): Found<NonNullable<Plan['carve_out']>> {
  const lines = tiers.mentalHealth.flat().filter(({ eb }) => elsewhere.has(eb))
  return settle([...new Set(lines)], ({ entities }) => {
    const named = entities.find((entity): entity is RawEntity & { name: string } => entity.name !== null)
    return named === undefined ? null : { payer_id: named.id, name: named.name, phone: named.phone }
  })
}
