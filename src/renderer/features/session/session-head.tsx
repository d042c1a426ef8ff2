import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { monogramOf } from '#domain/names.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, type SessionTab } from '#renderer/lib/routes.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Chip } from '#renderer/ui/chip.tsx'
import { formatClock, formatDayAndDate } from '#renderer/strings/time.ts'
import { WithdrawConsent } from './record/withdraw-consent.tsx'
import { isRunning, type SessionData } from './session-data.ts'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'

export function SessionHead({ data, tab }: { readonly data: SessionData; readonly tab: SessionTab }) {
  const { row, recording } = data
  const name = useName()
  const shown = name(row.client_name)
  const running = isRunning(recording)
  return (
    <header className="session-head">
      {running ? (
        <span className="session-monogram" aria-hidden>
          {monogramOf(row.client_name)}
        </span>
      ) : (
        <IconButton label={sessionWords.back} icon={ArrowLeft} variant="outlined" onPress={() => navigate('/today')} />
      )}
      <div className="session-who">
        <h1 className="session-name" title={shown}>
          {shown}
        </h1>
        <p className="session-facts">{facts(data, running)}</p>
      </div>
      <div className="session-head-end">
        {(tab === 'record' || running) && <ConsentChip data={data} />}
        <WithdrawConsent data={data} />
        <div id={actionsId} className="session-head-actions" />
      </div>
    </header>
  )
}

const actionsId = 'session-head-actions'

function facts({ row }: SessionData, running: boolean): ReactNode {
  const { session } = row
  const kind = [
    sessionWords.types[session.session_type],
    sessionWords.places[session.modality],
    sessionWords.number({ number: row.number }),
  ]
  if (running) return kind.join(' · ')
  const from = session.started_at ?? session.starts_at
  const to = session.finished_at ?? session.ends_at
  return `${formatDayAndDate(from)}, ${formatClock(from)} ${sessionWords.until} ${formatClock(to)} · ${kind.join(' · ')}`
}

function ConsentChip({ data }: { readonly data: SessionData }) {
  const { granted } = data.row.consent
  if (!granted.includes('record')) return <Chip tone="needs">{sessionWords.consentMissing}</Chip>
  return <Chip tone="kept">{sessionWords.consentChip(granted.filter((scope) => scope !== 'retain'))}</Chip>
}

/** Shows a tab's buttons in the head of the page, which doesn't scroll. */
export function HeadActions({ children }: { readonly children: ReactNode }) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  useEffect(() => setPlace(document.getElementById(actionsId)), [])
  return place === null ? null : createPortal(children, place)
}
