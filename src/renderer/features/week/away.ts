import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { weekStrings } from '#renderer/strings/week.ts'
import { localDateValue } from '#renderer/strings/time.ts'

export interface AwayStretch {
  readonly id: string
  /** Hours on the clock. */
  readonly from: number
  readonly to: number
  readonly text: string
}

/** What of time off and closures falls on a day, on the clock it was written for. */
export function awayOn(date: Date, away: WorkingTime['away']): AwayStretch[] {
  const day = localDateValue(date)
  return away.flatMap((one) => {
    if (one.kind === 'hours') return []
    const starts = one.from.slice(0, 10)
    const ends = one.to.slice(0, 10)
    if (day < starts || day > ends) return []
    const from = day === starts ? hoursIn(one.from) : 0
    const to = day === ends ? hoursIn(one.to) : 24
    if (to <= from) return []
    const said = one.note ?? null
    return [{ id: one.id, from, to, text: said ?? (one.kind === 'closure' ? weekStrings.closed : weekStrings.away) }]
  })
}

/** Of `2026-11-26T08:30:00`: 8.5. */
function hoursIn(wall: string): number {
  return Number(wall.slice(11, 13)) + Number(wall.slice(14, 16)) / 60
}
