import { useEffectEvent, useId, useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import { formatClock, formatHour } from '#renderer/strings/time.ts'
import { CalendarColumn, topOf } from './calendar-column.tsx'
import { clockHours, HALF, isSameDay, stepsIn, type Stretch, USUAL_START } from './calendar-days.ts'
import { useCalendarKeys } from './use-calendar-keys.ts'
import { useMoving } from './use-moving.ts'
import { hoursOf } from './working-time.ts'

type CalendarGridProps = Omit<Parameters<typeof useCalendarKeys>[0], 'grid' | 'hours'> &
  Pick<Parameters<typeof useMoving>[0], 'onMove'> & { readonly onBook: (at: Date) => void }

export function CalendarGrid(props: CalendarGridProps) {
  const { days, working, now } = props
  const hours = hoursOf(days, working)
  const grid = useRef<HTMLDivElement>(null)
  const help = useId()
  const { current, focusOn, onKey } = useCalendarKeys({ ...props, grid, hours })
  const { moving, note, startDrag, onMovingKey, onKeyUp, onBlur } = useMoving({ ...props, grid, hours, focusOn })
  useScrollTo(grid, props, hours)
  const columns = days.map(({ date, isNarrow }) => (isNarrow && !isSameDay(date, now) ? 'minmax(0, 0.4fr)' : 'minmax(0, 1fr)'))
  const onKeyDownCapture = (event: KeyboardEvent<HTMLElement>): void => {
    // React also sends events of menus and dialogs that are rendered elsewhere in the document.
    if (!event.currentTarget.contains(event.target as Node)) return
    const isHandled =
      onMovingKey(event, current.row?.session.id) || (!event.altKey && !event.ctrlKey && !event.metaKey && onKey(event))
    if (!isHandled) return
    event.preventDefault()
    event.stopPropagation()
  }
  const onFocus = ({ target, currentTarget }: FocusEvent<HTMLElement>): void => {
    const id = currentTarget.contains(target) && target.closest<HTMLElement>('[data-session]')?.dataset['session']
    const day = days.find(({ placed }) => placed.some(({ row }) => row.session.id === id))
    if (id && day && id !== current.row?.session.id) focusOn({ date: day.date, from: current.from, id })
  }
  return (
    <div
      ref={grid}
      className="calendar-grid"
      role="group"
      aria-label={calendarStrings.grid}
      aria-describedby={help}
      data-moving={moving !== null || undefined}
      style={{ gridTemplateColumns: `60px ${columns.join(' ')}` }}
      onKeyDownCapture={onKeyDownCapture}
      onKeyUp={onKeyUp}
      onBlur={onBlur}
      onFocus={onFocus}
      onPointerDownCapture={startDrag}
    >
      <Marks {...props} hours={hours} />
      {days.map((day, index) => (
        <CalendarColumn
          key={day.date.getTime()}
          {...props}
          day={day}
          hours={hours}
          current={current.day === index ? current : null}
          moving={moving?.day === index ? moving : null}
          movedId={moving?.row.session.id}
          note={note}
        />
      ))}
      <p id={help} hidden>
        {calendarStrings.gridHelp}
      </p>
      <p className="visually-hidden" role="status">
        {note}
      </p>
    </div>
  )
}

function Marks({ days, now, hours }: Pick<CalendarGridProps, 'days' | 'now'> & { readonly hours: Stretch }) {
  const at = clockHours(now)
  const isShown = at >= hours.from && at < hours.to && days.some(({ date }) => isSameDay(date, now))
  return (
    <div className="calendar-marks" aria-hidden>
      {stepsIn(hours, 1).map((hour) => (
        <span key={hour}>{formatHour(hour)}</span>
      ))}
      {isShown && <strong style={{ insetBlockStart: topOf(at, hours) }}>{formatClock(now)}</strong>}
    </div>
  )
}

/** Scrolls to now, or on other days to their first appointment. */
function useScrollTo(grid: RefObject<HTMLElement | null>, { days, now, isLoading }: CalendarGridProps, hours: Stretch): void {
  const scroll = useEffectEvent(() => {
    const scroller = grid.current?.closest('.ui-page-body')
    const column = grid.current?.querySelector('[data-column]')
    if (!scroller || !column) return
    const starts = days.flatMap(({ placed }) => placed.map(({ from }) => from))
    const first = days.some(({ date }) => isSameDay(date, now)) ? clockHours(now) - 1 : Math.min(...starts, USUAL_START) - HALF
    scroller.scrollTop = ((first - hours.from) * column.clientHeight) / (hours.to - hours.from)
  })
  const shown = days.map(({ date }) => date.getTime()).join()
  useLayoutEffect(() => {
    if (!isLoading) scroll()
  }, [shown, isLoading])
}
