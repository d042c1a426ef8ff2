import type { SessionRow } from '#contract/bridge/sessions.ts'
import { QUARTER, type Stretch } from './calendar-days.ts'

/** An appointment on its way to another time. `day` is the index of a visible day. */
export type Moving = Stretch & { readonly row: SessionRow; readonly day: number }

const DRAG_STARTS_AT_PX = 5
const SCROLL_EDGE_PX = 36
const SCROLL_STEP_PX = 14

const snapped = (at: number): number => Math.round(at / QUARTER) * QUARTER
const within = (value: number, from: number, to: number): number => Math.max(from, Math.min(value, to))

function movedTo(moving: Moving, day: number, from: number, hours: Stretch): Moving {
  const length = moving.to - moving.from
  const start = within(from, hours.from, hours.to - length)
  return { ...moving, day, from: start, to: start + length }
}

const resizedTo = (moving: Moving, to: number, hours: Stretch): Moving => ({
  ...moving,
  to: within(to, moving.from + QUARTER, Math.min(hours.to, moving.from + 8)),
})

/** The next quarter hour in that direction. */
const onward = (at: number, step: 1 | -1): number =>
  step === 1 ? Math.floor(at / QUARTER + 1) * QUARTER : Math.ceil(at / QUARTER - 1) * QUARTER

/** Where an arrow key moves the appointment; with Shift it changes the end. */
export function movedByKey(moving: Moving, key: string, isResizing: boolean, days: number, hours: Stretch): Moving {
  const step = key === 'ArrowDown' || key === 'ArrowRight' ? 1 : -1
  if (key === 'ArrowLeft' || key === 'ArrowRight')
    return isResizing ? moving : { ...moving, day: within(moving.day + step, 0, days - 1) }
  return isResizing
    ? resizedTo(moving, onward(moving.to, step), hours)
    : movedTo(moving, moving.day, onward(moving.from, step), hours)
}

interface Drag {
  readonly grid: HTMLElement
  readonly from: Moving
  readonly hours: Stretch
  readonly isResizing: boolean
  readonly onMove: (to: Moving) => void
  /** Null if the appointment stays: the pointer hardly moved, or Escape was pressed. */
  readonly onEnd: (to: Moving | null) => void
}

/** Follows the pointer until it is released. Returns a function that cancels the drag. */
export function followPointer(start: PointerEvent, { grid, from, hours, isResizing, onMove, onEnd }: Drag): () => void {
  const listening = new AbortController()
  const { signal } = listening
  const columns = [...grid.querySelectorAll<HTMLElement>('[data-column]')]
  const scroller = grid.closest('.ui-page-body')
  const clockAt = (y: number): number => {
    const { top = 0, height = 1 } = columns[from.day]?.getBoundingClientRect() ?? {}
    return hours.from + ((y - top) / height) * (hours.to - hours.from)
  }
  const grabbedAt = clockAt(start.clientY) - from.from
  let to: Moving | null = null
  const end = (result: Moving | null): void => {
    listening.abort()
    onEnd(result)
  }
  const move = ({ clientX, clientY, pointerId }: PointerEvent): void => {
    if (to === null && Math.hypot(clientX - start.clientX, clientY - start.clientY) < DRAG_STARTS_AT_PX) return
    if (to === null) grid.setPointerCapture(pointerId)
    scrollNear(scroller, clientY)
    const column = columns.findLastIndex((one) => one.getBoundingClientRect().left <= clientX)
    const at = clockAt(clientY)
    to = isResizing ? resizedTo(from, snapped(at), hours) : movedTo(from, Math.max(0, column), snapped(at - grabbedAt), hours)
    onMove(to)
  }
  window.addEventListener('pointermove', move, { signal })
  window.addEventListener('pointerup', () => end(to), { signal })
  for (const lost of ['pointercancel', 'blur']) window.addEventListener(lost, () => end(null), { signal })
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    end(null)
  }
  window.addEventListener('keydown', onKey, { signal, capture: true })
  return () => end(null)
}

function scrollNear(scroller: Element | null, y: number): void {
  const { top = 0, bottom = 0 } = scroller?.getBoundingClientRect() ?? {}
  if (y < top + SCROLL_EDGE_PX) scroller?.scrollBy({ top: -SCROLL_STEP_PX })
  if (y > bottom - SCROLL_EDGE_PX) scroller?.scrollBy({ top: SCROLL_STEP_PX })
}
