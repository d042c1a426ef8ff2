import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate } from '#renderer/lib/navigation.ts'
import { midnight, useNow } from '#renderer/lib/use-now.ts'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { NewSessionDialog } from '#renderer/sessions/new-session-dialog.tsx'
import { todayStrings } from '#renderer/strings/today.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Empty, Loading, Page, Problem } from '#renderer/ui/page.tsx'
import { formatClock, formatDayAndDate, formatDayTime } from '#renderer/strings/time.ts'
import { isOff, nextSession } from '#renderer/sessions/session-status.ts'
import { DamagedRecordings } from './damaged-recordings.tsx'
import { TodayAside } from './today-aside.tsx'
import { TodayList } from './today-list.tsx'
import './today.css'
import './today-left.css'

/** What is next, and what is unfinished before going home. */
export function TodayPage() {
  const now = useNow()
  const [isAdding, setAdding] = useState(false)
  const today = midnight(now)
  const tomorrow = midnight(now, 1)
  const list = useCall('sessions.list', { from: today.toISOString(), to: midnight(now, 2).toISOString() })
  const unfinished = useCall('sessions.unfinished', {})
  const rows = list.data?.filter((row) => new Date(row.session.starts_at) < tomorrow) ?? []
  const following = list.data?.filter((row) => new Date(row.session.starts_at) >= tomorrow && !isOff(row)) ?? []
  const next = nextSession(rows, now)
  return (
    <Page
      className="today"
      title={formatDayAndDate(now)}
      lead={list.data && <Lead rows={rows} next={next} now={now} toSign={unfinished.data?.length ?? 0} />}
      actions={
        <Button variant="quiet" icon={Plus} onPress={() => setAdding(true)}>
          {todayStrings.addSession}
        </Button>
      }
      asideLabel={todayStrings.aside}
      aside={<TodayAside unfinished={unfinished.data} tomorrow={following} now={now} />}
    >
      <DamagedRecordings now={now} />
      {list.isPending && <Loading />}
      {list.error && <Problem code={list.error.code} onRetry={() => void list.refetch()} />}
      {list.data && rows.length > 0 && <TodayList rows={rows} next={next} now={now} />}
      {list.data && rows.length === 0 && <NothingToday now={now} onAdd={() => setAdding(true)} />}
      {isAdding && <NewSessionDialog onClose={() => setAdding(false)} />}
    </Page>
  )
}

interface LeadProps {
  readonly rows: readonly SessionRow[]
  readonly next: SessionRow | null
  readonly now: Date
  readonly toSign: number
}

/** Two sentences that could be read aloud. */
function Lead({ rows, next, now, toSign }: LeadProps) {
  const nameOf = useName()
  const { lead } = todayStrings
  const sentences = [daySentence()]
  if (toSign > 0) sentences.push(lead.toSign(toSign))
  return sentences.join(' ')

  function daySentence(): string {
    if (next === null) return rows.length === 0 ? lead.free : lead.over
    const name = nameOf(next.client_name)
    const startsAt = new Date(next.session.starts_at)
    if (next.session.started_at !== null && next.session.status === 'in_progress')
      return lead.now(name, formatClock(next.session.started_at))
    if (startsAt < now) return lead.due(name, formatClock(startsAt))
    return lead.next(name, todayStrings.in(Math.round((startsAt.getTime() - now.getTime()) / 60_000)))
  }
}

function NothingToday({ now, onAdd }: { readonly now: Date; readonly onAdd: () => void }) {
  const clients = useCall('clients.list', {})
  const coming = useCall('sessions.list', { from: midnight(now, 1).toISOString(), to: midnight(now, 60).toISOString() })
  const following = coming.data?.find((row) => !isOff(row))
  const { none, first } = todayStrings
  if (clients.data?.length === 0) {
    return (
      <Empty title={first.title}>
        <p>{first.text}</p>
        <p className="today-empty-action">
          <Button variant="filled" onPress={() => navigate('/clients?new')}>
            {first.add}
          </Button>
        </p>
      </Empty>
    )
  }
  return (
    <Empty title={none.title}>
      {following && `${none.next(formatDayTime(following.session.starts_at, now))} `}
      <LinkButton onPress={onAdd}>{none.add}</LinkButton>
    </Empty>
  )
}
