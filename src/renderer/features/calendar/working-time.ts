import type { WorkingTime } from '#contract/bridge/schedule.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { weekdaySchema } from '#contract/model/availability.ts'
import { localDateValue } from '#renderer/lib/local-values.ts'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import type { CalendarDay, Stretch } from './calendar-days.ts'

type Working = Pick<WorkingTime, 'hours' | 'away'>

/** What every view of the calendar shows. */
export interface Shown {
  readonly days: readonly CalendarDay[]
  readonly working: Working
  readonly next: SessionRow | null
  readonly now: Date
}

const { away: words } = calendarStrings
/** A break that begins in these hours is lunch. */
const lunch: Stretch = { from: 11, to: 14 }

function workOn(date: Date, hours: WorkingTime['hours']): Stretch[] | null {
  if (hours?.kind !== 'hours') return null
  const day = localDateValue(date)
  const { valid_from, valid_to } = hours
  if ((valid_from !== null && day < valid_from) || (valid_to !== null && day > valid_to)) return null
  const weekday = weekdaySchema.options[(date.getDay() + 6) % 7]
  return hours.weekly
    .filter((one) => one.day === weekday)
    .map(({ from, to }) => ({ from: hoursOn(from), to: hoursOn(to) }))
    .toSorted((left, right) => left.from - right.from)
}

/** Time outside working hours. `text` names a break between two stretches of work. */
type Outside = Stretch & { readonly text: string | null }

export function outsideOn(date: Date, hours: WorkingTime['hours']): Outside[] {
  const work = workOn(date, hours)
  if (work === null) return []
  const outside: Outside[] = []
  let until = 0
  for (const { from, to } of [...work, { from: 24, to: 24 }]) {
    const name = until >= lunch.from && until <= lunch.to ? words.lunch : words.break
    if (from > until) outside.push({ from: until, to: from, text: until > 0 && from < 24 ? name : null })
    until = Math.max(until, to)
  }
  return outside
}

/** The hours that the grid shows: at least 7 AM to 8 PM, all working hours and all appointments. */
export function hoursOf(days: readonly CalendarDay[], working: Working): Stretch {
  const all = days.flatMap(({ date, placed }) => [...placed, ...(workOn(date, working.hours) ?? [])])
  const from = Math.min(7, ...all.map((one) => Math.floor(one.from)))
  const to = Math.max(20, ...all.map((one) => Math.ceil(one.to)))
  return { from, to: Math.min(24, to) }
}

export function awayOn(date: Date, away: WorkingTime['away']): (Stretch & { readonly id: string; readonly text: string })[] {
  const day = localDateValue(date)
  return away.flatMap((one) => {
    if (one.kind === 'hours') return []
    const [starts = '', startsAt = ''] = one.from.split('T')
    const [ends = '', endsAt = ''] = one.to.split('T')
    if (day < starts || day > ends) return []
    const from = day === starts ? hoursOn(startsAt) : 0
    const to = day === ends ? hoursOn(endsAt) : 24
    if (to <= from) return []
    return [{ id: one.id, from, to, text: one.note ?? (one.kind === 'closure' ? words.closed : words.off) }]
  })
}

/** Says that a time is not working time; empty if it is. */
export function workNoteOn(date: Date, { from, to }: Stretch, { hours, away }: Working): string {
  const off = awayOn(date, away).find((one) => one.from < to && one.to > from)
  if (off !== undefined) return words.during({ what: off.text })
  return outsideOn(date, hours).some((one) => one.from < to && one.to > from) ? words.outside : ''
}

function hoursOn(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours + minutes / 60
}
