import type { StoredCoverage } from '#contract/model/coverage.ts'
import { coverageStrings } from '#renderer/strings/coverage.ts'
import { formatFullDate } from '#renderer/strings/time.ts'
import { localDay, money, rowsNamed } from './coverage-reading.ts'

const words = coverageStrings.lines

/** One value of an answer, and the lines it was read from. */
export interface SaidLine {
  readonly label: string
  /** Null: the payer did not say it. */
  readonly value: string | null
  readonly where: string
  /** Lines that say different things; none was picked. */
  readonly isUnclear: boolean
}

type Costs = Pick<StoredCoverage['mental_health'], 'copay' | 'coinsurance_percent'>

export function linesOf(said: StoredCoverage): SaidLine[] {
  const { mental_health, plan } = said
  const line = (label: string, value: string | null, ...paths: string[]): SaidLine => readLine(said, label, value, paths)
  const share = mental_health.coinsurance_percent
  const lines = [
    line(words.copay, mental_health.copay && money(mental_health.copay.amount, true), 'mental_health.copay'),
    line(words.deductible, ...limitOf(said, 'deductible', words.of)),
    line(words.most, ...limitOf(said, 'out_of_pocket', words.leftOf)),
    ...otherSides(said),
    line(words.plan, planOf(plan), 'plan.name', 'plan.type', 'plan.period'),
  ]
  if (share === null && conflictAt(said, 'mental_health.coinsurance_percent') === undefined) return lines
  return lines.toSpliced(1, 0, line(words.coinsurance, share && words.share(share), 'mental_health.coinsurance_percent'))
}

function otherSides(said: StoredCoverage): SaidLine[] {
  return (said.alternatives ?? []).map((other) => {
    const rows = [...new Set(['copay', 'coinsurance_percent'].flatMap((field) => other.basis[field] ?? []))]
    return readLine(said, words[other.network], costsOf(other), [`alternatives.${other.network}`], rows)
  })
}

function costsOf({ copay, coinsurance_percent }: Costs): string | null {
  const parts = copay === null ? [] : [words.copayAlone(money(copay.amount))]
  if (coinsurance_percent !== null) parts.push(words.share(coinsurance_percent))
  return parts.length === 0 ? null : parts.join(', ')
}

/** Of the person where anything was said of that, else of the family; with its path. */
function limitOf(
  said: StoredCoverage,
  field: 'deductible' | 'out_of_pocket',
  both: (left: string, total: string) => string,
): [value: string | null, path: string] {
  const levels = said.mental_health[field]
  const own = `mental_health.${field}.individual`
  const isOwn = levels?.individual != null || levels?.family == null || conflictAt(said, own) !== undefined
  const { remaining = null, total = null } = (isOwn ? levels?.individual : levels.family) ?? {}
  const path = isOwn ? own : `mental_health.${field}.family`
  if (remaining !== null) return [total === null ? words.leftAlone(money(remaining)) : both(money(remaining), money(total)), path]
  return [total === null ? null : words.totalAlone(money(total)), path]
}

function planOf(plan: StoredCoverage['plan']): string | null {
  const name = plan?.name ?? plan?.type ?? null
  const end = plan?.period.end ?? null
  const parts = [...(name === null ? [] : [name]), ...(end === null ? [] : [words.until(formatFullDate(localDay(end)))])]
  return parts.length === 0 ? null : parts.join(', ')
}

function readLine(
  said: StoredCoverage,
  label: string,
  value: string | null,
  paths: readonly string[],
  rows: readonly string[] = [...new Set(paths.flatMap((path) => rowsUnder(said, path)))],
): SaidLine {
  const conflict = paths.map((path) => conflictAt(said, path)).find((found) => found !== undefined)
  if (conflict !== undefined)
    return { label, value: conflict.values.map(amountOr).join(words.or), where: rowsNamed(conflict.rows), isUnclear: true }
  if (value === null) return { label, value, where: words.unsaid, isUnclear: false }
  return {
    label,
    value,
    where: [rows.length === 0 ? '' : rowsNamed(rows), aboutRow(said, rows[0])].filter(Boolean).join(' · '),
    isUnclear: false,
  }
}

const amountOr = (value: string): string => (/^\d+\.\d{2}$/.test(value) ? money(value) : value)

const isUnder = (field: string, path: string): boolean => field === path || field.startsWith(`${path}.`)

function rowsUnder({ basis = {} }: StoredCoverage, path: string): string[] {
  return Object.entries(basis).flatMap(([field, cited]) => (isUnder(field, path) ? cited : []))
}

/** Lines that disagree about a value. */
export const conflictAt = ({ conflicts = [] }: StoredCoverage, path: string) =>
  conflicts.find(({ field }) => isUnder(field, path))

/** In network, individual; and what the payer wrote to it. */
function aboutRow({ benefits }: StoredCoverage, row: string | undefined): string {
  const found = benefits.find((benefit) => benefit.row === row)
  if (found === undefined) return ''
  const parts = [words.networks[found.in_network ?? ''], words.levels[found.level ?? ''], found.messages[0]?.toLowerCase()]
  return parts.filter((part) => part !== undefined).join(', ')
}
