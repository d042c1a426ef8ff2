import { ChevronLeft, ChevronRight, Plus, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { midnight, useNow } from '#renderer/lib/use-now.ts'
import { STATUS_EVERY_MS, useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { startOf, TimeOptions, useOtherTimes, whenOf } from '#renderer/sessions/appointment-times.tsx'
import { BookingProblem } from '#renderer/sessions/new-session-dialog.tsx'
import { isOff, nextSession } from '#renderer/sessions/session-status.ts'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Answer, Empty, Loading, Page } from '#renderer/ui/page.tsx'
import { formatDates, formatLength, formatClock, formatWeekday } from '#renderer/strings/time.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { ScheduleProposal } from '#contract/model/schedule.ts'
import { useName } from '#renderer/lib/names.ts'
import { Chip } from '#renderer/ui/chip.tsx'
import { useToast } from '#renderer/ui/toast.tsx'
import { FindTimeDialog } from './find-time-dialog.tsx'
import { clashesIn, daysOf, startOfWeek } from './calendar-days.ts'
import { CalendarGrid } from './calendar-grid.tsx'
import './calendar.css'

export function CalendarPage() {
  const now = useNow(60_000)
  const [offset, setOffset] = useState(0)
  const [isFinding, setFinding] = useState(false)
  const first = midnight(startOfWeek(now), offset * 7)
  const list = useCall(
    'sessions.list',
    { from: first.toISOString(), to: midnight(first, 7).toISOString() },
    { keepPrevious: true, everyMs: STATUS_EVERY_MS },
  )
  const working = useCall('schedule.workingTime', {}).data ?? { hours: null, away: [] }
  const rows = list.data ?? []
  const clashes = clashesIn(rows)
  const [clash] = clashes
  return (
    <Page
      className="calendar"
      title={formatDates(first, midnight(first, 6), now)}
      lead={list.data && leadOf(rows.filter((row) => !isOff(row)))}
      asideLabel={calendarStrings.panel}
      aside={clash && <ClashPanel key={clash.map(({ session }) => session.id).join()} clash={clash} count={clashes.length} />}
      actions={
        <>
          <IconButton
            icon={ChevronLeft}
            label={calendarStrings.previous}
            variant="outlined"
            onPress={() => setOffset(offset - 1)}
          />
          <Button isDisabled={offset === 0} onPress={() => setOffset(0)} label={calendarStrings.today} />
          <IconButton icon={ChevronRight} label={calendarStrings.next} variant="outlined" onPress={() => setOffset(offset + 1)} />
          <Button
            variant={clash ? 'outlined' : 'filled'}
            icon={Plus}
            onPress={() => setFinding(true)}
            label={calendarStrings.book}
          />
        </>
      }
    >
      <Answer of={list} loading={calendarStrings.loading}>
        {() => rows.length === 0 && <Empty title={calendarStrings.none.title}>{calendarStrings.none.text}</Empty>}
      </Answer>
      {rows.length > 0 && <CalendarGrid days={daysOf(first, rows)} working={working} next={nextSession(rows, now)} now={now} />}
      {isFinding && <FindTimeDialog onClose={() => setFinding(false)} />}
    </Page>
  )
}

function leadOf(rows: readonly SessionRow[]): string {
  const length = rows.reduce((sum, { session }) => sum + Date.parse(session.ends_at) - Date.parse(session.starts_at), 0)
  return calendarStrings.lead({ count: rows.length, hours: formatLength(length) })
}

const words = calendarStrings.clash

function ClashPanel({ clash: [first, second], count }: Readonly<{ clash: readonly [SessionRow, SessionRow]; count: number }>) {
  const nameOf = useName()
  const [isFirst, setFirst] = useState(false)
  const [isLater, setLater] = useState(false)
  const [staying, moving] = isFirst ? [second, first] : [first, second]
  const at = second.session.starts_at > first.session.starts_at ? second.session.starts_at : first.session.starts_at
  return (
    <div className="calendar-clash">
      <Chip tone="needs" icon={TriangleAlert}>
        {calendarStrings.clashes({ count })}
      </Chip>
      <h2>{words.title({ day: formatWeekday(at), time: formatClock(at) })}</h2>
      <p>
        {words.text({
          first: nameOf(first.client_name),
          firstAt: formatClock(first.session.starts_at),
          second: nameOf(second.client_name),
          secondAt: formatClock(second.session.starts_at),
        })}{' '}
        <strong>{words.nothingMoved}</strong>
      </p>
      {!isLater && <Ways key={moving.session.id} row={moving} />}
      <div className="calendar-clash-more">
        <Button onPress={() => setFirst(!isFirst)} label={words.other({ name: nameOf(staying.client_name) })} />
        {!isLater && <Button variant="quiet" onPress={() => setLater(true)} label={words.later} />}
      </div>
    </div>
  )
}

function Ways({ row }: { readonly row: SessionRow }) {
  const { session } = row
  const name = useName()(row.client_name)
  const toast = useToast()
  const update = useAction('sessions.update')
  const [chosen, setChosen] = useState<string | null>(null)
  const { asked, proposals } = useOtherTimes(session)
  const proposal = proposals.find(({ id }) => id === chosen) ?? proposals[0]
  const move = (where: ScheduleProposal): void =>
    update.mutate(
      { id: session.id, version: session.version, patch: { starts_at: startOf(where) } },
      { onSuccess: () => toast({ text: words.moved({ name, when: whenOf(where) }) }) },
    )
  const error = asked.error ?? update.error
  if (asked.isPending) return <Loading>{words.looking}</Loading>
  return (
    <>
      {error && <BookingProblem error={error} />}
      {asked.data && proposal === undefined && <p>{words.none}</p>}
      {proposal && (
        <>
          <TimeOptions label={words.options} proposals={proposals} value={proposal.id} onChange={setChosen} />
          <p className="caption">{words.ask({ name })}</p>
          <Button
            variant="filled"
            size="large"
            busy={update.isPending && words.moving}
            onPress={() => move(proposal)}
            label={words.move({ name, when: whenOf(proposal) })}
          />
        </>
      )}
    </>
  )
}
