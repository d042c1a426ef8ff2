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

/** "Tuesday the tenth" after a session on 3 November is "10 November"; null where day and date do not fit together. */
export function appointmentDate(text: string, startsAt: string): string | null {
  const day = dayOfMonth(text)
  if (day === null) return null
  const start = new Date(startsAt)
  if (Number.isNaN(start.getTime())) return null
  const weekday = days.findIndex((name) => normalise(text).includes(name))
  for (let ahead = 1; ahead <= 62; ahead += 1) {
    const date = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate() + ahead))
    if (date.getUTCDate() !== day) continue
    if (weekday >= 0 && date.getUTCDay() !== weekday) return null
    return `${day} ${months[date.getUTCMonth()]}`
  }
  return null
}
