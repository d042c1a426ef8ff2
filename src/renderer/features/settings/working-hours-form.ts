import type { MethodInput } from '#contract/bridge/methods.ts'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { type Availability, weekdaySchema } from '#contract/model/availability.ts'
import { hoursStrings } from '#renderer/strings/working-hours.ts'

export type Hours = Extract<Availability, { kind: 'hours' }>
export const weekdays = weekdaySchema.options
export type Weekday = (typeof weekdays)[number]

/** `HH:MM`, empty while it is not a whole one. An end at 00:00 is the day's own. */
export interface StretchFields {
  readonly from: string
  readonly to: string
}

/** What is typed on a day that is off stays, and is not saved. */
export interface DayFields {
  readonly isOn: boolean
  readonly stretches: readonly StretchFields[]
}

export interface HoursFields {
  readonly days: Readonly<Record<Weekday, DayFields>>
  readonly most: string
  readonly buffer: string
}

export interface WrongHours {
  readonly stretches: Partial<Record<Weekday, readonly Partial<StretchFields>[]>>
  readonly noDay?: string
  readonly most?: string
  readonly buffer?: string
}

const words = hoursStrings.wrong
const usual: StretchFields = { from: '09:00', to: '17:00' }
const endOfDay = '24:00'

export function hoursIn({ hours }: Pick<WorkingTime, 'hours'>): Hours | null {
  return hours?.kind === 'hours' ? hours : null
}

/** Nothing set yet: a usual week to begin with, which holds only when it is saved. */
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
    const isTooSoon = before !== undefined && stretch.from !== '' && stretch.from < endOf(before)
    return {
      ...(stretch.from === '' ? { from: words.missing } : {}),
      ...(isTooSoon ? { from: words.overlap } : {}),
      ...(stretch.to === '' ? { to: words.missing } : {}),
      ...(stretch.to !== '' && endOf(stretch) <= stretch.from ? { to: words.order } : {}),
    }
  })
}

function isWithin(text: string, least: number, most: number): boolean {
  const number = Number(text)
  return text.trim() !== '' && Number.isInteger(number) && number >= least && number <= most
}

export function checkHours({ days, most, buffer }: HoursFields): WrongHours {
  const on = weekdays.filter((day) => days[day].isOn)
  return {
    stretches: Object.fromEntries(on.map((day) => [day, checkStretches(days[day].stretches)])),
    ...(on.length === 0 ? { noDay: words.noDay } : {}),
    ...(most.trim() === '' || isWithin(most, 1, 50) ? {} : { most: words.most }),
    ...(isWithin(buffer, 0, 240) ? {} : { buffer: words.buffer }),
  }
}

/** Null while a field is wrong. */
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

/** "Monday to Friday, 09:00 to 12:00 and 13:00 to 18:00": neighbours that are alike are told as one. */
export function weekInWords({ weekly }: Pick<Hours, 'weekly'>): string[] {
  const { days, through, stretch, and } = hoursStrings
  const timesOn = (day: Weekday): string =>
    weekly
      .filter((one) => one.day === day)
      .toSorted((left, right) => (left.from < right.from ? -1 : 1))
      .map(({ from, to }) => stretch(from, to))
      .join(and)
  const runs: { first: Weekday; last: Weekday; times: string }[] = []
  for (const [index, day] of weekdays.entries()) {
    const times = timesOn(day)
    const run = runs.at(-1)
    if (run !== undefined && run.last === weekdays[index - 1] && run.times === times) run.last = day
    else if (times !== '') runs.push({ first: day, last: day, times })
  }
  return runs.map(({ first, last, times }) => `${first === last ? days[first] : through(days[first], days[last])}, ${times}`)
}
