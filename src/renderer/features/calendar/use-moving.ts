import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { useName } from '#renderer/lib/names.ts'
import { appointmentActions } from '#renderer/sessions/session-status.ts'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import { formatClock, formatClocks, formatDayAndDate } from '#renderer/strings/time.ts'
import { atClock, clockHours, freeStartsNear, isSameDay, type Stretch, takenBy } from './calendar-days.ts'
import { followPointer, movedByKey, type Moving } from './moving.ts'
import type { useCalendarKeys } from './use-calendar-keys.ts'
import { type Shown, workNoteOn } from './working-time.ts'

const words = calendarStrings.move

/** `other`: the appointment that is in the way. */
type MovedTime = Readonly<{ starts_at: string; duration_minutes: number; other: SessionRow | null }>

interface Options extends Shown {
  readonly grid: RefObject<HTMLElement | null>
  readonly hours: Stretch
  readonly focusOn: ReturnType<typeof useCalendarKeys>['focusOn']
  readonly onMove: (row: SessionRow, time: MovedTime) => void
}

/** Moving and resizing with the pointer, or with Alt and the arrow keys until Alt is released. */
export function useMoving(options: Options) {
  const { grid, days, hours, now, focusOn, onMove } = options
  const [moving, setMoving] = useState<Moving | null>(null)
  const stopDrag = useRef<(() => void) | null>(null)
  useEffect(() => () => stopDrag.current?.(), [])

  const movable = (id: string | undefined): Moving | null => {
    const all = days.flatMap(({ placed }, day) => placed.map(({ row, from, to }) => ({ row, from, to, day })))
    const found = all.find(({ row }) => row.session.id === id)
    return found !== undefined && appointmentActions(found.row, now).includes('reschedule') ? found : null
  }
  const drop = (to: Moving | null, from: Moving): void => {
    stopDrag.current = null
    setMoving(null)
    if (to === null || (to.day === from.day && to.from === from.from && to.to === from.to)) return
    const day = days[to.day]!
    const { id } = to.row.session
    focusOn({ date: day.date, from: to.from, id })
    const duration_minutes = Math.round((to.to - to.from) * 60)
    onMove(to.row, { starts_at: atClock(day.date, to.from).toISOString(), duration_minutes, other: takenBy(day, id, to) })
  }
  function startDrag({ target, button, pointerType, nativeEvent }: PointerEvent<HTMLElement>): void {
    if (!(target instanceof Element) || button !== 0 || pointerType === 'touch' || grid.current === null) return
    const from = movable(target.closest<HTMLElement>('[data-session]')?.dataset['session'])
    if (from === null) return
    const isResizing = target.matches('[data-resize]')
    const onEnd = (to: Moving | null): void => drop(to, from)
    stopDrag.current = followPointer(nativeEvent, { grid: grid.current, from, hours, isResizing, onMove: setMoving, onEnd })
  }
  /** @returns true if the key moved an appointment or put it back */
  function onMovingKey({ key, altKey, shiftKey }: KeyboardEvent, id: string | undefined): boolean {
    const isCanceled = moving !== null && key === 'Escape'
    if (isCanceled) setMoving(null)
    const from = altKey && key.startsWith('Arrow') ? (moving ?? movable(id)) : null
    if (from !== null) setMoving(movedByKey(from, key, shiftKey, days.length, hours))
    return isCanceled || from !== null
  }
  const onKeyUp = ({ key }: KeyboardEvent): void => {
    const from = stopDrag.current === null && key === 'Alt' && moving !== null ? movable(moving.row.session.id) : null
    if (from !== null) drop(moving, from)
  }
  const onBlur = (): void => {
    if (stopDrag.current === null) setMoving(null)
  }
  return { moving, note: useNote(moving, options), startDrag, onMovingKey, onKeyUp, onBlur }
}

/** Says where the appointment is now, what is in the way, and which times near are free. */
function useNote(to: Moving | null, { days, hours, working, now }: Options): string {
  const nameOf = useName()
  const day = to && days[to.day]
  if (!day) return ''
  const { id } = to.row.session
  const at = (clock: number): Date => atClock(day.date, clock)
  const time = words.at({ day: formatDayAndDate(day.date), time: formatClocks(at(to.from), at(to.to)) })
  const other = takenBy(day, id, to)
  if (other === null) return `${time} ${workNoteOn(day.date, to, working)}`.trim()
  const from = isSameDay(day.date, now) ? Math.max(hours.from, Math.ceil(clockHours(now))) : hours.from
  const times = freeStartsNear(day, id, to, { from, to: hours.to }).map((clock) => formatClock(at(clock)))
  const taken = words.taken({ name: nameOf(other.client_name), time: formatClock(other.session.starts_at) })
  return `${time} ${taken} ${times.length === 0 ? '' : words.free({ times })}`.trim()
}
