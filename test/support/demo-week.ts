import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { ScheduleProposal } from '#contract/model/schedule.ts'
import { at, sessionRow } from './demo-records.ts'

/** Friday's two at one time, as another laptop brought them. */
export const clashingSessions: readonly SessionRow[] = [
  sessionRow('Bea', at(27, 15)),
  sessionRow('Samuel', at(27, 15, 30), { session: { created_at: at(22, 9) } }),
]

const id = (number: number): string => `01930004-0000-7000-8000-${String(number).padStart(12, '0')}`

export const demoWorkingTime: MethodOutput<'schedule.workingTime'> = {
  hours: null,
  away: [
    {
      id: id(90),
      created_at: at(1, 9),
      updated_at: at(1, 9),
      version: 1,
      kind: 'closure',
      status: 'active',
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      from: '2026-11-26T00:00:00',
      to: '2026-11-27T00:00:00',
      note: null,
    },
  ],
  is_current: true,
}

function proposal(number: number, wall: string, why: string[], tradeoffs: string[]): ScheduleProposal {
  const offset = -new Date(wall).getTimezoneOffset()
  const sign = offset < 0 ? '-' : '+'
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) => String(part).padStart(2, '0'))
  const utc_offset = `${sign}${hours}:${minutes}`
  const occurrences = [{ start: wall, end: wall, tzid: 'UTC', utc_offset }]
  return { id: id(number), expires_at: at(28, 9), score: 1 - number / 10, occurrences, moves: [], tradeoffs, why }
}

export const demoProposals: MethodOutput<'schedule.ask'> = {
  status: 'ok',
  conflicts: [],
  proposals: [
    proposal(
      1,
      '2026-11-27T16:30:00',
      ['Still Friday afternoon', 'No other booking changes'],
      ['The day ends at 17:20 instead of 15:50'],
    ),
    proposal(2, '2026-11-27T11:00:00', ['Right after another session'], ['Not at the time that was asked for']),
    proposal(3, '2026-12-01T15:30:00', ['At the same time of day'], ['Another day of the week']),
  ],
  infeasible_core: [],
  appointment: null,
}
