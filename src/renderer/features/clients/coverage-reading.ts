import type { StoredCoverage } from '#contract/model/coverage.ts'
import { coverageStrings as words } from '#renderer/strings/coverage.ts'
import { listOfNames } from '#renderer/strings/plural.ts'
import { daysFromNow, formatClock, formatDate, formatDay } from '#renderer/strings/time.ts'

/** Whether a payer answered at all; a check without an answer hides none that came before. */
const isAnswer = ({ status, benefits }: StoredCoverage): boolean =>
  status !== 'payer_unavailable' && (status !== 'unknown' || benefits.length > 0)

/** The one to show of all checks, newest first. */
export const shownOf = (checks: readonly StoredCoverage[]): StoredCoverage | null => checks.find(isAnswer) ?? checks[0] ?? null

/** "20.00" is $20; cents are written where there are some, or where all of them are asked for. */
export function money(amount: string, withCents = false): string {
  const [whole = '0', cents = '00'] = amount.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return cents === '00' && !withCents ? `$${grouped}` : `$${grouped}.${cents}`
}

export const localDay = (date: string): string => `${date}T12:00:00`

/** "yesterday at 16:12" */
export const spokenWhen = (at: string, now: Date): string =>
  /\d/.test(formatDay(at, now))
    ? `on ${formatDate(at, now)}`
    : `${preposition(at, now)}${formatDay(at, now)} at ${formatClock(at)}`

const preposition = (at: string, now: Date): string => (Math.abs(daysFromNow(at, now)) > 1 ? 'on ' : '')

export function headlineOf(said: StoredCoverage, name: string): string {
  const { headline } = words
  const { status, mental_health, patient_estimate, payer } = said
  if (status === 'inactive') return headline.inactive(name)
  if (status === 'not_found') return headline.notFound(name, payer.name)
  if (status === 'payer_unavailable') return headline.unavailable(payer.name)
  if (status === 'unknown') return headline.unknown(name, payer.name)
  if (mental_health.covered === 'no') return headline.notTherapy(name)
  if (mental_health.covered === 'unknown') return headline.therapyUnknown(name)
  if (mental_health.visit_limit?.remaining === 0) return headline.noneLeft(name)
  return patient_estimate === null ? headline.covered(name) : headline.coveredPays(name, money(patient_estimate.amount))
}

/** Who said it, when, of what; and what it is not. */
export function leadOf(said: StoredCoverage, now: Date): string {
  const { status, checked_at, service_date, mental_health, patient_estimate, payer } = said
  const when = spokenWhen(checked_at, now)
  if (status === 'payer_unavailable') return `${words.lead.tried(when)}.`
  const day = service_date === null || service_date === undefined ? '' : words.lead.day(formatDate(localDay(service_date), now))
  const parts = [`${words.lead.said(payer.name, when)}${day}${words.lead.network[mental_health.network]}.`]
  if (status !== 'active') return parts.join(' ')
  if (patient_estimate === null) parts.push(words.notForThis)
  else if (patient_estimate.confidence === 'inferred') parts.push(words.inferred(rowsNamed(patient_estimate.basis).toLowerCase()))
  return [...parts, words.notPromise].join(' ')
}

/** What may be told to the client; null where nothing is known well enough. */
export function sentenceOf({ status, source, mental_health, patient_estimate }: StoredCoverage): string | null {
  if (status !== 'active' || source === 'sandbox' || mental_health.covered !== 'yes') return null
  const { sentence } = words
  const limit = mental_health.visit_limit
  const parts = [patient_estimate === null ? sentence.covered : sentence.pays(money(patient_estimate.amount))]
  if (limit !== null && limit.remaining !== null) parts.push(sentence.visits(limit.remaining, limit.period))
  return [...parts, sentence.last].join(' ')
}

export function outcomeOf({ status, mental_health }: StoredCoverage): string {
  const { checks } = words
  if (status !== 'active') return checks.outcome[status]
  if (mental_health.covered === 'no') return checks.notTherapy
  if (mental_health.covered === 'unknown') return checks.therapyUnknown
  const left = mental_health.visit_limit?.remaining ?? null
  return left === null ? checks.outcome.active : `${checks.outcome.active} ${checks.visits(left)}`
}

/** "EB#14" is line 14. */
export function rowsNamed(rows: readonly string[]): string {
  const numbers = rows.map((row) => row.replace(/^EB#/, ''))
  return words.lines.row(listOfNames(numbers), numbers.length)
}
