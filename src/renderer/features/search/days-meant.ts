import { foldName } from '#domain/names.ts'
import { searchStrings } from '#renderer/strings/app.ts'
import { locale } from '#renderer/strings/locale.ts'

/** The days a search names, such as "nov 17", "11/17/2026", "yesterday" or "last Tuesday", in the words of the locale. */
export function daysMeant(typed: string, now: Date): Date[] {
  // Words of one or two letters only link, for example "on", or "de" of "17 de noviembre".
  const words = foldName(typed)
    .replace(/^\p{L}{1,2} /u, '')
    .split(/ (?:\p{L}{1,2} )?/u)
  const relative = relativeDay(foldName(typed), now)
  if (relative !== null) return [relative]
  const weekday = weekdayMeant(words, now)
  if (weekday.length > 0) return weekday
  const numbers = words.flatMap((word) => /^(\d{1,4})\p{L}{0,2}$/u.exec(word)?.[1] ?? []).map(Number)
  const names = words.filter((word) => /^\p{L}/u.test(word))
  if (numbers.length + names.length !== words.length || numbers.length > 3) return []
  const month = names.length === 1 ? namedMonth(names[0]!) : -1
  if (month >= 0) return dated(month, numbers[0], numbers[1], now)
  return names.length === 0 && numbers.length >= 2 ? dateInNumbers(numbers, now) : []
}

function relativeDay(typed: string, now: Date): Date | null {
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })
  const days = [-1, 0, 1].find((count) => foldName(format.format(count, 'day')) === typed)
  return days === undefined ? null : dayAt(now, days)
}

/** A weekday alone means the last one, today included, and the next one. */
function weekdayMeant(words: readonly string[], now: Date): Date[] {
  const [last, next] = [foldName(searchStrings.lastDay), foldName(searchStrings.nextDay)]
  const which = words.find((word) => word === last || word === next)
  const [name = '', ...others] = words.filter((word) => word !== which)
  const ahead = Array.from({ length: 7 }, (_, index) => dayAt(now, index + 1))
  const coming = ahead.find((day) => begins(name, written(day, { weekday: 'long' })))
  if (coming === undefined || others.length > 0) return []
  const latest = dayAt(coming, -7)
  if (which === undefined) return [latest, coming]
  if (which === next) return [coming]
  return [latest.getTime() === dayAt(now, 0).getTime() ? dayAt(latest, -7) : latest]
}

const namedMonth = (name: string): number =>
  Array.from({ length: 12 }, (_, index) => written(new Date(2026, index), { month: 'long' })).findIndex((month) =>
    begins(name, month),
  )

function dateInNumbers(numbers: readonly number[], now: Date): Date[] {
  const parts = new Intl.DateTimeFormat(locale()).formatToParts(now).map(({ type }) => type)
  const isIso = numbers[0]! > 31
  const order = isIso ? ['year', 'month', 'day'] : parts.filter((type) => type === 'day' || type === 'month' || type === 'year')
  const given = numbers.length === 3 ? order : order.filter((type) => type !== 'year')
  const part = (type: string): number | undefined => numbers[given.indexOf(type)]
  return dated((part('month') ?? 0) - 1, part('day'), part('year'), now)
}

/** Without a year, the nearest such day is meant. */
function dated(month: number, day: number | undefined, year: number | undefined, now: Date): Date[] {
  if (day === undefined || day < 1 || month < 0 || month > 11) return []
  const near = [0, -1, 1].map((step) => now.getFullYear() + step)
  const years = year === undefined ? near : [year < 100 ? year + 2000 : year]
  const days = years.map((each) => new Date(each, month, day)).filter((date) => date.getMonth() === month)
  const away = (date: Date): number => Math.abs(date.getTime() - now.getTime())
  return days.toSorted((one, other) => away(one) - away(other)).slice(0, 1)
}

const begins = (typed: string, name: string): boolean => typed.length >= 3 && foldName(name).startsWith(typed)
const written = (date: Date, options: Intl.DateTimeFormatOptions): string => date.toLocaleDateString(locale(), options)
const dayAt = (date: Date, days: number): Date => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days)
