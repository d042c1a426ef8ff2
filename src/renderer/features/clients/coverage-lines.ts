import type { StoredCoverage } from '#contract/model/coverage.ts'
import { coverageStrings, authorisationStrings } from '#renderer/strings/coverage.ts'
import type { messages } from '#renderer/strings/messages.ts'
import { formatFullDate, daysFromNow, formatClock, formatDate, formatDay } from '#renderer/strings/time.ts'
import { listOfNames } from '#renderer/strings/lists.ts'
import type { AuthorisationDraft } from '#contract/model/payer.ts'
import { type Wrong, wrongOf } from '#renderer/lib/use-form.ts'

const words = coverageStrings.lines
const dialogWords = authorisationStrings.dialog

export interface SaidLine {
  readonly label: string
  readonly value: string | null
  readonly where: string
  /** True if the payer's statements contradict each other. `value` then lists all of them. */
  readonly isUnclear: boolean
}

type Costs = Pick<StoredCoverage['mental_health'], 'copay' | 'coinsurance_percent'>

export function linesOf(said: StoredCoverage): SaidLine[] {
  const { mental_health, plan } = said
  const line = (label: string, value: string | null, ...paths: string[]): SaidLine => readLine(said, label, value, paths)
  const share = mental_health.coinsurance_percent
  const lines = [
    line(words.copay, mental_health.copay && money(mental_health.copay.amount, true), 'mental_health.copay'),
    line(words.deductible, ...limitOf(said, 'deductible', (left, total) => words.of({ left, total }))),
    line(words.most, ...limitOf(said, 'out_of_pocket', (left, total) => words.leftOf({ left, total }))),
    ...otherSides(said),
    line(words.plan, planOf(plan), 'plan.name', 'plan.type', 'plan.period'),
  ]
  if (share === null && conflictAt(said, 'mental_health.coinsurance_percent') === undefined) return lines
  const coinsurance = line(words.coinsurance, share && words.share({ percent: share }), 'mental_health.coinsurance_percent')
  return lines.toSpliced(1, 0, coinsurance)
}

function otherSides(said: StoredCoverage): SaidLine[] {
  return (said.alternatives ?? []).map((other) => {
    const rows = [...new Set(['copay', 'coinsurance_percent'].flatMap((field) => other.basis[field] ?? []))]
    return readLine(said, words[other.network], costsOf(other), [`alternatives.${other.network}`], rows)
  })
}

function costsOf({ copay, coinsurance_percent }: Costs): string | null {
  const parts = [
    copay && words.copayAlone({ amount: money(copay.amount) }),
    coinsurance_percent !== null && words.share({ percent: coinsurance_percent }),
  ]
  return parts.filter(Boolean).join(', ') || null
}

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
  if (remaining !== null)
    return [total === null ? words.leftAlone({ left: money(remaining) }) : both(money(remaining), money(total)), path]
  return [total === null ? null : words.totalAlone({ total: money(total) }), path]
}

function planOf(plan: StoredCoverage['plan']): string | null {
  const name = plan?.name ?? plan?.type ?? null
  const end = plan?.period.end ?? null
  return [name, end && words.until({ day: formatFullDate(localDay(end)) })].filter(Boolean).join(', ') || null
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

const rowsUnder = ({ basis = {} }: StoredCoverage, path: string): string[] =>
  Object.entries(basis).flatMap(([field, cited]) => (isUnder(field, path) ? cited : []))

export const conflictAt = ({ conflicts = [] }: StoredCoverage, path: string) =>
  conflicts.find(({ field }) => isUnder(field, path))

function aboutRow({ benefits }: StoredCoverage, row: string | undefined): string {
  const found = benefits.find((benefit) => benefit.row === row)
  if (found === undefined) return ''
  const network = words.network({ network: found.in_network ?? '' })
  const level = words.level({ level: found.level ?? '' })
  return [network, level, found.messages[0]?.toLowerCase()].filter(Boolean).join(', ')
}

/** A check without an answer must not hide an earlier answer. */
const isAnswer = ({ status, benefits }: StoredCoverage): boolean =>
  status !== 'payer_unavailable' && (status !== 'unknown' || benefits.length > 0)

export const shownOf = (checks: readonly StoredCoverage[]): StoredCoverage | null => checks.find(isAnswer) ?? checks[0] ?? null

export function money(amount: string, withCents = false): string {
  const [whole = '0', cents = '00'] = amount.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return cents === '00' && !withCents ? `$${grouped}` : `$${grouped}.${cents}`
}

export const localDay = (date: string): string => `${date}T12:00:00`

export function spokenWhen(at: string, now: Date): string {
  const away = Math.abs(daysFromNow(at, now))
  const form = away <= 1 ? 'relative' : away < 7 ? 'weekday' : 'date'
  return coverageStrings.when({ form, day: formatDay(at, now), time: formatClock(at) })
}

export function headlineOf(said: StoredCoverage, name: string): string {
  const { headline } = coverageStrings
  const { status, mental_health, patient_estimate, payer } = said
  if (status === 'inactive') return headline.inactive({ name })
  if (status === 'not_found') return headline.notFound({ name, payer: payer.name })
  if (status === 'payer_unavailable') return headline.unavailable({ payer: payer.name })
  if (status === 'unknown') return headline.unknown({ name, payer: payer.name })
  if (mental_health.covered === 'no') return headline.notTherapy({ name })
  if (mental_health.covered === 'unknown') return headline.therapyUnknown({ name })
  if (mental_health.visit_limit?.remaining === 0) return headline.noneLeft({ name })
  return patient_estimate === null
    ? headline.covered({ name })
    : headline.coveredPays({ name, amount: money(patient_estimate.amount) })
}

export function leadOf(said: StoredCoverage, now: Date): string {
  const { status, checked_at, service_date, mental_health, patient_estimate, payer } = said
  const when = spokenWhen(checked_at, now)
  if (status === 'payer_unavailable') return `${coverageStrings.lead.tried({ when })}.`
  const day = service_date == null ? '' : coverageStrings.lead.day({ day: formatDate(localDay(service_date), now) })
  const parts = [
    `${coverageStrings.lead.said({ payer: payer.name, when })}${day}${coverageStrings.lead.network[mental_health.network]}.`,
  ]
  if (status !== 'active') return parts.join(' ')
  if (patient_estimate === null) parts.push(coverageStrings.notForThis)
  else if (patient_estimate.confidence === 'inferred')
    parts.push(coverageStrings.inferred({ lines: rowsNamed(patient_estimate.basis).toLowerCase() }))
  return [...parts, coverageStrings.notPromise].join(' ')
}

export function sentenceOf(said: StoredCoverage, { coverage: { sentence } }: typeof messages): string | null {
  const { status, source, mental_health, patient_estimate } = said
  if (status !== 'active' || source === 'sandbox' || mental_health.covered !== 'yes') return null
  const limit = mental_health.visit_limit
  const parts = [patient_estimate === null ? sentence.covered : sentence.pays({ amount: money(patient_estimate.amount) })]
  if (limit !== null && limit.remaining !== null) parts.push(sentence.visits({ left: limit.remaining, period: limit.period }))
  return [...parts, sentence.last].join(' ')
}

export function outcomeOf({ status, mental_health }: StoredCoverage): string {
  const { checks } = coverageStrings
  if (status !== 'active') return checks.outcome[status]
  if (mental_health.covered === 'no') return checks.notTherapy
  if (mental_health.covered === 'unknown') return checks.therapyUnknown
  const left = mental_health.visit_limit?.remaining ?? null
  return left === null ? checks.outcome.active : `${checks.outcome.active} ${checks.visits({ left })}`
}

export function rowsNamed(rows: readonly string[]): string {
  const numbers = rows.map((row) => row.replace(/^EB#/, ''))
  return coverageStrings.lines.row({ numbers: listOfNames(numbers), count: numbers.length })
}

type ApprovalFields = typeof emptyApproval

export const emptyApproval = {
  number: '',
  visits_approved: '',
  visits_used_before: '',
  starts_on: '',
  ends_on: '',
  cpt_codes: '',
}

export function wrongApproval(fields: ApprovalFields): Wrong<ApprovalFields> {
  const { number, visits_approved, visits_used_before, starts_on, ends_on } = fields
  return wrongOf({
    number: number.trim() === '' && dialogWords.numberMissing,
    visits_approved: !isCount(visits_approved, 1) && dialogWords.countWrong,
    visits_used_before: !isCount(visits_used_before, 0) && dialogWords.countWrong,
    starts_on: starts_on === '' && dialogWords.startsMissing,
    ends_on: ends_on !== '' && ends_on < starts_on && dialogWords.endsWrong,
    cpt_codes: codesOf(fields).some((code) => !/^[A-Z0-9]{5}$/.test(code)) && dialogWords.codesWrong,
  })
}

function isCount(text: string, least: number): boolean {
  if (text.trim() === '') return true
  return /^\d{1,5}$/.test(text.trim()) && Number(text) >= least && Number(text) <= 10_000
}

export function draftOf(fields: ApprovalFields): Omit<AuthorisationDraft, 'client_id' | 'payer_id'> {
  const { number, visits_approved, visits_used_before, starts_on, ends_on } = fields
  return {
    number: number.trim(),
    visits_approved: visits_approved.trim() === '' ? null : Number(visits_approved),
    visits_used_before: Number(visits_used_before),
    starts_on,
    ends_on: ends_on === '' ? null : ends_on,
    cpt_codes: codesOf(fields),
    cancelled: false,
  }
}

const codesOf = ({ cpt_codes }: ApprovalFields): string[] =>
  cpt_codes
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== '')
