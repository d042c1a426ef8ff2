import type { SessionRow } from '#contract/bridge/sessions.ts'
import { sessionPath } from '#renderer/lib/navigation.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { sessionStatus } from '#renderer/sessions/session-status.ts'
import { clientsStrings } from '#renderer/strings/clients.ts'
import { modalityWords, sessionTypeWords } from '#renderer/strings/today.ts'
import { Chip } from '#renderer/ui/chip.tsx'
import { formatClock, formatDate } from '#renderer/strings/time.ts'
import './session-lines.css'

/** One line for each session; it opens where the work on it stands. */
export function SessionLines({ rows }: { readonly rows: readonly SessionRow[] }) {
  const now = useNow(60_000)
  return (
    <ul className="session-lines" aria-label={clientsStrings.sessions.label}>
      {rows.map((row) => {
        const { chip, tab } = sessionStatus(row)
        const { session } = row
        return (
          <li key={session.id}>
            <a className="session-line" href={`#${sessionPath(session.id, tab)}`}>
              <time className="session-line-date" dateTime={session.starts_at}>
                {formatDate(session.starts_at, now)}
              </time>
              <span className="session-line-kind">
                {formatClock(session.starts_at)} · {sessionTypeWords[session.session_type]} ·{' '}
                {clientsStrings.sessions.minutes(session.duration_minutes)}
                {session.modality === 'in_person' ? '' : ` · ${modalityWords[session.modality]}`}
              </span>
              {chip && (
                <Chip tone={chip.tone} {...(chip.icon === undefined ? {} : { icon: chip.icon })}>
                  {chip.text}
                </Chip>
              )}
            </a>
          </li>
        )
      })}
    </ul>
  )
}
