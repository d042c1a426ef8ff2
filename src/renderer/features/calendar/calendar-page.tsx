import { CalendarOff, ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { useState, type ReactElement } from 'react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { STATUS_EVERY_MS, useCall } from '#renderer/bridge/use-bridge.ts'
import { useSettings } from '#renderer/lib/app-state.ts'
import { useShortcuts } from '#renderer/lib/shortcuts.ts'
import { midnight, useNow } from '#renderer/lib/use-now.ts'
import { useMoveAppointment } from '#renderer/sessions/appointment-dialogs.tsx'
import { NewSessionDialog } from '#renderer/sessions/new-session-dialog.tsx'
import { isOff, nextSession, sessionStatus } from '#renderer/sessions/session-status.ts'
import { TimeOffDialog } from '#renderer/sessions/time-off-dialog.tsx'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import { formatDates, formatDayAndDate, formatLength, formatMonth } from '#renderer/strings/time.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Segments } from '#renderer/ui/choice.tsx'
import { Answer, Page } from '#renderer/ui/page.tsx'
import {
  type CalendarDay,
  type CalendarView,
  calendarViews,
  clashesIn,
  daysOf,
  isSameDay,
  rangeOf,
  stepped,
} from './calendar-days.ts'
import { CalendarGrid } from './calendar-grid.tsx'
import { CalendarMonth } from './calendar-month.tsx'
import { ClashPanel } from './clash-panel.tsx'
import { FindTimeDialog } from './find-time-dialog.tsx'
import './calendar.css'

/** `at`: a new appointment at that time, or at the next half hour if it is null. */
type Open = { readonly at: Date | null } | 'find' | 'time off'

export function CalendarPage() {
  const now = useNow(60_000)
  const [view, setView] = useView()
  const [date, setDate] = useState<Date | null>(null)
  const [open, setOpen] = useState<Open | null>(null)
  const { move, dialog } = useMoveAppointment()
  const shown = date ?? now
  const { list, rows, days } = useDays(view, shown)
  const working = useCall('schedule.workingTime', {}).data ?? { hours: null, away: [] }
  const clashes = clashesIn(rows)
  const [clash] = clashes
  const onStep = (by: 1 | -1): void => setDate(stepped(view, shown, by))
  const onBook = (at: Date | null): void => setOpen({ at })
  const onDay = (day: Date): void => {
    setDate(day)
    setView('day')
  }
  useShortcuts({ b: () => onBook(null) }, useSettings()?.single_key_shortcuts !== false)
  const today = rows.filter(({ session }) => isSameDay(new Date(session.starts_at), now))
  const shared = { days, working, next: nextSession(today, now), now }
  return (
    <Page
      className="calendar"
      title={titleOf(view, shown, days, now)}
      lead={list.data && leadOf(rows, view === 'month' ? shown : null)}
      asideLabel={calendarStrings.panel}
      aside={clash && <ClashPanel key={clash.map(({ session }) => session.id).join()} clash={clash} count={clashes.length} />}
      actions={
        <>
          <Steps view={view} isToday={date === null} onToday={() => setDate(null)} onStep={onStep} />
          <Segments {...segments} value={view} onChange={setView} />
          <Button icon={CalendarOff} onPress={() => setOpen('time off')} label={calendarStrings.timeOff} />
          <Button variant={clash ? 'outlined' : 'filled'} icon={Plus} onPress={() => onBook(null)} label={calendarStrings.book} />
        </>
      }
    >
      <Answer of={list} loading={calendarStrings.loading} />
      {list.data && view === 'month' && <CalendarMonth {...shared} month={shown} onDay={onDay} />}
      {list.data && view !== 'month' && (
        <CalendarGrid
          {...shared}
          isLoading={list.isPlaceholderData}
          onStep={onStep}
          onBook={onBook}
          onMove={(row, { other, ...times }) => void move(row, times, other)}
        />
      )}
      {open && <OpenDialog open={open} onOpen={setOpen} />}
      {dialog}
    </Page>
  )
}

const segments = { label: calendarStrings.view, words: calendarStrings.views, values: calendarViews }

type StepsProps = Readonly<{ view: CalendarView; isToday: boolean; onToday: () => void; onStep: (by: 1 | -1) => void }>

function Steps({ view, isToday, onToday, onStep }: StepsProps) {
  return (
    <>
      <IconButton icon={ChevronLeft} label={calendarStrings.previous[view]} variant="outlined" onPress={() => onStep(-1)} />
      <Button isDisabled={isToday} onPress={onToday} label={calendarStrings.today} />
      <IconButton icon={ChevronRight} label={calendarStrings.next[view]} variant="outlined" onPress={() => onStep(1)} />
    </>
  )
}

function useDays(view: CalendarView, shown: Date) {
  const { first, count } = rangeOf(view, shown)
  const list = useCall(
    'sessions.list',
    { from: first.toISOString(), to: midnight(first, count).toISOString() },
    { keepPrevious: true, everyMs: STATUS_EVERY_MS },
  )
  const rows = list.data ?? []
  const days = daysOf(first, count, rows)
  return { list, rows, days: view === 'work_week' ? days.filter(({ isNarrow }) => !isNarrow) : days }
}

function OpenDialog({ open, onOpen }: Readonly<{ open: Open; onOpen: (next: Open | null) => void }>): ReactElement {
  const onClose = (): void => onOpen(null)
  if (open === 'find') return <FindTimeDialog onClose={onClose} />
  if (open === 'time off') return <TimeOffDialog onClose={onClose} />
  return <NewSessionDialog at={open.at ?? undefined} onClose={onClose} onFind={() => onOpen('find')} />
}

/** In localStorage, because it is only how this window looks. */
const keptUnder = 'afterword.calendar-view'

function useView(): readonly [CalendarView, (view: CalendarView) => void] {
  const [view, setView] = useState(() => calendarViews.find((one) => one === localStorage.getItem(keptUnder)) ?? 'week')
  const change = (next: CalendarView): void => {
    localStorage.setItem(keptUnder, next)
    setView(next)
  }
  return [view, change]
}

function titleOf(view: CalendarView, shown: Date, days: readonly CalendarDay[], now: Date): string {
  if (view === 'month') return formatMonth(shown)
  return view === 'day' ? formatDayAndDate(shown) : formatDates(days[0]!.date, days.at(-1)!.date, now)
}

/** `month`: days of other months don't count. */
function leadOf(rows: readonly SessionRow[], month: Date | null): string {
  const counted = rows.filter(
    (row) => !isOff(row) && (month === null || new Date(row.session.starts_at).getMonth() === month.getMonth()),
  )
  const length = counted.reduce((sum, { session }) => sum + Date.parse(session.ends_at) - Date.parse(session.starts_at), 0)
  const owed = counted.filter((row) => row.owes_note && sessionStatus(row).chip?.tone !== 'neutral').length
  return calendarStrings.lead({ count: counted.length, hours: formatLength(length), owed })
}
