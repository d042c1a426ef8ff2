import type { Coverage } from '#contract/model/coverage.ts'
import type { RawBenefit, EligibilityRaw, RawEntity } from '../port.ts'
import { isIndividual, type TierList, type Tiers } from './relevant.ts'

type Levels = Coverage['mental_health']['deductible']
export type Costs = Pick<Coverage['mental_health'], 'copay' | 'coinsurance_percent' | 'deductible' | 'out_of_pocket'>
export type Keep = <Value>(field: string, found: Found<Value>) => Value | null

/** EB06 codes for visit, day and episode. A missing code counts as visit. */
const perVisit = new Set([null, '27', '7', '26'])
/** EB06 codes for years and contracts. A missing code counts as one of these. */
const wholePeriods = new Set([null, '21', '22', '23', '25'])
export const remaining = '29'

export function costsIn(tiers: Tiers, keep: Keep): Costs {
  const copay = keep('copay', copayIn(tiers.mentalHealth))
  return {
    copay: copay === null ? null : { amount: copay, currency: 'USD' },
    coinsurance_percent: keep('coinsurance_percent', settleNearest(tiers.mentalHealth, percentIn)),
    deductible: levelsIn('C', 'deductible', tiers, keep),
    out_of_pocket: levelsIn('G', 'out_of_pocket', tiers, keep),
  }
}

export const copayIn = (tiers: TierList): Found<string> =>
  settleNearest(
    tiers.map((tier) => tier.filter(isIndividual)),
    (benefit) => (benefit.eb === 'B' && perVisit.has(benefit.time) ? amountOf(benefit.amount) : null),
  )

const percentIn = (benefit: RawBenefit): string | null =>
  benefit.eb === 'A' && isIndividual(benefit) ? percentOf(benefit.percent) : null

function levelsIn(eb: string, field: string, tiers: Tiers, keep: Keep): Levels {
  const nearest = [...tiers.mentalHealth, ...tiers.wholePlan]
  const limit = (who: 'individual' | 'family', is: (benefit: RawBenefit) => boolean) => {
    const amountAt = (part: string, isTime: (time: string | null) => boolean): string | null => {
      const found = settleNearest(nearest, (benefit) =>
        benefit.eb === eb && is(benefit) && isTime(benefit.time) ? amountOf(benefit.amount) : null,
      )
      return keep(`${field}.${who}.${part}`, found)
    }
    const total = amountAt('total', (time) => wholePeriods.has(time))
    const left = amountAt('remaining', (time) => time === remaining)
    return total === null && left === null ? null : { total, remaining: left }
  }
  const individual = limit('individual', isIndividual)
  const family = limit('family', ({ level }) => level === 'FAM')
  return individual === null && family === null ? null : { individual, family }
}

/** Amounts stay decimal strings throughout, so no float rounds them. */
const decimal = /^\+?(\d*)(?:\.(\d*))?$/

export function amountOf(text: string | null): string | null {
  const parts = partsOf(text)
  if (parts === null) return null
  const cents = parts.fraction.padEnd(2, '0')
  return /^0*$/.test(cents.slice(2)) ? `${parts.whole}.${cents.slice(0, 2)}` : null
}

/** EB08 is a fraction: ".2" is 20 percent. Payers also send percentages; values above 1 count as percent. */
export function percentOf(text: string | null): string | null {
  const parts = partsOf(text)
  if (parts === null) return null
  const { whole, fraction } = parts
  const isShare = whole === '0' || (whole === '1' && /^0*$/.test(fraction))
  if (!isShare) return trimmed(whole, fraction)
  const shifted = fraction.padEnd(2, '0')
  return trimmed(whole + shifted.slice(0, 2), shifted.slice(2))
}

export function countOf(text: string | null): number | null {
  const parts = partsOf(text)
  if (parts === null || !/^0*$/.test(parts.fraction) || parts.whole.length > 6) return null
  return Number(parts.whole)
}

function partsOf(text: string | null): { whole: string; fraction: string } | null {
  const match = text === null ? null : decimal.exec(text.trim())
  if (match === null) return null
  const [, whole = '', fraction = ''] = match
  if (whole === '' && fraction === '') return null
  return { whole: whole.replace(/^0+(?=\d)/, '') || '0', fraction }
}

function trimmed(whole: string, fraction: string): string {
  const [left, right] = [whole.replace(/^0+(?=\d)/, ''), fraction.replace(/0+$/, '')]
  return right === '' ? left : `${left}.${right}`
}

export interface Found<Value> {
  readonly value: Value | null
  readonly rows: readonly string[]
  readonly conflict: readonly string[] | null
}

const nothing: Found<never> = { value: null, rows: [], conflict: null }

export const rowName = ({ row }: Pick<RawBenefit, 'row'>): string => `EB#${row}`

/** Combines benefit lines into one value, no value, or a conflict. Does not choose between different values. */
export function settle<Value extends string | number | object>(
  benefits: readonly RawBenefit[],
  read: (benefit: RawBenefit) => Value | null,
): Found<Value> {
  const said = benefits.flatMap((benefit) => {
    const value = read(benefit)
    return value === null ? [] : [{ value, row: rowName(benefit), text: textOf(value) }]
  })
  const [first] = said
  if (first === undefined) return nothing
  const rows = said.map(({ row }) => row)
  const texts = said.map(({ text }) => text)
  return new Set(texts).size === 1 ? { value: first.value, rows, conflict: null } : { value: null, rows, conflict: texts }
}

export function settleNearest<Value extends string | number | object>(
  tiers: TierList,
  read: (benefit: RawBenefit) => Value | null,
): Found<Value> {
  for (const tier of tiers) {
    const found = settle(tier, read)
    if (found.rows.length > 0) return found
  }
  return nothing
}

const textOf = (value: string | number | object): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

type Plan = NonNullable<Coverage['plan']>

/** EB01: 1 to 5 mean active, 6 to 8 inactive. */
export const active = new Set(['1', '2', '3', '4', '5'])
const inactive = new Set(['6', '7', '8'])

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
    name: keep('plan.name', settleNearest(saying, nameOf)),
    type: keep('plan.type', settleNearest(saying, kindOf)),
    group_number: keep('plan.group_number', groupIn(raw, saying)),
    period: { start: periodIn(raw, saying, 'start', keep), end: periodIn(raw, saying, 'end', keep) },
    carve_out: keep('plan.carve_out', carveOutIn(tiers)),
  }
  const { period, ...said } = plan
  return [...Object.values(said), ...Object.values(period)].every((value) => value === null) ? null : plan
}

const nameOf = ({ plan }: RawBenefit): string | null => plan

const kindOf = ({ insurance_type }: RawBenefit): string | null =>
  insurance_type === null ? null : (kinds[insurance_type] ?? insurance_type)

/** REF 6P is the group number, 1L the group or policy number. References outside EB lines have no `rows`. */
function groupIn(raw: EligibilityRaw, saying: TierList): Found<string> {
  for (const qualifier of ['6P', '1L']) {
    const values = new Set(raw.references.filter((reference) => reference.qualifier === qualifier).map(({ value }) => value))
    if (values.size === 1) return { value: [...values][0]!, rows: [], conflict: null }
    if (values.size > 1) return { value: null, rows: [], conflict: [...values] }
    const found = settleNearest(saying, ({ references }) => references.find((one) => one.qualifier === qualifier)?.value ?? null)
    if (found.rows.length > 0) return found
  }
  return nothing
}

/** DTP01: date ranges first (291 plan, 307 eligibility), then begin (346, 356) and end dates (347, 357). */
const spans = ['291', '307']
const days = { start: ['346', '356'], end: ['347', '357'] } as const

function periodIn(raw: EligibilityRaw, saying: TierList, side: 'start' | 'end', keep: Keep): string | null {
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

/** EB01 on mental health lines: U contact the named entity, R other payer, MC managed care coordinator. */
const elsewhere = new Set(['U', 'R', 'MC'])

function carveOutIn(tiers: Tiers): Found<NonNullable<Plan['carve_out']>> {
  const lines = tiers.mentalHealth.flat().filter(({ eb }) => elsewhere.has(eb))
  return settle([...new Set(lines)], ({ entities }) => {
    const named = entities.find((entity): entity is RawEntity & { name: string } => entity.name !== null)
    return named === undefined ? null : { payer_id: named.id, name: named.name, phone: named.phone }
  })
}
