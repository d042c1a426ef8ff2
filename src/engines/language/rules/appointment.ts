import type { DraftSession } from '../port.ts'
import { dayOfMonth } from './numbers.ts'
import { normalise } from './tokens.ts'

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** When and by which clock the session was held. */
export type SessionTime = Pick<DraftSession, 'starts_at' | 'time_zone'>

/** "Tuesday the tenth" after a session on 3 November is "10 November"; null where day and date do not fit together. */
export function appointmentDate(text: string, held: SessionTime): string | null {
  const day = dayOfMonth(text)
  if (day === null) return null
  const start = calendarDay(held.starts_at, held.time_zone)
  if (start === null) return null
  const weekday = days.findIndex((name) => normalise(text).includes(name))
  for (let ahead = 1; ahead <= 62; ahead += 1) {
    const date = new Date(start + ahead * 86_400_000)
    if (date.getUTCDate() !== day) continue
    if (weekday >= 0 && date.getUTCDay() !== weekday) return null
    return `${day} ${months[date.getUTCMonth()]}`
  }
  return null
}

/** The day of the session where it was held, as midnight UTC of that calendar day; null where the instant is none. */
function calendarDay(startsAt: string, timeZone: string): number | null {
  const instant = new Date(startsAt)
  if (Number.isNaN(instant.getTime())) return null
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: knownZone(timeZone),
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
    .formatToParts(instant)
    .map(({ type, value }) => [type, Number(value)] as const)
  const { year = 0, month = 1, day = 1 } = Object.fromEntries(parts) as Partial<Record<string, number>>
  return Date.UTC(year, month - 1, day)
}

/** A zone that this machine does not know is counted as UTC. */
function knownZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}
