import { CalendarDate, getDayOfWeek, isWeekend } from '@internationalized/date'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { midnight } from '#renderer/lib/use-now.ts'
import { isOff } from '#renderer/sessions/session-status.ts'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { weekdaySchema } from '#contract/model/availability.ts'
import { localDateValue } from '#renderer/lib/local-values.ts'
import { locale } from '#renderer/strings/locale.ts'

const HOUR_MS = 60 * 60 * 1000

const calendarDate = (at: Date): CalendarDate => new CalendarDate(at.getFullYear(), at.getMonth() + 1, at.getDate())

export const startOfWeek = (at: Date): Date => midnight(at, -getDayOfWeek(calendarDate(at), locale()))

/** Clock times in hours since midnight. */
export type Stretch = Readonly<{ from: number; to: number }>

export type PlacedRow = Stretch & Readonly<{ row: SessionRow; lane: number; lanes: number; isClashing: boolean }>

/** A weekend day without sessions is narrow. */
export type WeekDay = Readonly<{ date: Date; placed: readonly PlacedRow[]; isNarrow: boolean }>

export function daysOf(first: Date, rows: readonly SessionRow[]): WeekDay[] {
  return Array.from({ length: 7 }, (_, index) => {
    const date = midnight(first, index)
    const own = rows.filter(({ session }) => midnight(new Date(session.starts_at)).getTime() === date.getTime())
    return { date, placed: place(own), isNarrow: own.length === 0 && isWeekend(calendarDate(date), locale()) }
  })
}

export function hoursOf(days: readonly WeekDay[]): Stretch {
  const all = days.flatMap(({ placed }) => placed)
  const from = Math.min(8, ...all.map((one) => Math.floor(one.from)))
  const to = Math.max(18, ...all.map((one) => Math.ceil(one.to)))
  return { from, to: Math.min(24, to) }
}

/** Clock time in hours, so that days with a time change have the same rows as other days. */
export const clockHours = (at: Date): number => at.getHours() + at.getMinutes() / 60

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

export function outsideOn(date: Date, hours: WorkingTime['hours']): Stretch[] {
  if (hours?.kind !== 'hours') return []
  const day = localDateValue(date)
  const { valid_from, valid_to } = hours
  if ((valid_from !== null && day < valid_from) || (valid_to !== null && day > valid_to)) return []
  const weekday = weekdaySchema.options[(date.getDay() + 6) % 7]
  const within = hours.weekly
    .filter((one) => one.day === weekday)
    .map(({ from, to }) => ({ from: hoursOn(from), to: hoursOn(to) }))
    .toSorted((left, right) => left.from - right.from)
  const outside: Stretch[] = []
  let until = 0
  for (const { from, to } of [...within, { from: 24, to: 24 }]) {
    if (from > until) outside.push({ from: until, to: from })
    until = Math.max(until, to)
  }
  return outside
}

export function hoursOn(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours + minutes / 60
}
