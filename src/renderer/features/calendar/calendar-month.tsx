import type { KeyboardEvent } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import { formatDayAndDate, formatMonth, formatWeekday } from '#renderer/strings/time.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { AppointmentBlock } from './appointment-block.tsx'
import { type CalendarDay, isSameDay } from './calendar-days.ts'
import { awayOn, type Shown } from './working-time.ts'
import './calendar-month.css'

const MAX_SHOWN = 4

/** Days of other months than `month` are dimmed. */
type MonthProps = Shown & Readonly<{ month: Date; onDay: (day: Date) => void }>

export function CalendarMonth(props: MonthProps) {
  const { days, month } = props
  const weeks = Array.from({ length: days.length / 7 }, (_, index) => days.slice(index * 7, index * 7 + 7))
  return (
    <table className="calendar-month" aria-label={formatMonth(month)} onKeyDown={moveBetweenDays}>
      <thead>
        <tr>
          {weeks[0]?.map(({ date }) => (
            <th key={date.getDay()} scope="col">
              {formatWeekday(date, 'short')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]?.date.getTime()}>
            {week.map((day) => (
              <MonthDay key={day.date.getTime()} {...props} day={day} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

function moveBetweenDays(event: KeyboardEvent<HTMLElement>): void {
  const days = [...event.currentTarget.querySelectorAll<HTMLElement>('.calendar-month-day')]
  const at = days.findIndex((day) => day === event.target)
  const step = steps[event.key]
  if (at === -1 || step === undefined) return
  event.preventDefault()
  days[at + step]?.focus()
}

function MonthDay({ day: { date, placed }, month, working, next, now, onDay }: MonthProps & { readonly day: CalendarDay }) {
  const shown = placed.length > MAX_SHOWN ? placed.slice(0, MAX_SHOWN - 1) : placed
  const rest = placed.length - shown.length
  return (
    <td data-other={date.getMonth() !== month.getMonth() || undefined} data-today={isSameDay(date, now) || undefined}>
      <AriaButton
        className="calendar-month-day"
        aria-label={calendarStrings.openDay({ day: formatDayAndDate(date) })}
        onPress={() => onDay(date)}
      >
        {date.getDate()}
      </AriaButton>
      {awayOn(date, working.away).map(({ id, text }) => (
        <p key={id} className="calendar-month-away">
          {text}
        </p>
      ))}
      <ul>
        {shown.map((one) => (
          <AppointmentBlock key={one.row.session.id} placed={one} isNext={one.row === next} now={now} isLine />
        ))}
      </ul>
      {rest > 0 && <LinkButton onPress={() => onDay(date)} label={calendarStrings.more({ count: rest })} />}
    </td>
  )
}
