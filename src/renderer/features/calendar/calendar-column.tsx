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
  const { day, hours, next, now, current, moving, movedId } = props
  const { date, placed } = day
  const isToday = isSameDay(date, now)
  const nowAt = clockHours(now)
  const [pointed, setPointed] = useState<number | null>(null)
  const clockAt = ({ target, currentTarget, clientY }: MouseEvent): number | null => {
    const { top, height } = currentTarget.getBoundingClientRect()
    const isFree = target === currentTarget || (target instanceof Element && target.closest('[data-pointed]') !== null)
    return isFree ? startAt(day, hours.from + ((clientY - top) / height) * (hours.to - hours.from)) : null
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
        onClickCapture={(event) => {
          const at = event.target === event.currentTarget ? clockAt(event) : null
          if (at !== null) props.onBook(atClock(date, at))
        }}
        onPointerMove={(event) => setPointed(clockAt(event))}
        onPointerLeave={() => setPointed(null)}
      >
        <Background {...props} />
        {pointed !== null && movedId === undefined && <Slot {...props} at={pointed} isPointed />}
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

/** A free time: the one below the pointer, or the one that the arrow keys have reached. */
function Slot(props: ColumnProps & { readonly at: number; readonly isPointed?: true }) {
  const { day, at, hours, working, onBook, isPointed } = props
  const stretch = { from: at, to: at + HALF }
  const start = atClock(day.date, at)
  const label = calendarStrings.bookAt({ day: formatDayAndDate(day.date), time: formatClock(start) })
  return (
    <button
      type="button"
      className="calendar-slot"
      {...(isPointed ? { 'data-pointed': true, tabIndex: -1 } : { 'data-current': true })}
      style={placeOf(stretch, hours)}
      aria-label={`${label} ${workNoteOn(day.date, stretch, working)}`.trim()}
      onClick={() => onBook(start)}
      // React Aria takes a click made by a key for a screen reader's, and then the dialog may not focus its first field.
      onKeyDown={(event) => {
        if (event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return
        event.preventDefault()
        onBook(start)
      }}
    >
      <Plus aria-hidden />
      {formatClock(start)}
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
