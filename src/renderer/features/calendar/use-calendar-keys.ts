import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { midnight } from '#renderer/lib/use-now.ts'
import { type CalendarDay, type CalendarStop, isSameDay, type Stretch, stopsOf, USUAL_START } from './calendar-days.ts'
import type { Shown } from './working-time.ts'

/** Where the grid is entered with Tab, and what the arrow keys move. */
interface Cursor {
  readonly date: Date
  readonly from: number
  readonly id: string | null
}

export interface CurrentStop extends CalendarStop {
  /** Index of a visible day. */
  readonly day: number
}

interface Options extends Shown {
  readonly grid: RefObject<HTMLElement | null>
  readonly hours: Stretch
  /** The days shown are new, and their appointments are not there yet. */
  readonly isLoading: boolean
  readonly onStep: (by: 1 | -1) => void
}

export function useCalendarKeys({ grid, days, hours, next, now, isLoading, onStep }: Options) {
  const [cursor, setCursor] = useState<Cursor | null>(null)
  const isFocusDue = useRef(false)
  const stops = days.map((day) => stopsOf(day, hours))
  const current = stopAt(cursor ?? firstCursor(days, next, now), days, stops)

  // A moved appointment is another element once it is shown on its new day.
  useLayoutEffect(() => {
    const [active, element] = [document.activeElement, grid.current]
    if (!isFocusDue.current || !(active?.contains(element) || element?.contains(active))) return
    element?.querySelector<HTMLElement>('[data-current]')?.focus()
    const isThere = cursor?.id == null || isSameDay(days[current.day]!.date, cursor.date)
    isFocusDue.current = isLoading || !isThere
  })

  const focusOn = (at: Cursor): void => {
    isFocusDue.current = true
    setCursor(at)
  }
  const toDay = (date: Date): void => {
    if (date < days[0]!.date) onStep(-1)
    if (date > days.at(-1)!.date) onStep(1)
    focusOn({ date, from: current.from, id: null })
  }
  const toStop = (index: number): void => {
    const stop = stops[current.day]!.at(index)
    if (stop !== undefined) focusOn({ date: days[current.day]!.date, from: stop.from, id: stop.row?.session.id ?? null })
  }
  function onKey(event: KeyboardEvent): boolean {
    const { date } = days[current.day]!
    const index = stops[current.day]!.findIndex((stop) => stop.from === current.from && stop.row === current.row)
    const actions: Readonly<Record<string, () => void>> = {
      ArrowUp: () => index > 0 && toStop(index - 1),
      ArrowDown: () => toStop(index + 1),
      ArrowLeft: () => toDay(midnight(date, -1)),
      ArrowRight: () => toDay(midnight(date, 1)),
      Home: () => toStop(0),
      End: () => toStop(-1),
      PageUp: () => toDay(midnight(date, days.length === 1 ? -1 : -7)),
      PageDown: () => toDay(midnight(date, days.length === 1 ? 1 : 7)),
    }
    actions[event.key]?.()
    return event.key in actions
  }
  return { current, focusOn, onKey }
}

/** An appointment is found wherever it is now. Of days that are not shown, the nearest one is taken. */
function stopAt(
  { date, from, id }: Cursor,
  days: readonly CalendarDay[],
  stops: readonly (readonly CalendarStop[])[],
): CurrentStop {
  const all = stops.flatMap((ofDay, day) => ofDay.map((stop) => ({ ...stop, day })))
  const found = id === null ? undefined : all.find(({ row }) => row?.session.id === id)
  if (found !== undefined) return found
  const shown = days.findIndex((day) => day.date >= midnight(date))
  const own = all.filter(({ day }) => day === (shown === -1 ? days.length - 1 : shown))
  return own.findLast((stop) => stop.from <= from) ?? own[0]!
}

function firstCursor(days: readonly CalendarDay[], next: SessionRow | null, now: Date): Cursor {
  const today = days.find(({ date }) => isSameDay(date, now)) ?? days[0]!
  const first = days.flatMap(({ placed }) => placed).find(({ row }) => next === null || row === next)
  return { date: today.date, from: USUAL_START, id: first?.row.session.id ?? null }
}
