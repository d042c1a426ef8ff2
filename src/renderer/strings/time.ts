import { messages } from './messages.ts'

const pad = (value: number): string => String(value).padStart(2, '0')

const locale = 'en-GB'

export const formatClock = (at: string | Date): string => new Date(at).toTimeString().slice(0, 5)

/** For example "14:03"; null for a time that is unknown, past, or less than a minute away. */
export const untilClock = (at: string | null, now: Date): string | null =>
  at === null || Date.parse(at) - now.getTime() < 60_000 ? null : formatClock(at)

export function formatDate(at: string | Date, now: Date = new Date()): string {
  const date = new Date(at)
  const isThisYear = date.getFullYear() === now.getFullYear()
  return date.toLocaleDateString(locale, { day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) })
}

export const formatFullDate = (at: string | Date): string =>
  new Date(at).toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric' })

export function formatDayAndDate(at: string | Date): string {
  const date = new Date(at)
  return `${date.toLocaleDateString(locale, { weekday: 'long' })}, ${date.toLocaleDateString(locale, { day: 'numeric', month: 'long' })}`
}

export const formatMonth = (at: string | Date): string =>
  new Date(at).toLocaleDateString(locale, { month: 'long', year: 'numeric' })

/** Counts calendar days, not periods of 24 hours: -1 is yesterday. */
export function daysFromNow(at: string | Date, now: Date = new Date()): number {
  const day = (date: Date): number => Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000)
  return day(new Date(at)) - day(now)
}

export function formatDay(at: string | Date, now: Date = new Date()): string {
  const days = daysFromNow(at, now)
  if (Math.abs(days) <= 1) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day')
  if (Math.abs(days) < 7) return new Date(at).toLocaleDateString(locale, { weekday: 'long' })
  return formatDate(at, now)
}

export function formatDayTime(at: string | Date, now: Date = new Date()): string {
  const day = formatDay(at, now)
  return /\d/.test(day) ? `${day}, ${formatClock(at)}` : `${day} ${formatClock(at)}`
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

export function formatBytes(bytes: number): string {
  const { size } = messages
  if (bytes < 1000) return size.bytes({ size: bytes })
  if (bytes < 1_000_000) return size.kilobytes({ size: Math.round(bytes / 1000) })
  if (bytes < 1_000_000_000) return size.megabytes({ size: String(Math.round(bytes / 1_000_000)) })
  return size.gigabytes({ size: (bytes / 1_000_000_000).toFixed(1) })
}
