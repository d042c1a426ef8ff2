import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { weekdaySchema } from '#contract/model/availability.ts'
import { localDateValue } from '#renderer/strings/time.ts'

interface Stretch {
  /** Hours on the clock. */
  readonly from: number
  readonly to: number
}

/** What of a day lies outside the working hours, on the clock they were written for; nothing while none are set. */
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

/** Of `08:30`: 8.5. */
function hoursOn(clock: string): number {
  return Number(clock.slice(0, 2)) + Number(clock.slice(3, 5)) / 60
}
