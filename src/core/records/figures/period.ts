import type { FigurePeriod } from '#contract/bridge/figures.ts'

export interface Interval {
  readonly from: string
  readonly to: string
  readonly group_by: 'week' | 'month'
}

const dayMs = 24 * 60 * 60 * 1000

/** The days of a period that holds `now`, as they are where the laptop stands. */
export function intervalOf(period: FigurePeriod, now: number, timeZone: string): Interval {
  const today = dayIn(now, timeZone)
  if (period === 'year') return { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31`, group_by: 'month' }
  const weeks = period === 'four_weeks' ? 4 : 12
  // Days are counted as UTC days here, so that no change of the clocks makes one longer.
  const start = Date.parse(`${today}T00:00:00Z`)
  const monday = start - ((new Date(start).getUTCDay() + 6) % 7) * dayMs
  return { from: dayOf(monday - (weeks - 1) * 7 * dayMs), to: dayOf(monday + 6 * dayMs), group_by: 'week' }
}

function dayIn(now: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(now)
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
