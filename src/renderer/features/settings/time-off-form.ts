import type { MethodInput } from '#contract/bridge/methods.ts'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import type { Availability } from '#contract/model/availability.ts'
import { midnight } from '#renderer/lib/use-now.ts'
import { hoursStrings } from '#renderer/strings/working-hours.ts'
import { formatClock, formatDate, fromLocalValues, localDateValue } from '#renderer/strings/time.ts'

export type Away = Exclude<Availability, { kind: 'hours' }>

export interface TimeOffFields {
  readonly isWholeDays: boolean
  /** `YYYY-MM-DD` and `HH:MM`, empty while they are not whole. */
  readonly firstDay: string
  readonly fromTime: string
  readonly lastDay: string
  readonly toTime: string
  readonly note: string
}

const words = hoursStrings.wrong

export function newTimeOff(now: Date): TimeOffFields {
  const tomorrow = localDateValue(midnight(now, 1))
  return { isWholeDays: true, firstDay: tomorrow, fromTime: '09:00', lastDay: tomorrow, toTime: '12:00', note: '' }
}

export interface Stretch {
  readonly from: Date
  /** Not any more; of whole days, the midnight after the last. */
  readonly to: Date
}

/** Null while one of them is not a whole one. */
export function stretchOf({ isWholeDays, firstDay, fromTime, lastDay, toTime }: TimeOffFields): Stretch | null {
  const from = fromLocalValues(firstDay, isWholeDays ? '00:00' : fromTime)
  const last = fromLocalValues(lastDay, isWholeDays ? '00:00' : toTime)
  if (from === null || last === null) return null
  return { from, to: isWholeDays ? midnight(last, 1) : last }
}

export type WrongTimeOff = Partial<Record<'firstDay' | 'fromTime' | 'lastDay' | 'toTime', string>>

export function checkTimeOff(fields: TimeOffFields, now: Date): WrongTimeOff {
  const { isWholeDays, firstDay, fromTime, lastDay, toTime } = fields
  const missing: WrongTimeOff = {
    ...(firstDay === '' ? { firstDay: words.date } : {}),
    ...(lastDay === '' ? { lastDay: words.date } : {}),
    ...(!isWholeDays && fromTime === '' ? { fromTime: words.missing } : {}),
    ...(!isWholeDays && toTime === '' ? { toTime: words.missing } : {}),
  }
  const stretch = stretchOf(fields)
  if (stretch === null) return missing
  if (lastDay < firstDay) return { lastDay: words.lastDay }
  if (stretch.to <= stretch.from) return { toTime: words.order }
  return stretch.to <= now ? { lastDay: words.over } : {}
}

/** Null while a field is wrong. */
export function timeOffOf(fields: TimeOffFields, now: Date, time_zone: string): MethodInput<'schedule.addTimeOff'> | null {
  const stretch = stretchOf(fields)
  if (stretch === null || Object.keys(checkTimeOff(fields, now)).length > 0) return null
  const note = fields.note.trim()
  return { time_zone, from: wallOf(stretch.from), to: wallOf(stretch.to), note: note === '' ? null : note }
}

const wallOf = (at: Date): string => `${localDateValue(at)}T${formatClock(at)}:00`

/** Time off and closures that are not over, the next first. */
export function awayToCome({ away }: Pick<WorkingTime, 'away'>, now: Date): Away[] {
  const until = wallOf(now)
  return away
    .flatMap((one) => (one.kind === 'hours' || one.to <= until ? [] : [one]))
    .toSorted((left, right) => (left.from < right.from ? -1 : 1))
}

/** "24 November", "24 November to 2 December", "24 November, 09:00 to 12:00". */
export function awayWhen({ from, to }: Pick<Away, 'from' | 'to'>): string {
  const { through } = hoursStrings
  const [begin, end] = [new Date(from), new Date(to)]
  const isWholeDays = formatClock(begin) === '00:00' && formatClock(end) === '00:00'
  const last = isWholeDays ? midnight(end, -1) : end
  const isOneDay = localDateValue(begin) === localDateValue(last)
  if (isWholeDays) return isOneDay ? formatDate(begin) : through(formatDate(begin), formatDate(last))
  const start = `${formatDate(begin)}, ${formatClock(begin)}`
  return through(start, isOneDay ? formatClock(end) : `${formatDate(end)}, ${formatClock(end)}`)
}
