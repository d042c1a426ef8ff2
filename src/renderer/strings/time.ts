/** Times and lengths as the product writes them: 14:02 · 24 November · 1 min 27 s · 00:12:31. */

const pad = (value: number, width = 2): string => String(value).padStart(width, '0')

/** One place for the language, until the strings speak others. */
const locale = 'en-GB'

export function formatClock(at: string | Date): string {
  const date = new Date(at)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** "14:03" for a time to wait for; null where there is none, or it is a matter of seconds. */
export function untilClock(at: string | null, now: Date): string | null {
  return at === null || Date.parse(at) - now.getTime() < 60_000 ? null : formatClock(at)
}

/** "24 November"; with the year where it is not this one. */
export function formatDate(at: string | Date, now: Date = new Date()): string {
  const date = new Date(at)
  const isThisYear = date.getFullYear() === now.getFullYear()
  return date.toLocaleDateString(locale, { day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) })
}

/** "24 November 2026": for paper, which is read in another year. */
export function formatFullDate(at: string | Date): string {
  return new Date(at).toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric' })
}

/** "Tuesday, 24 November". */
export function formatDayAndDate(at: string | Date): string {
  const date = new Date(at)
  return `${date.toLocaleDateString(locale, { weekday: 'long' })}, ${date.toLocaleDateString(locale, { day: 'numeric', month: 'long' })}`
}

export function formatMonth(at: string | Date): string {
  return new Date(at).toLocaleDateString(locale, { month: 'long', year: 'numeric' })
}

/** Whole days from `now` to `at` by the calendar, not by 24 hours: -1 is yesterday. */
export function daysFromNow(at: string | Date, now: Date = new Date()): number {
  const day = (date: Date): number => Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000)
  return day(new Date(at)) - day(now)
}

/** "today", "tomorrow", "yesterday", a weekday within six days ahead or behind, else the date. */
export function formatDay(at: string | Date, now: Date = new Date()): string {
  const days = daysFromNow(at, now)
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days === -1) return 'yesterday'
  if (Math.abs(days) < 7) return new Date(at).toLocaleDateString(locale, { weekday: 'long' })
  return formatDate(at, now)
}

/** "today 14:00", "Friday 15:00", "24 November, 15:00". */
export function formatDayTime(at: string | Date, now: Date = new Date()): string {
  const day = formatDay(at, now)
  return /\d/.test(day) ? `${day}, ${formatClock(at)}` : `${day} ${formatClock(at)}`
}

/** "1 min 27 s", "48 min", "1 h 5 min", "12 s". Rounded down: nothing is claimed that is not there. */
export function formatLength(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  const rest = seconds % 60
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
  if (minutes === 0) return `${rest} s`
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}

/** "5 minutes 26", as a screen reader should say a position. */
export function formatSpokenLength(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000)
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  if (minutes === 0) return rest === 1 ? '1 second' : `${rest} seconds`
  const words = minutes === 1 ? '1 minute' : `${minutes} minutes`
  return rest === 0 ? words : `${words} ${rest}`
}

/** "00:12:31". */
export function formatTimer(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000)
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
}

/** "12:15" or "1:02:15", a moment of a recording. */
export function formatMoment(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000)
  const hours = Math.floor(seconds / 3600)
  const rest = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
  return hours === 0 ? rest : `${hours}:${rest}`
}

/** "14 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  if (bytes < 1_000_000_000) return `${Math.round(bytes / 1_000_000)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}

/** `YYYY-MM-DD` and `HH:MM` of the local clock, for date and time fields. */
export function localDateValue(at: Date): string {
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
}

export function localTimeValue(at: Date): string {
  return formatClock(at)
}

/** Null where the two do not name a moment. */
export function fromLocalValues(date: string, time: string): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)
  const clock = /^(\d{1,2}):(\d{2})$/.exec(time)
  if (!match || !clock) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const at = new Date(year, month - 1, day, Number(clock[1]), Number(clock[2]))
  return at.getMonth() === month - 1 && at.getDate() === day && at.getHours() === Number(clock[1]) ? at : null
}
