import type { Temporal as Kinds } from 'temporal-polyfill'
import { Temporal } from '../schedule/temporal.ts'

type Day = Kinds.PlainDate

/** A run of days and the instants it stands for, milliseconds since 1970; `end` is no part of it. */
export interface Interval {
  /** `YYYY-MM-DD`, both of them in it. */
  readonly from: string
  readonly to: string
  readonly start: number
  readonly end: number
}

export type GroupBy = 'day' | 'week' | 'month'

/** The whole and its parts. Weeks begin on Monday; the first and last part may be cut short. */
export function intervalsOf(from: string, to: string, by: GroupBy, zone: string): { whole: Interval; parts: Interval[] } {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const parts: Interval[] = []
  for (let day = first; Temporal.PlainDate.compare(day, last) <= 0;) {
    const end = earlier(lastDayOf(day, by), last)
    parts.push(intervalOf(day, end, zone))
    day = end.add({ days: 1 })
  }
  return { whole: intervalOf(first, last, zone), parts }
}

/** How many parts there would be, without making them. */
export function partsIn(from: string, to: string, by: GroupBy): number {
  const days = Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days + 1
  return Math.ceil(days / { day: 1, week: 7, month: 28 }[by])
}

/** The part an instant falls into; null outside all of them. They stand in order without a gap. */
export function partAt(parts: readonly Interval[], instant: number): number | null {
  let [low, high] = [0, parts.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const part = parts[middle]!
    if (instant < part.start) high = middle - 1
    else if (instant >= part.end) low = middle + 1
    else return middle
  }
  return null
}

function lastDayOf(day: Day, by: GroupBy): Day {
  if (by === 'day') return day
  return by === 'week' ? day.add({ days: 7 - day.dayOfWeek }) : day.with({ day: day.daysInMonth })
}

/** A day begins with the first moment of it that the zone's clocks show, which is not always midnight. */
function intervalOf(first: Day, last: Day, zone: string): Interval {
  const startOf = (day: Day): number => day.toZonedDateTime({ timeZone: zone }).epochMilliseconds
  return { from: first.toString(), to: last.toString(), start: startOf(first), end: startOf(last.add({ days: 1 })) }
}

const earlier = (left: Day, right: Day): Day => (Temporal.PlainDate.compare(left, right) < 0 ? left : right)
