import type { Handlers, MethodName, MethodOutput, MethodRequest } from '#contract/bridge/methods.ts'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { AppError } from '#contract/errors.ts'
import type { ScheduleProposal } from '#contract/model/schedule.ts'
import { at, demoSessions, sessionRow } from './demo-records.ts'

/** Friday's two at one time, as another laptop brought them. */
const clashingSessions: readonly SessionRow[] = [
  sessionRow('Bea', at(27, 15)),
  sessionRow('Samuel', at(27, 15, 30), { session: { created_at: at(22, 9) } }),
]

/** Past appointments without a status; the last was canceled late. */
const unconfirmedSessions: readonly SessionRow[] = [
  sessionRow('Bea', at(23, 15)),
  sessionRow('Wanda', at(24, 8)),
  sessionRow('Lena', at(24, 12, 30), {
    session: { status: 'cancelled' },
    cancellation: { is_late: true, reason: 'Flu', is_deleted: false },
  }),
]

const weekly = { session: { series_id: '01930009-0000-7000-8000-000000000001' } }
/** Every Friday. */
const seriesSessions: readonly SessionRow[] = [27, 34, 41].map((day) => sessionRow('Teo', at(day, 10), weekly))

export function demoBooked(scene: {
  readonly isClashing?: boolean
  readonly isUnconfirmed?: boolean
  readonly hasSeries?: boolean
}): SessionRow[] {
  const added = [
    ...(scene.isClashing === true ? clashingSessions : []),
    ...(scene.isUnconfirmed === true ? unconfirmedSessions : []),
    ...(scene.hasSeries === true ? seriesSessions : []),
  ]
  return [...demoSessions, ...added].toSorted((left, right) => left.session.starts_at.localeCompare(right.session.starts_at))
}

/** Nothing changes, and a time at which another begins is taken. */
export function demoAppointments(
  sessions: readonly SessionRow[],
): Pick<Handlers<MethodName>, 'sessions.update' | 'sessions.cancel' | 'sessions.changeAll'> {
  const find = (wanted: string): SessionRow['session'] => {
    const found = sessions.find(({ session }) => session.id === wanted)
    if (found === undefined) throw new AppError('not-found')
    return found.session
  }
  const update = ({ id: wanted, patch }: Pick<MethodRequest<'sessions.changeAll'>['changes'][number], 'id' | 'patch'>) => {
    const other = sessions.find(({ session }) => session.id !== wanted && session.starts_at === patch.starts_at)
    if (other !== undefined) throw new AppError('double-booking', other.session.id)
    return find(wanted)
  }
  return {
    'sessions.update': update,
    'sessions.cancel': ({ id: wanted }) => find(wanted),
    'sessions.changeAll': ({ changes }) => changes.map(update),
  }
}

const id = (number: number): string => `01930004-0000-7000-8000-${String(number).padStart(12, '0')}`

const record = { created_at: at(1, 9), updated_at: at(1, 9), version: 1, status: 'active' } as const
const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const clinician_id = id(80)
const stretch = (day: Weekday, from: string, to: string): { day: Weekday; from: string; to: string } => ({ day, from, to })
type Weekday = 'MO' | 'TU' | 'WE' | 'TH' | 'FR'

const demoWorkingTime: WorkingTime = {
  hours: {
    ...record,
    id: id(91),
    kind: 'hours',
    clinician_id,
    time_zone,
    weekly: [
      ...(['MO', 'TU', 'WE', 'TH'] as const).flatMap((day) => [stretch(day, '09:00', '12:30'), stretch(day, '13:00', '17:30')]),
      stretch('FR', '09:30', '17:00'),
    ],
    valid_from: null,
    valid_to: null,
    most_per_day: 6,
    buffer_before: 0,
    buffer_after: 10,
  },
  away: [
    { ...record, id: id(90), kind: 'closure', time_zone, from: '2026-11-26T00:00:00', to: '2026-11-27T00:00:00', note: null },
    {
      ...record,
      id: id(92),
      kind: 'time_off',
      clinician_id,
      time_zone,
      from: '2026-12-21T00:00:00',
      to: '2027-01-04T00:00:00',
      note: 'Holiday',
    },
    {
      ...record,
      id: id(93),
      kind: 'time_off',
      clinician_id,
      time_zone,
      from: '2026-12-02T14:00:00',
      to: '2026-12-02T17:00:00',
      note: 'Supervision group in Lethbridge',
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
      ['The day ends at 5:20 PM instead of 3:50 PM'],
    ),
    proposal(2, '2026-11-27T11:00:00', ['Right after another session'], ['Not at the time that was asked for']),
    proposal(3, '2026-12-01T15:30:00', ['At the same time of day'], ['Another day of the week']),
  ],
  infeasible_core: [],
  appointment: null,
}

/** `last said`: the service is away since. `lost on saving`: it goes away between reading and saving. */
export type DemoHours = 'set' | 'last said' | 'lost on saving'

/** Hours and time off as the service keeps them; while it is away nothing changes. */
export function demoHours(
  state: DemoHours,
): Partial<Handlers<`schedule.${'workingTime' | 'setHours' | 'addTimeOff' | 'removeTimeOff'}`>> {
  let kept = demoWorkingTime
  const keep = (change: Partial<WorkingTime>): WorkingTime => {
    if (state !== 'set') throw new AppError('service-unreachable')
    kept = { ...kept, ...change }
    return kept
  }
  const next = (): string => id(100 + kept.away.length)
  return {
    'schedule.workingTime': () => ({ ...kept, is_current: state !== 'last said' }),
    'schedule.setHours': (hours) =>
      keep({
        hours: {
          ...record,
          id: id(91),
          kind: 'hours',
          clinician_id,
          valid_from: null,
          valid_to: null,
          buffer_before: 0,
          ...hours,
        },
      }),
    'schedule.addTimeOff': (off) =>
      keep({ away: [...kept.away, { ...record, id: next(), kind: 'time_off', clinician_id, ...off }] }),
    'schedule.removeTimeOff': ({ id: removed }) => keep({ away: kept.away.filter((one) => one.id !== removed) }),
  }
}
