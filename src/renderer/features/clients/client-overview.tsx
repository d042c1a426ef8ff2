import { Check, X } from 'lucide-react'
import type { ClientRow } from '#contract/bridge/clients.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { ConsentScope } from '#contract/model/consent.ts'
import { useName } from '#renderer/lib/names.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useLostNotes } from '#renderer/sessions/lost-parts.ts'
import { isSigned, sessionStatus } from '#renderer/sessions/session-status.ts'
import { clientsStrings, scopeList, scopeWords } from '#renderer/strings/clients.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Empty } from '#renderer/ui/page.tsx'
import { formatDay, formatDayTime, formatClock, formatDate } from '#renderer/strings/time.ts'
import { sessionPath } from '#renderer/lib/routes.ts'
import { modalityWords, sessionTypeWords } from '#renderer/strings/today.ts'
import { Chip } from '#renderer/ui/chip.tsx'
import './session-lines.css'

const words = clientsStrings.overview
const askedScopes: readonly ConsentScope[] = ['record', 'transcribe', 'draft', 'analyze', 'retain']

interface ClientOverviewProps {
  readonly row: ClientRow
  readonly sessions: readonly SessionRow[]
  readonly onAdd: () => void
  readonly onSessions: () => void
  readonly onConsent: () => void
}

export function ClientOverview({ row, sessions, onAdd, onSessions, onConsent }: ClientOverviewProps) {
  const newest = sessions.toReversed().slice(0, 6)
  return (
    <div className="client-panel">
      <Facts row={row} sessions={sessions} />
      <div className="client-columns">
        <section className="client-column-wide">
          <h2 className="ui-section-head">
            {words.sessions}
            {sessions.length > newest.length && <LinkButton onPress={onSessions}>{words.allSessions}</LinkButton>}
          </h2>
          {newest.length === 0 ? (
            <Empty title={words.noSessions.title}>
              <LinkButton onPress={onAdd}>{words.noSessions.add}</LinkButton>
            </Empty>
          ) : (
            <SessionLines rows={newest} />
          )}
        </section>
        <div className="client-column-narrow">
          <Agreed row={row} onConsent={onConsent} />
          <Kept row={row} sessions={sessions} />
        </div>
      </div>
    </div>
  )
}

function Facts({ row, sessions }: { readonly row: ClientRow; readonly sessions: readonly SessionRow[] }) {
  const now = useNow(60_000)
  const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)
  const hasConsent = row.consented.includes('record')
  const signed = sessions.filter(isSigned).length
  const lostNotes = useLostNotes()
  const lost = sessions.filter(({ session, note }) => note === null && lostNotes.has(session.id)).length
  return (
    <dl className="client-facts">
      <Fact
        label={words.next}
        value={row.next_session_at === null ? words.nextNone : capital(formatDayTime(row.next_session_at, now))}
        detail={
          row.next_session_at === null
            ? words.nextNoneText
            : `${words.last}: ${row.last_session_at === null ? words.lastNone : formatDay(row.last_session_at, now)}`
        }
      />
      <Fact
        label={words.consent}
        value={hasConsent ? words.consentGiven : words.consentNone}
        isKept={hasConsent}
        detail={hasConsent ? scopeList(row.consented) : words.consentNoneText}
      />
      <Fact
        label={words.notes}
        value={
          signed === 0 && lost > 0
            ? words.notesLost({ count: lost })
            : signed === 0
              ? words.notesNone
              : words.notesSigned({ count: signed })
        }
        detail={`${signed > 0 && lost > 0 ? `${words.notesLost({ count: lost })} ` : ''}${words.notesOpen({ count: row.unsigned_notes })}`}
      />
    </dl>
  )
}

interface FactProps {
  readonly label: string
  readonly value: string
  readonly detail: string
  readonly isKept?: boolean
}

function Fact({ label, value, detail, isKept = false }: FactProps) {
  return (
    <div className="client-fact">
      <dt>{label}</dt>
      <dd className="client-fact-value">
        {isKept && <Check aria-hidden />}
        {value}
      </dd>
      <dd className="client-fact-detail">{detail}</dd>
    </div>
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
        {askedScopes.map((scope) => {
          const isGiven = row.consented.includes(scope)
          return (
            <li key={scope} data-given={isGiven || undefined}>
              {isGiven ? <Check aria-hidden /> : <X aria-hidden />}
              {isGiven ? scopeWords[scope] : `${scopeWords[scope]}: ${clientsStrings.consent.notAgreed}`}
            </li>
          )
        })}
      </ul>
      <LinkButton onPress={onConsent}>{words.changeConsent}</LinkButton>
    </section>
  )
}

function Kept({ row, sessions }: { readonly row: ClientRow; readonly sessions: readonly SessionRow[] }) {
  const nameOf = useName()
  const counts: readonly (readonly [string, number])[] = [
    [words.keptNotes, sessions.filter(isSigned).length],
    [words.keptTranscripts, sessions.filter(({ transcript }) => transcript.present).length],
    [words.keptRecordings, sessions.filter(({ recording }) => recording !== null && recording.state !== 'erased').length],
  ]
  return (
    <section className="client-kept">
      <h2 className="ui-section-head client-plain-head">
        {words.kept({ name: nameOf(row.client.given_name ?? row.client.display_name) })}
      </h2>
      <dl>
        {counts.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="tabular">{count === 0 ? words.noneKept : count}</dd>
          </div>
        ))}
      </dl>
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
            <a className="session-line" href={`#${sessionPath(session.id, tab)}`}>
              <time className="session-line-date" dateTime={session.starts_at}>
                {formatDate(session.starts_at, now)}
              </time>
              <span className="session-line-kind">
                {formatClock(session.starts_at)} · {sessionTypeWords[session.session_type]} ·{' '}
                {clientsStrings.sessions.minutes({ minutes: session.duration_minutes })}
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
