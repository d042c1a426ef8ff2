const pad = (value: number, width = 2): string => String(value).padStart(width, '0')

const locale = 'en-GB'

export function formatClock(at: string | Date): string {
  const date = new Date(at)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** "14:03", or null if there is no such time or if it is less than a minute away. */
export function untilClock(at: string | null, now: Date): string | null {
  return at === null || Date.parse(at) - now.getTime() < 60_000 ? null : formatClock(at)
}

export function formatDate(at: string | Date, now: Date = new Date()): string {
  const date = new Date(at)
  const isThisYear = date.getFullYear() === now.getFullYear()
  return date.toLocaleDateString(locale, { day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) })
}

/** "24 November 2026", always with the year. */
export function formatFullDate(at: string | Date): string {
  return new Date(at).toLocaleDateString(locale, { day: 'numeric', month: 'long', year: 'numeric' })
}

export function formatDayAndDate(at: string | Date): string {
  const date = new Date(at)
  return `${date.toLocaleDateString(locale, { weekday: 'long' })}, ${date.toLocaleDateString(locale, { day: 'numeric', month: 'long' })}`
}

export function formatMonth(at: string | Date): string {
  return new Date(at).toLocaleDateString(locale, { month: 'long', year: 'numeric' })
}

/** Counts calendar days, not periods of 24 hours: -1 is yesterday. */
export function daysFromNow(at: string | Date, now: Date = new Date()): number {
  const day = (date: Date): number => Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000)
  return day(new Date(at)) - day(now)
}

export function formatDay(at: string | Date, now: Date = new Date()): string {
  const days = daysFromNow(at, now)
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days === -1) return 'yesterday'
  if (Math.abs(days) < 7) return new Date(at).toLocaleDateString(locale, { weekday: 'long' })
  return formatDate(at, now)
}

export function formatDayTime(at: string | Date, now: Date = new Date()): string {
  const day = formatDay(at, now)
  return /\d/.test(day) ? `${day}, ${formatClock(at)}` : `${day} ${formatClock(at)}`
}

/** "1 min 27 s", "48 min", "1 h 5 min", "12 s". Rounded down, so that a length is never overstated. */
export function formatLength(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60) % 60
  const rest = seconds % 60
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
  if (minutes === 0) return `${rest} s`
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}

export function formatSpokenLength(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000)
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  if (minutes === 0) return rest === 1 ? '1 second' : `${rest} seconds`
  const words = minutes === 1 ? '1 minute' : `${minutes} minutes`
  return rest === 0 ? words : `${words} ${rest}`
}

export function formatTimer(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000)
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
}

export function formatMoment(milliseconds: number): string {
  const seconds = Math.floor(Math.max(0, milliseconds) / 1000)
  const hours = Math.floor(seconds / 3600)
  const rest = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
  return hours === 0 ? rest : `${hours}:${rest}`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`
  if (bytes < 1_000_000_000) return `${Math.round(bytes / 1_000_000)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}

/** `YYYY-MM-DD` in local time, for date fields. */
export function localDateValue(at: Date): string {
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
}

export function localTimeValue(at: Date): string {
  return formatClock(at)
}

export function fromLocalValues(date: string, time: string): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)
  const clock = /^(\d{1,2}):(\d{2})$/.exec(time)
  if (!match || !clock) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const at = new Date(year, month - 1, day, Number(clock[1]), Number(clock[2]))
  return at.getMonth() === month - 1 && at.getDate() === day && at.getHours() === Number(clock[1]) ? at : null
}
