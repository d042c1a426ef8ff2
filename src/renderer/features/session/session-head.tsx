import { ArrowLeft } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { monogramOf } from '#domain/names.ts'
import { useName } from '#renderer/lib/names.ts'
import { clientPath, mainPageOf, navigate, pageBefore, parseRoute, type SessionTab } from '#renderer/lib/routes.ts'
import { appStrings } from '#renderer/strings/app.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { capitalized } from '#renderer/strings/lists.ts'
import { formatClock, formatDayAndDate } from '#renderer/strings/time.ts'
import { Chip } from '#renderer/ui/chip.tsx'
import { AppointmentMenu } from '#renderer/sessions/appointment-menu.tsx'
import { isOff, sessionStatus } from '#renderer/sessions/session-status.ts'
import { appointmentWords } from '#renderer/strings/today.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { WithdrawConsent } from './record/end-dialog.tsx'
import { isRunning, useSession } from './session-data.ts'

export function SessionHead({ tab }: { readonly tab: SessionTab }) {
  const { row, recording } = useSession()
  const name = useName()
  const shown = name(row.client_name)
  const running = isRunning(recording)
  const { session } = row
  const { granted } = row.consent
  const from = session.started_at ?? session.starts_at
  const to = session.finished_at ?? session.ends_at
  const before = pageBefore()
  const page = appStrings.pages[mainPageOf(parseRoute(before))]
  const when = `${capitalized(formatDayAndDate(from))}, ${formatClock(from)} ${sessionWords.until} ${formatClock(to)}`
  const kind = [
    sessionWords.types[session.session_type],
    sessionWords.places[session.modality],
    sessionWords.number({ number: row.number }),
  ].join(' · ')
  return (
    <header className="session-head">
      {running ? (
        <span className="session-monogram" aria-hidden>
          {monogramOf(row.client_name)}
        </span>
      ) : (
        <IconButton label={sessionWords.back({ page })} icon={ArrowLeft} variant="outlined" onPress={() => navigate(before)} />
      )}
      <div className="session-who">
        <h1 className="session-name" title={shown}>
          <a href={`#${clientPath(session.client_id)}`}>{shown}</a>
        </h1>
        <p className="session-facts">{running ? kind : `${when} · ${kind}`}</p>
      </div>
      <div className="session-head-end">
        {(tab === 'record' || running) &&
          (granted.includes('record') ? (
            <Chip tone="kept">{sessionWords.consentChip(granted.filter((scope) => scope !== 'retain'))}</Chip>
          ) : (
            <Chip tone="needs">{sessionWords.consentMissing}</Chip>
          ))}
        {isOff(row) && <Chip>{sessionStatus(row).chip?.text}</Chip>}
        <WithdrawConsent />
        <AppointmentMenu row={row} trigger={<Button label={appointmentWords.menu} />} onDeleted={() => navigate(before)} />
        <div id={actionsId} className="session-head-actions" />
      </div>
    </header>
  )
}

const actionsId = 'session-head-actions'

export function HeadActions({ children }: { readonly children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useEffect(() => setPlace(document.getElementById(actionsId)), [])
  return place === null ? null : createPortal(children, place)
}
