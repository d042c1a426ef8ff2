import { Check, X } from 'lucide-react'
import type { ClientRow } from '#contract/bridge/clients.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { consentScopeSchema } from '#contract/model/consent.ts'
import { useName } from '#renderer/lib/names.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useLostNotes } from '#renderer/sessions/lost-parts.ts'
import { AppointmentRow } from '#renderer/sessions/appointment-menu.tsx'
import { isSigned, sessionStatus } from '#renderer/sessions/session-status.ts'
import { Chip } from '#renderer/ui/chip.tsx'
import { clientsStrings, scopeList, scopeWords } from '#renderer/strings/clients.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Empty, Pairs } from '#renderer/ui/page.tsx'
import { formatDay, formatDayTime, formatClock, formatDate } from '#renderer/strings/time.ts'
import { sessionPath } from '#renderer/lib/routes.ts'
import { capitalized } from '#renderer/lib/text.ts'
import { modalityWords, sessionTypeWords } from '#renderer/strings/today.ts'
import './session-lines.css'

const words = clientsStrings.overview

type RowProps = Readonly<{ row: ClientRow; sessions: readonly SessionRow[] }>

type ClientOverviewProps = RowProps & Readonly<{ onAdd: () => void; onTab: (tab: 'sessions' | 'consent') => void }>

export function ClientOverview({ row, sessions, onAdd, onTab }: ClientOverviewProps) {
  const newest = sessions.toReversed().slice(0, 6)
  return (
    <div className="client-panel">
      <Facts row={row} sessions={sessions} />
      <div className="client-columns">
        <section className="client-column-wide">
          <h2 className="ui-section-head">
            {words.sessions}
            {sessions.length > newest.length && <LinkButton onPress={() => onTab('sessions')} label={words.allSessions} />}
          </h2>
          {newest.length === 0 ? (
            <Empty title={words.noSessions.title}>
              <LinkButton onPress={onAdd} label={words.noSessions.add} />
            </Empty>
          ) : (
            <SessionLines rows={newest} />
          )}
        </section>
        <div className="client-column-narrow">
          <Agreed row={row} onConsent={() => onTab('consent')} />
          <Kept row={row} sessions={sessions} />
        </div>
      </div>
    </div>
  )
}

function Facts({ row, sessions }: RowProps) {
  const now = useNow(60_000)
  const hasConsent = row.consented.includes('record')
  const signed = sessions.filter(isSigned).length
  const lostNotes = useLostNotes()
  const lost = sessions.filter(({ session, note }) => note === null && lostNotes.has(session.id)).length
  const last = row.last_session_at === null ? words.lastNone : formatDay(row.last_session_at, now)
  const facts = [
    row.next_session_at === null
      ? { label: words.next, value: words.nextNone, detail: words.nextNoneText }
      : { label: words.next, value: capitalized(formatDayTime(row.next_session_at, now)), detail: `${words.last}: ${last}` },
    hasConsent
      ? { label: words.consent, value: words.consentGiven, detail: scopeList(row.consented), isKept: true }
      : { label: words.consent, value: words.consentNone, detail: words.consentNoneText },
    {
      label: words.notes,
      value: signed > 0 ? words.notesSigned({ count: signed }) : lost > 0 ? words.notesLost({ count: lost }) : words.notesNone,
      detail: `${signed > 0 && lost > 0 ? `${words.notesLost({ count: lost })} ` : ''}${words.notesOpen({ count: row.unsigned_notes })}`,
    },
  ]
  return (
    <dl className="client-facts">
      {facts.map(({ label, value, detail, isKept }) => (
        <div key={label} className="client-fact">
          <dt>{label}</dt>
          <dd className="client-fact-value">
            {isKept && <Check aria-hidden />}
            {value}
          </dd>
          <dd className="client-fact-detail">{detail}</dd>
        </div>
      ))}
    </dl>
  )
}

function Agreed({ row, onConsent }: { readonly row: ClientRow; readonly onConsent: () => void }) {
  const nameOf = useName()
  return (
    <section>
      <h2 className="ui-section-head client-plain-head">
        {words.agreed({ name: nameOf(row.client.given_name ?? row.client.display_name) })}
      </h2>
      <ul className="client-scopes">
        {consentScopeSchema.options.map((scope) => {
          const isGiven = row.consented.includes(scope)
          return (
            <li key={scope} data-given={isGiven || undefined}>
              {isGiven ? <Check aria-hidden /> : <X aria-hidden />}
              {scopeWords[scope]}
              {!isGiven && `: ${clientsStrings.consent.notAgreed}`}
            </li>
          )
        })}
      </ul>
      <LinkButton onPress={onConsent} label={words.changeConsent} />
    </section>
  )
}

function Kept({ row, sessions }: RowProps) {
  const nameOf = useName()
  const counts = [
    [words.keptNotes, sessions.filter(isSigned).length],
    [words.keptTranscripts, sessions.filter(({ transcript }) => transcript.present).length],
    [words.keptRecordings, sessions.filter(({ recording }) => recording !== null && recording.state !== 'erased').length],
  ] as const
  return (
    <section className="client-kept">
      <h2 className="ui-section-head client-plain-head">
        {words.kept({ name: nameOf(row.client.given_name ?? row.client.display_name) })}
      </h2>
      <Pairs className="tabular" items={counts.map(([label, count]) => [label, count === 0 ? words.noneKept : count])} />
    </section>
  )
}

export function SessionLines({ rows }: { readonly rows: readonly SessionRow[] }) {
  const now = useNow(60_000)
  const lostNotes = useLostNotes()
  return (
    <ul className="session-lines" aria-label={clientsStrings.sessions.label}>
      {rows.map((row) => {
        const { chip, tab } = sessionStatus(row, lostNotes)
        const { session } = row
        return (
          <li key={session.id}>
            <AppointmentRow row={row} className="session-line-row">
              <a className="session-line" href={`#${sessionPath(session.id, tab)}`}>
                <time className="session-line-date" dateTime={session.starts_at}>
                  {formatDate(session.starts_at, now)}
                </time>
                <span className="session-line-kind">
                  {formatClock(session.starts_at)} · {sessionTypeWords[session.session_type]} ·{' '}
                  {clientsStrings.sessions.minutes({ minutes: session.duration_minutes })}
                  {session.modality === 'in_person' ? '' : ` · ${modalityWords[session.modality]}`}
                </span>
                {chip && <Chip {...chip}>{chip.text}</Chip>}
              </a>
            </AppointmentRow>
          </li>
        )
      })}
    </ul>
  )
}
