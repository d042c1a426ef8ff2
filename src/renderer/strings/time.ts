import { locale } from './locale.ts'
import { messages } from './messages.ts'

const pad = (value: number): string => String(value).padStart(2, '0')

const written = (at: string | Date, options: Intl.DateTimeFormatOptions): string => new Date(at).toLocaleString(locale(), options)

const clock = { hour: 'numeric', minute: '2-digit' } as const
const dayOfYear = { day: 'numeric', month: 'long' } as const

/** For example "2:03 PM". */
export const formatClock = (at: string | Date): string => written(at, clock)

/** For example "2:00 – 2:50 PM". */
export const formatClocks = (from: string | Date, to: string | Date): string =>
  new Intl.DateTimeFormat(locale(), clock).formatRange(new Date(from), new Date(to))

/** For example "2:03 PM" for `14:03`. */
export const formatClockValue = (value: string): string => formatClock(`2026-01-01T${value}`)

/** For example "2 PM". */
export const formatHour = (hour: number): string => written(new Date(2026, 0, 1, hour), { hour: 'numeric' })

/** For example "2:03 PM"; null for a time that is unknown, past, or less than a minute away. */
export const untilClock = (at: string | null, now: Date): string | null =>
  at === null || Date.parse(at) - now.getTime() < 60_000 ? null : formatClock(at)

const dateOptions = (at: Date, now: Date): Intl.DateTimeFormatOptions =>
  at.getFullYear() === now.getFullYear() ? dayOfYear : { ...dayOfYear, year: 'numeric' }

export const formatDate = (at: string | Date, now: Date = new Date()): string => written(at, dateOptions(new Date(at), now))

/** For example "November 22 – 28". */
export const formatDates = (first: Date, last: Date, now: Date): string =>
  new Intl.DateTimeFormat(locale(), { ...dateOptions(first, now), ...dateOptions(last, now) }).formatRange(first, last)

/** For example "November 24, 2026", always with the year. */
export const formatFullDate = (at: string | Date): string => written(at, { ...dayOfYear, year: 'numeric' })

/** For example "Tuesday, November 24". */
export const formatDayAndDate = (at: string | Date): string => written(at, { weekday: 'long', ...dayOfYear })

/** For example "Nov 24", or "Nov" for a month. */
export const formatShortDate = (at: string | Date, by: 'day' | 'month'): string =>
  written(at, { month: 'short', ...(by === 'day' ? { day: 'numeric' } : {}) })

export const formatWeekday = (at: string | Date, length: 'long' | 'short' = 'long'): string => written(at, { weekday: length })

export const formatMonth = (at: string | Date): string => written(at, { month: 'long', year: 'numeric' })

/** Counts calendar days, not periods of 24 hours: -1 is yesterday. */
export function daysFromNow(at: string | Date, now: Date = new Date()): number {
  const day = (date: Date): number => Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000)
  return day(new Date(at)) - day(now)
}

export function formatDay(at: string | Date, now: Date = new Date()): string {
  const days = daysFromNow(at, now)
  if (Math.abs(days) <= 1) return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(days, 'day')
  if (Math.abs(days) < 7) return formatWeekday(at)
  return formatDate(at, now)
}

export function formatDayTime(at: string | Date, now: Date = new Date()): string {
  const day = formatDay(at, now)
  return /\p{Nd}/u.test(day) ? `${day}, ${formatClock(at)}` : `${day} ${formatClock(at)}`
}

function partsOf(milliseconds: number): Readonly<Record<'hours' | 'minutes' | 'seconds', number>> {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000)
  return { hours: Math.floor(seconds / 3600), minutes: Math.floor(seconds / 60) % 60, seconds: seconds % 60 }
}

/** For example "1 min 27 s", "48 min", "1 h 5 min" or "12 s". */
export const formatLength = (milliseconds: number): string => messages.time.length(partsOf(milliseconds))

export function formatSpokenLength(milliseconds: number): string {
  const { hours, minutes, seconds } = partsOf(milliseconds)
  return messages.time.spokenLength({ minutes: hours * 60 + minutes, seconds })
}

export const formatTimer = (milliseconds: number): string => Object.values(partsOf(milliseconds)).map(pad).join(':')

export function formatMoment(milliseconds: number): string {
  const { hours, minutes, seconds } = partsOf(milliseconds)
  return `${hours === 0 ? '' : `${hours}:`}${pad(minutes)}:${pad(seconds)}`
}

export const formatNumber = (value: number, decimals = 0): string =>
  value.toLocaleString(locale(), { minimumFractionDigits: decimals, maximumFractionDigits: decimals })

export function formatBytes(bytes: number): string {
  const { size } = messages
  if (bytes < 1000) return size.bytes({ size: bytes })
  if (bytes < 1_000_000) return size.kilobytes({ size: Math.round(bytes / 1000) })
  if (bytes < 1_000_000_000) return size.megabytes({ size: String(Math.round(bytes / 1_000_000)) })
  return size.gigabytes({ size: formatNumber(bytes / 1_000_000_000, 1) })
}
