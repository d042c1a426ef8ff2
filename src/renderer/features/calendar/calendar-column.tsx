import { Plus } from 'lucide-react'
import { useState, type CSSProperties, type MouseEvent } from 'react'
import { useName } from '#renderer/lib/names.ts'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import { formatClock, formatClocks, formatDayAndDate, formatWeekday } from '#renderer/strings/time.ts'
import { AppointmentBlock } from './appointment-block.tsx'
import { atClock, type CalendarDay, clockHours, HALF, isSameDay, startAt, type Stretch, takenBy } from './calendar-days.ts'
import type { Moving } from './moving.ts'
import type { CurrentStop } from './use-calendar-keys.ts'
import { awayOn, outsideOn, type Shown, workNoteOn } from './working-time.ts'

interface ColumnProps extends Shown {
  readonly day: CalendarDay
  readonly hours: Stretch
  /** What has the focus or gets it with Tab, if it is on this day. */
  readonly current: CurrentStop | null
  readonly moving: Moving | null
  /** The appointment that is on its way to another time. */
  readonly movedId: string | undefined
  readonly note: string
  readonly onBook: (at: Date) => void
}

export function CalendarColumn(props: ColumnProps) {
  const { day, hours, next, now, current, moving, movedId, onBook } = props
  const { date, placed } = day
  const isToday = isSameDay(date, now)
  const nowAt = clockHours(now)
  const [hovered, setHovered] = useState<number | null>(null)
  const clockAt = ({ target, currentTarget, clientY }: MouseEvent): number | null => {
    const { top, height } = currentTarget.getBoundingClientRect()
    return target === currentTarget ? startAt(day, hours.from + ((clientY - top) / height) * (hours.to - hours.from)) : null
  }
  return (
    <section className="calendar-day" data-today={isToday || undefined}>
      <h2 className="calendar-day-name">
        <span>{formatWeekday(date, 'short')}</span>
        <strong>{isToday ? `${date.getDate()} · ${calendarStrings.todayMark}` : date.getDate()}</strong>
      </h2>
      <div
        className="calendar-column"
        data-column
        style={{ blockSize: `calc(${hours.to - hours.from} * var(--calendar-hour))` }}
        onClick={(event) => {
          const at = clockAt(event)
          if (at !== null) onBook(atClock(date, at))
        }}
        onPointerMove={(event) => setHovered(event.pointerType === 'mouse' ? clockAt(event) : null)}
        onPointerLeave={() => setHovered(null)}
      >
        <Background {...props} />
        {hovered !== null && movedId === undefined && <Slot {...props} at={hovered} isHover />}
        <ol className="calendar-bookings" aria-label={calendarStrings.sessionsOn({ day: formatDayAndDate(date) })}>
          {placed.map((one) => (
            <AppointmentBlock
              key={one.row.session.id}
              placed={one}
              isNext={one.row === next}
              isCurrent={one.row === current?.row}
              isMoving={one.row.session.id === movedId}
              now={now}
              style={{
                ...placeOf(one, hours),
                insetInlineStart: `${(one.lane / one.lanes) * 100}%`,
                inlineSize: `${100 / one.lanes}%`,
              }}
            />
          ))}
        </ol>
        {/* Another time is another button, so that screen readers announce it. */}
        {current?.row === null && <Slot key={current.from} {...props} at={current.from} />}
        {moving !== null && <Ghost {...props} moving={moving} />}
        {isToday && nowAt >= hours.from && nowAt < hours.to && (
          <i className="calendar-now" style={{ insetBlockStart: topOf(nowAt, hours) }} aria-hidden />
        )}
      </div>
    </section>
  )
}

/** A free time: what the arrow keys have reached, or only a picture of it below the pointer. */
function Slot(props: ColumnProps & { readonly at: number; readonly isHover?: true }) {
  const { day, at, hours, working, onBook, isHover } = props
  const { date } = day
  const stretch = { from: at, to: at + HALF }
  const start = atClock(date, at)
  const label = calendarStrings.bookAt({ day: formatDayAndDate(date), time: formatClock(start) })
  const look = { className: 'calendar-slot', style: placeOf(stretch, hours) }
  const text = (
    <>
      <Plus aria-hidden />
      {formatClock(start)}
    </>
  )
  const name = `${label} ${workNoteOn(date, stretch, working)}`.trim()
  if (isHover) {
    return (
      <span {...look} data-hover aria-hidden>
        {text}
      </span>
    )
  }
  return (
    <button {...look} type="button" data-current aria-label={name} onClick={() => onBook(start)}>
      {text}
    </button>
  )
}

function Background({ day: { date }, hours, working }: ColumnProps) {
  const outside = outsideOn(date, working.hours).map((one) => ({ ...one, className: 'calendar-outside' }))
  const away = awayOn(date, working.away).map((one) => ({ ...one, className: 'calendar-away' }))
  return [...outside, ...away].map(({ className, text, ...stretch }) => (
    <div key={`${className} ${stretch.from}`} className={className} style={placeOf(stretch, hours)}>
      {text !== null && <span>{text}</span>}
    </div>
  ))
}

function Ghost({ moving, day, hours, note }: ColumnProps & { readonly moving: Moving }) {
  const name = useName()(moving.row.client_name)
  const isTaken = takenBy(day, moving.row.session.id, moving) !== null
  return (
    <div className="calendar-ghost" data-taken={isTaken || undefined} style={placeOf(moving, hours)} aria-hidden>
      <strong>{name}</strong>
      <span>{formatClocks(atClock(day.date, moving.from), atClock(day.date, moving.to))}</span>
      <p className="calendar-ghost-note">{note}</p>
    </div>
  )
}

export const topOf = (at: number, hours: Stretch): string => `calc(${at - hours.from} * var(--calendar-hour))`

function placeOf({ from, to }: Stretch, hours: Stretch): CSSProperties {
  const start = Math.max(from, hours.from)
  return {
    insetBlockStart: topOf(start, hours),
    blockSize: `calc(${Math.max(0, Math.min(to, hours.to) - start)} * var(--calendar-hour))`,
  }
}
