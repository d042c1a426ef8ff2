import { useEffect, useRef } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { WorkingTime } from '#contract/bridge/schedule.ts'
import { useName } from '#renderer/lib/names.ts'
import { AppointmentMenu } from '#renderer/sessions/appointment-menu.tsx'
import { isDocumented, isOff, sessionStatus } from '#renderer/sessions/session-status.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { weekStrings } from '#renderer/strings/week.ts'
import { sessionTypeWords } from '#renderer/strings/today.ts'
import { formatClock, formatDayAndDate, formatHour, formatWeekday } from '#renderer/strings/time.ts'
import { localDateValue } from '#renderer/lib/local-values.ts'
import { clockHours, hoursOf, hoursOn, outsideOn, type PlacedRow, type Stretch, type WeekDay } from './week-days.ts'

interface GridProps {
  readonly days: readonly WeekDay[]
  readonly working: Pick<WorkingTime, 'hours' | 'away'>
  readonly next: SessionRow | null
  readonly now: Date
}

export function WeekGrid({ days, working, next, now }: GridProps) {
  const hours = hoursOf(days)
  const grid = useRef<HTMLDivElement>(null)
  const nextId = next?.session.id
  useEffect(() => {
    grid.current?.querySelector('[data-next]')?.scrollIntoView({ block: 'nearest' })
  }, [nextId])
  const columns = days.map(({ date, isNarrow }) => (isNarrow && !isSameDay(date, now) ? 'minmax(0, 0.4fr)' : 'minmax(0, 1fr)'))
  const marks = Array.from({ length: hours.to - hours.from }, (_, index) => hours.from + index)
  return (
    <div ref={grid} className="week-grid" style={{ gridTemplateColumns: `52px ${columns.join(' ')}` }}>
      <div className="week-marks" aria-hidden>
        {marks.map((hour) => (
          <span key={hour}>{formatHour(hour)}</span>
        ))}
      </div>
      {days.map((day) => (
        <Day key={day.date.getTime()} day={day} hours={hours} working={working} next={next} now={now} />
      ))}
    </div>
  )
}

const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString()

interface DayProps extends Omit<GridProps, 'days'> {
  readonly day: WeekDay
  readonly hours: Stretch
}

function Day({ day: { date, placed }, hours, working, next, now }: DayProps) {
  const isToday = isSameDay(date, now)
  const nowAt = clockHours(now)
  return (
    <section className="week-day" data-today={isToday || undefined}>
      <h2 className="week-day-name">
        <span>{formatWeekday(date, 'short')}</span>
        <strong>{isToday ? `${date.getDate()} · ${weekStrings.todayMark}` : date.getDate()}</strong>
      </h2>
      <div className="week-column" style={{ blockSize: `calc(${hours.to - hours.from} * var(--week-hour))` }}>
        {outsideOn(date, working.hours).map((one) => (
          <i key={one.from} className="week-outside" style={placeOf(one, hours)} aria-hidden />
        ))}
        {awayOn(date, working.away).map(({ id, from, to, text }) => (
          <div key={id} className="week-away" style={blockOf({ from, to }, hours)}>
            <span>{text}</span>
          </div>
        ))}
        <ol className="week-bookings" aria-label={weekStrings.sessionsOn({ day: formatDayAndDate(date) })}>
          {placed.map((one) => (
            <Booking key={one.row.session.id} placed={one} hours={hours} isNext={one.row === next} now={now} />
          ))}
        </ol>
        {isToday && nowAt >= hours.from && nowAt < hours.to && (
          <i className="week-now" style={{ insetBlockStart: `calc(${nowAt - hours.from} * var(--week-hour))` }} aria-hidden />
        )}
      </div>
    </section>
  )
}

function Booking({ placed, hours, isNext, now }: Readonly<{ placed: PlacedRow; hours: Stretch; isNext: boolean; now: Date }>) {
  const nameOf = useName()
  const { row, lane, lanes, isClashing } = placed
  const { session } = row
  const name = nameOf(row.client_name)
  const from = formatClock(session.starts_at)
  const { chip } = sessionStatus(row)
  const notes = [
    chip !== null && (row.owes_note || isOff(row) || isDocumented(row)) && chip.text,
    session.session_type !== 'individual' && sessionTypeWords[session.session_type].toLowerCase(),
    isClashing && weekStrings.clashing,
  ].filter((note) => note !== false)
  const label = [name, from, ...notes, `${sessionWords.until} ${formatClock(session.ends_at)}`].join(', ')
  const trigger = (
    <AriaButton aria-label={label}>
      <strong>{name}</strong> <span>{[from, ...notes.slice(0, 1)].join(' · ')}</span>
    </AriaButton>
  )
  return (
    <li
      className="week-booking"
      data-next={isNext || undefined}
      data-clash={isClashing || undefined}
      data-off={isOff(row) || undefined}
      data-owed={(row.owes_note && chip?.tone !== 'neutral') || undefined}
      data-past={new Date(session.ends_at) < now || undefined}
      style={{ ...blockOf(placed, hours), insetInlineStart: `${(lane / lanes) * 100}%`, inlineSize: `${100 / lanes}%` }}
    >
      <AppointmentMenu row={row} isWhole className="week-booking-menu" trigger={trigger} />
    </li>
  )
}

function placeOf({ from, to }: Stretch, hours: Stretch): { insetBlockStart: string; blockSize: string } {
  const start = Math.max(from, hours.from)
  const length = Math.max(0, Math.min(to, hours.to) - start)
  return { insetBlockStart: `calc(${start - hours.from} * var(--week-hour))`, blockSize: `calc(${length} * var(--week-hour))` }
}

function blockOf({ from, to }: Stretch, hours: Stretch): ReturnType<typeof placeOf> {
  const length = Math.max(0.4, Math.min(to, hours.to) - Math.max(from, hours.from))
  return { ...placeOf({ from, to }, hours), blockSize: `calc(${length} * var(--week-hour) - 2px)` }
}

function awayOn(date: Date, away: WorkingTime['away']): (Stretch & { readonly id: string; readonly text: string })[] {
  const day = localDateValue(date)
  return away.flatMap((one) => {
    if (one.kind === 'hours') return []
    const [starts = '', startsAt = ''] = one.from.split('T')
    const [ends = '', endsAt = ''] = one.to.split('T')
    if (day < starts || day > ends) return []
    const from = day === starts ? hoursOn(startsAt) : 0
    const to = day === ends ? hoursOn(endsAt) : 24
    if (to <= from) return []
    const text = one.note ?? (one.kind === 'closure' ? weekStrings.closed : weekStrings.away)
    return [{ id: one.id, from, to, text }]
  })
}
