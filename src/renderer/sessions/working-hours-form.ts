import type { MethodInput } from '#contract/bridge/methods.ts'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { type Availability, weekdaySchema } from '#contract/model/availability.ts'
import { hoursStrings } from '#renderer/strings/calendar.ts'
import { capitalized } from '#renderer/strings/lists.ts'
import { wrongOf } from '#renderer/lib/use-form.ts'
import { isWithin, textOrNull } from '#renderer/lib/text.ts'
import { midnight } from '#renderer/lib/use-now.ts'
import { formatClock, formatClockValue, formatDate } from '#renderer/strings/time.ts'
import { fromLocalValues, localDateValue, localTimeValue } from '#renderer/lib/local-values.ts'

export type Hours = Extract<Availability, { kind: 'hours' }>
export const weekdays = weekdaySchema.options
type Weekday = (typeof weekdays)[number]

/** `HH:MM`; empty while incomplete. An end of 00:00 means midnight at the end of the day. */
export type StretchFields = Readonly<{ from: string; to: string }>

export type DayFields = Readonly<{ isOn: boolean; stretches: readonly StretchFields[] }>

export type HoursFields = Readonly<{ days: Readonly<Record<Weekday, DayFields>>; most: string; buffer: string }>

export interface WrongHours extends Partial<Record<'noDay' | 'most' | 'buffer', string>> {
  readonly stretches: Partial<Record<Weekday, readonly Partial<StretchFields>[]>>
}

export const here = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const words = hoursStrings.wrong
const usual: StretchFields = { from: '09:00', to: '17:00' }
const endOfDay = '24:00'

export const hoursIn = ({ hours }: Pick<WorkingTime, 'hours'>): Hours | null => (hours?.kind === 'hours' ? hours : null)

export function fieldsOf(hours: Hours | null): HoursFields {
  const dayOf = (day: Weekday, index: number): DayFields => {
    if (hours === null) return { isOn: index < 5, stretches: [usual] }
    const own = hours.weekly.filter((stretch) => stretch.day === day).toSorted((left, right) => (left.from < right.from ? -1 : 1))
    const stretches = own.map(({ from, to }) => ({ from, to: to === endOfDay ? '00:00' : to }))
    return own.length === 0 ? { isOn: false, stretches: [usual] } : { isOn: true, stretches }
  }
  return {
    days: Object.fromEntries(weekdays.map((day, index) => [day, dayOf(day, index)])) as Record<Weekday, DayFields>,
    most: String(hours?.most_per_day ?? ''),
    buffer: String(hours?.buffer_after ?? 0),
  }
}

const endOf = ({ to }: StretchFields): string => (to === '00:00' ? endOfDay : to)

function checkStretches(stretches: readonly StretchFields[]): readonly Partial<StretchFields>[] {
  return stretches.map((stretch, index) => {
    const before = stretches[index - 1]
    const isTooSoon = before !== undefined && stretch.from < endOf(before)
    return wrongOf({
      from: stretch.from === '' ? words.missing : isTooSoon && words.overlap,
      to: stretch.to === '' ? words.missing : endOf(stretch) <= stretch.from && words.order,
    })
  })
}

export function checkHours({ days, most, buffer }: HoursFields): WrongHours {
  const on = weekdays.filter((day) => days[day].isOn)
  return {
    stretches: Object.fromEntries(on.map((day) => [day, checkStretches(days[day].stretches)])),
    ...wrongOf({
      noDay: on.length === 0 && words.noDay,
      most: most.trim() !== '' && !isWithin(most, 1, 50) && words.most,
      buffer: !isWithin(buffer, 0, 240) && words.buffer,
    }),
  }
}

export function hoursOf(fields: HoursFields, time_zone: string): MethodInput<'schedule.setHours'> | null {
  const { stretches, ...others } = checkHours(fields)
  const isWrong = Object.values(stretches).some((day) => day.some((one) => Object.keys(one).length > 0))
  if (isWrong || Object.keys(others).length > 0) return null
  return {
    time_zone,
    weekly: weekdays.flatMap((day) =>
      fields.days[day].isOn ? fields.days[day].stretches.map((one) => ({ day, from: one.from, to: endOf(one) })) : [],
    ),
    most_per_day: fields.most.trim() === '' ? null : Number(fields.most),
    buffer_after: Number(fields.buffer),
  }
}

export function weekInWords({ weekly }: Pick<Hours, 'weekly'>): string[] {
  const { days, through, stretch, and } = hoursStrings
  const timesOn = (day: Weekday): string =>
    weekly
      .filter((one) => one.day === day)
      .toSorted((left, right) => (left.from < right.from ? -1 : 1))
      .map(({ from, to }) => stretch({ from: formatClockValue(from), to: formatClockValue(to) }))
      .join(and)
  const runs: { first: Weekday; last: Weekday; times: string }[] = []
  for (const [index, day] of weekdays.entries()) {
    const times = timesOn(day)
    const run = runs.at(-1)
    if (run !== undefined && run.last === weekdays[index - 1] && run.times === times) run.last = day
    else if (times !== '') runs.push({ first: day, last: day, times })
  }
  return runs.map(
    ({ first, last, times }) =>
      `${capitalized(first === last ? days[first] : through({ first: days[first], last: days[last] }))}, ${times}`,
  )
}

export type Away = Exclude<Availability, { kind: 'hours' }>

export interface TimeOffFields {
  readonly isWholeDays: boolean
  readonly firstDay: string
  readonly fromTime: string
  readonly lastDay: string
  readonly toTime: string
  readonly note: string
}

export function newTimeOff(now: Date): TimeOffFields {
  const tomorrow = localDateValue(midnight(now, 1))
  return { isWholeDays: true, firstDay: tomorrow, fromTime: '09:00', lastDay: tomorrow, toTime: '12:00', note: '' }
}

export function stretchOf({ isWholeDays, firstDay, fromTime, lastDay, toTime }: TimeOffFields): { from: Date; to: Date } | null {
  const from = fromLocalValues(firstDay, isWholeDays ? '00:00' : fromTime)
  const last = fromLocalValues(lastDay, isWholeDays ? '00:00' : toTime)
  if (from === null || last === null) return null
  return { from, to: isWholeDays ? midnight(last, 1) : last }
}

type WrongTimeOff = Partial<Record<'firstDay' | 'fromTime' | 'lastDay' | 'toTime' | 'note', string>>

export function checkTimeOff(fields: TimeOffFields, now: Date): WrongTimeOff {
  const { isWholeDays, firstDay, fromTime, lastDay, toTime } = fields
  const stretch = stretchOf(fields)
  if (stretch === null)
    return wrongOf({
      firstDay: firstDay === '' && words.date,
      lastDay: lastDay === '' && words.date,
      fromTime: !isWholeDays && fromTime === '' && words.missing,
      toTime: !isWholeDays && toTime === '' && words.missing,
    })
  if (lastDay < firstDay) return { lastDay: words.lastDay }
  if (stretch.to <= stretch.from) return { toTime: words.order }
  return stretch.to <= now ? { lastDay: words.over } : {}
}

export function timeOffOf(fields: TimeOffFields, now: Date, time_zone: string): MethodInput<'schedule.addTimeOff'> | null {
  const stretch = stretchOf(fields)
  if (stretch === null || Object.keys(checkTimeOff(fields, now)).length > 0) return null
  return { time_zone, from: wallOf(stretch.from), to: wallOf(stretch.to), note: textOrNull(fields.note) }
}

const wallOf = (at: Date): string => `${localDateValue(at)}T${localTimeValue(at)}:00`

export function awayToCome({ away }: Pick<WorkingTime, 'away'>, now: Date): Away[] {
  const until = wallOf(now)
  return away
    .flatMap((one) => (one.kind === 'hours' || one.to <= until ? [] : [one]))
    .toSorted((left, right) => (left.from < right.from ? -1 : 1))
}

export function awayWhen({ from, to }: Pick<Away, 'from' | 'to'>): string {
  const { through } = hoursStrings
  const [begin, end] = [new Date(from), new Date(to)]
  const isWholeDays = localTimeValue(begin) === '00:00' && localTimeValue(end) === '00:00'
  const last = isWholeDays ? midnight(end, -1) : end
  const isOneDay = localDateValue(begin) === localDateValue(last)
  if (isWholeDays) return isOneDay ? formatDate(begin) : through({ first: formatDate(begin), last: formatDate(last) })
  const start = `${formatDate(begin)}, ${formatClock(begin)}`
  return through({ first: start, last: isOneDay ? formatClock(end) : `${formatDate(end)}, ${formatClock(end)}` })
}
