import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/navigation.ts'
import { minutesWords, modalityWords, sessionTypeWords, todayStrings } from '#renderer/strings/today.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { formatClock } from '#renderer/strings/time.ts'
import { NextCard } from './next-card.tsx'
import { sessionStatus } from '#renderer/sessions/session-status.ts'

interface TodayListProps {
  readonly rows: readonly SessionRow[]
  readonly next: SessionRow | null
  readonly now: Date
}

export function TodayList({ rows, next, now }: TodayListProps) {
  const [isUnfolded, setUnfolded] = useState(false)
  const before = next === null ? [] : rows.slice(0, rows.indexOf(next))
  const drafts = before.filter((row) => row.note?.status === 'draft' || row.note?.status === 'in_review').length
  return (
    <>
      {before.length > 0 && (
        <AriaButton className="today-earlier" aria-expanded={isUnfolded} onPress={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
          {todayStrings.earlier(before.length, drafts)}
        </AriaButton>
      )}
      <ul className="today-list" aria-label={todayStrings.sessions} data-unfolded={isUnfolded || undefined}>
        {rows.map((row) => (
          <li
            key={row.session.id}
            className={row === next ? 'today-item today-item-next' : 'today-item'}
            data-passed={before.includes(row) || undefined}
          >
            {row === next ? <NextCard row={row} now={now} /> : <TodayRow row={row} />}
          </li>
        ))}
      </ul>
    </>
  )
}

function TodayRow({ row }: { readonly row: SessionRow }) {
  const nameOf = useName()
  const status = sessionStatus(row)
  const path = sessionPath(row.session.id, status.tab)
  return (
    <div className="today-row">
      <time className="today-time" dateTime={row.session.starts_at}>
        {formatClock(row.session.starts_at)}
      </time>
      <div className="today-who">
        <a className="today-name" href={`#${path}`}>
          {nameOf(row.client_name)}
        </a>
        <p className="today-kind">{kindOf(row)}</p>
      </div>
      <div className="today-state">
        {status.chip && (
          <Chip tone={status.chip.tone} {...(status.chip.icon === undefined ? {} : { icon: status.chip.icon })}>
            {status.chip.text}
          </Chip>
        )}
        {status.action !== null && (
          <Button size="row" onPress={() => navigate(path)} aria-label={`${status.action}, ${nameOf(row.client_name)}`}>
            {status.action}
          </Button>
        )}
      </div>
    </div>
  )
}

/** "Individual · 50 min · video"; the room goes without saying. */
function kindOf({ session }: SessionRow): string {
  const parts = [sessionTypeWords[session.session_type], minutesWords(session.duration_minutes)]
  if (session.modality !== 'in_person') parts.push(modalityWords[session.modality])
  return parts.join(' · ')
}
