import { CalendarDate, getDayOfWeek, isWeekend } from '@internationalized/date'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { midnight } from '#renderer/lib/use-now.ts'
import { isOff } from '#renderer/sessions/session-status.ts'
import { locale } from '#renderer/strings/locale.ts'

export const QUARTER = 0.25
export const HALF = 0.5
/** Where a day without appointments begins for most people. */
export const USUAL_START = 9
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

export const calendarViews = ['day', 'work_week', 'week', 'month'] as const
export type CalendarView = (typeof calendarViews)[number]

const calendarDate = (at: Date): CalendarDate => new CalendarDate(at.getFullYear(), at.getMonth() + 1, at.getDate())

export const startOfWeek = (at: Date): Date => midnight(at, -getDayOfWeek(calendarDate(at), locale()))

export const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString()

/** The days that a view reads. A month is read in whole weeks. */
export function rangeOf(view: CalendarView, date: Date): { readonly first: Date; readonly count: number } {
  if (view === 'day') return { first: midnight(date), count: 1 }
  if (view !== 'month') return { first: startOfWeek(date), count: 7 }
  const first = startOfWeek(new Date(date.getFullYear(), date.getMonth(), 1))
  const end = new Date(date.getFullYear(), date.getMonth() + 1, 1)
  return { first, count: Math.ceil(Math.round((end.getTime() - first.getTime()) / DAY_MS) / 7) * 7 }
}

export function stepped(view: CalendarView, date: Date, by: 1 | -1): Date {
  if (view === 'month') return new Date(date.getFullYear(), date.getMonth() + by, 1)
  return midnight(date, view === 'day' ? by : by * 7)
}

/** Clock times in hours since midnight. */
export type Stretch = Readonly<{ from: number; to: number }>

export type PlacedRow = Stretch & Readonly<{ row: SessionRow; lane: number; lanes: number; isClashing: boolean }>

/** A weekend day without appointments is narrow. */
export type CalendarDay = Readonly<{ date: Date; placed: readonly PlacedRow[]; isNarrow: boolean }>

export function daysOf(first: Date, count: number, rows: readonly SessionRow[]): CalendarDay[] {
  return Array.from({ length: count }, (_, index) => {
    const date = midnight(first, index)
    const own = rows.filter(({ session }) => isSameDay(new Date(session.starts_at), date))
    return { date, placed: place(own), isNarrow: own.length === 0 && isWeekend(calendarDate(date), locale()) }
  })
}

/** Clock time in hours, so that days with a time change have the same rows as other days. */
export const clockHours = (at: Date): number => at.getHours() + at.getMinutes() / 60

export const atClock = (date: Date, hours: number): Date =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate(), 0, Math.round(hours * 60))

function place(rows: readonly SessionRow[]): PlacedRow[] {
  const sorted = rows.toSorted((left, right) => Date.parse(left.session.starts_at) - Date.parse(right.session.starts_at))
  return groupsOf(sorted).flatMap((group) => {
    const ends: number[] = []
    const laned = group.map((row) => {
      const start = Date.parse(row.session.starts_at)
      const free = ends.findIndex((end) => end <= start)
      const lane = free === -1 ? ends.length : free
      ends[lane] = Date.parse(row.session.ends_at)
      return { row, lane }
    })
    return laned.map(({ row, lane }) => {
      const from = clockHours(new Date(row.session.starts_at))
      const to = from + (Date.parse(row.session.ends_at) - Date.parse(row.session.starts_at)) / HOUR_MS
      return { row, from, to, lane, lanes: ends.length, isClashing: group.some((other) => clash(row, other)) }
    })
  })
}

function groupsOf(sorted: readonly SessionRow[]): SessionRow[][] {
  const groups: SessionRow[][] = []
  let until = -Infinity
  for (const row of sorted) {
    if (Date.parse(row.session.starts_at) < until) groups.at(-1)!.push(row)
    else groups.push([row])
    until = Math.max(until, Date.parse(row.session.ends_at))
  }
  return groups
}

const takesTime = (row: SessionRow): boolean => !isOff(row) && row.session.status !== 'completed'

function clash(left: SessionRow, right: SessionRow): boolean {
  if (left.session.id === right.session.id || !takesTime(left) || !takesTime(right)) return false
  return left.session.starts_at < right.session.ends_at && right.session.starts_at < left.session.ends_at
}

export function clashesIn(rows: readonly SessionRow[]): (readonly [SessionRow, SessionRow])[] {
  const byAge = rows.toSorted((left, right) => (left.session.created_at < right.session.created_at ? -1 : 1))
  return byAge.flatMap((first, index) =>
    byAge.slice(index + 1).flatMap((second) => (clash(first, second) ? [[first, second] as const] : [])),
  )
}

const overlaps = (one: Stretch, other: Stretch): boolean => one.from < other.to && one.to > other.from

/** The appointment that keeps appointment `id` from being at that time. */
export const takenBy = ({ placed }: CalendarDay, id: string, time: Stretch): SessionRow | null =>
  placed.find((one) => one.row.session.id !== id && takesTime(one.row) && overlaps(one, time))?.row ?? null

/** The last free start before and the first one after a time that is taken, for an appointment of the same length. */
export function freeStartsNear(day: CalendarDay, id: string, { from, to }: Stretch, hours: Stretch): number[] {
  const last = hours.to - (to - from)
  const starts = stepsIn({ from: hours.from, to: last + QUARTER }, QUARTER).filter(
    (start) => start <= last && takenBy(day, id, { from: start, to: start + to - from }) === null,
  )
  return [starts.findLast((start) => start < from), starts.find((start) => start > from)].filter((start) => start !== undefined)
}

export const stepsIn = ({ from, to }: Stretch, step: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, index) => from + index * step)

/** What the arrow keys stop at: an appointment, or a half hour without one (`row` is null). */
export type CalendarStop = Stretch & { readonly row: SessionRow | null }

export function stopsOf({ placed }: CalendarDay, hours: Stretch): CalendarStop[] {
  const busy = placed.filter(({ row }) => !isOff(row))
  const free = stepsIn(hours, HALF)
    .map((from) => ({ from, to: from + HALF, row: null }))
    .filter((slot) => !busy.some((one) => overlaps(one, slot)))
  return [...placed, ...free].toSorted((left, right) => left.from - right.from)
}

/** The start that a click at that time books: its half hour, or the first quarter hour after the appointments there. */
export function startAt({ placed }: CalendarDay, at: number): number {
  let start = Math.floor(at / HALF) * HALF
  for (const { row, from, to } of placed)
    if (!isOff(row) && from <= start && to > start) start = Math.ceil(to / QUARTER) * QUARTER
  return start
}
