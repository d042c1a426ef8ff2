import { ChevronRight, PencilLine } from 'lucide-react'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { useName } from '#renderer/lib/names.ts'
import { sessionPath } from '#renderer/lib/navigation.ts'
import { todayStrings } from '#renderer/strings/today.ts'
import { formatClock, formatDay } from '#renderer/strings/time.ts'
import { sessionStatus, whatIsLeft } from '#renderer/sessions/session-status.ts'

interface TodayAsideProps {
  readonly unfinished: readonly SessionRow[] | undefined
  readonly tomorrow: readonly SessionRow[]
  readonly now: Date
}

export function TodayAside({ unfinished, tomorrow, now }: TodayAsideProps) {
  return (
    <>
      <section>
        <h2 className="ui-section-head">{todayStrings.beforeHome}</h2>
        {unfinished?.length === 0 && <p className="today-nothing">{todayStrings.nothingLeft}</p>}
        <ul className="today-left">
          {unfinished?.map((row) => (
            <LeftRow key={row.session.id} row={row} now={now} />
          ))}
        </ul>
      </section>
      <section className="today-tomorrow">
        <h2 className="ui-section-head">{todayStrings.tomorrow}</h2>
        {tomorrow.length === 0 && <p className="today-nothing">{todayStrings.nothingTomorrow}</p>}
        <ul>
          {tomorrow.map((row) => (
            <TomorrowRow key={row.session.id} row={row} />
          ))}
        </ul>
      </section>
    </>
  )
}

function LeftRow({ row, now }: { readonly row: SessionRow; readonly now: Date }) {
  const nameOf = useName()
  return (
    <li>
      <a className="today-left-row" href={`#${sessionPath(row.session.id, sessionStatus(row).tab)}`}>
        <PencilLine aria-hidden />
        <span>
          <span className="today-left-name">
            {nameOf(row.client_name)}, {formatDay(row.session.starts_at, now)}
          </span>
          <span className="today-left-text">{whatIsLeft(row)}</span>
        </span>
        <ChevronRight aria-hidden />
      </a>
    </li>
  )
}

function TomorrowRow({ row }: { readonly row: SessionRow }) {
  const nameOf = useName()
  return (
    <li className="today-tomorrow-row">
      <time dateTime={row.session.starts_at}>{formatClock(row.session.starts_at)}</time>
      <a href={`#${sessionPath(row.session.id)}`}>
        {nameOf(row.client_name)}
        {row.number === 1 && `, ${todayStrings.firstVisit}`}
      </a>
    </li>
  )
}
