import { ChevronLeft, ChevronRight, Plus } from 'lucide-react'
import { useState } from 'react'
import { midnight, useNow } from '#renderer/lib/use-now.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { isOff, nextSession } from '#renderer/sessions/session-status.ts'
import { weekStrings } from '#renderer/strings/week.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Empty, Loading, Page, Problem } from '#renderer/ui/page.tsx'
import { formatDate, formatLength } from '#renderer/strings/time.ts'
import { ClashPanel } from './clash-panel.tsx'
import { FindTimeDialog } from './find-time-dialog.tsx'
import { clashesIn, daysOf, mondayOf } from './week-days.ts'
import { WeekGrid } from './week-grid.tsx'
import './week.css'

/** What is booked, where two things are booked at once, and times that are free. */
export function WeekPage() {
  const now = useNow(60_000)
  const [offset, setOffset] = useState(0)
  const [isFinding, setFinding] = useState(false)
  const monday = midnight(mondayOf(now), offset * 7)
  const list = useCall(
    'sessions.list',
    { from: monday.toISOString(), to: midnight(monday, 7).toISOString() },
    { keepPrevious: true },
  )
  const working = useCall('schedule.workingTime', {}).data ?? { hours: null, away: [] }
  const rows = list.data ?? []
  const clashes = clashesIn(rows)
  const [first] = clashes
  return (
    <Page
      className="week"
      title={titleOf(monday, daysOf(monday, rows).length)}
      lead={list.data && leadOf(rows.filter((row) => !isOff(row)))}
      asideLabel={weekStrings.panel}
      aside={first && <ClashPanel key={first.map(({ session }) => session.id).join()} clash={first} count={clashes.length} />}
      actions={
        <>
          <IconButton icon={ChevronLeft} label={weekStrings.previous} variant="outlined" onPress={() => setOffset(offset - 1)} />
          <Button isDisabled={offset === 0} onPress={() => setOffset(0)}>
            {weekStrings.today}
          </Button>
          <IconButton icon={ChevronRight} label={weekStrings.next} variant="outlined" onPress={() => setOffset(offset + 1)} />
          <Button variant={first === undefined ? 'filled' : 'outlined'} icon={Plus} onPress={() => setFinding(true)}>
            {weekStrings.book}
          </Button>
        </>
      }
    >
      {list.isPending && <Loading>{weekStrings.loading}</Loading>}
      {list.error && <Problem code={list.error.code} onRetry={() => void list.refetch()} />}
      {list.data && rows.length === 0 && <Empty title={weekStrings.none.title}>{weekStrings.none.text}</Empty>}
      {rows.length > 0 && <WeekGrid days={daysOf(monday, rows)} working={working} next={nextSession(rows, now)} now={now} />}
      {isFinding && <FindTimeDialog onClose={() => setFinding(false)} />}
    </Page>
  )
}

/** "23 to 27 November", "30 November to 4 December". */
function titleOf(monday: Date, days: number): string {
  const last = midnight(monday, Math.max(5, days) - 1)
  const begin = monday.getMonth() === last.getMonth() ? String(monday.getDate()) : formatDate(monday)
  return `${begin} to ${formatDate(last)}`
}

function leadOf(rows: readonly { readonly session: { readonly starts_at: string; readonly ends_at: string } }[]): string {
  const length = rows.reduce((sum, { session }) => sum + Date.parse(session.ends_at) - Date.parse(session.starts_at), 0)
  return weekStrings.lead(rows.length, formatLength(length))
}
