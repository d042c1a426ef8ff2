import { Check } from 'lucide-react'
import type { ClientRow } from '#contract/bridge/clients.ts'
import type { SessionGist } from '#contract/bridge/insights.ts'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { consentScopeSchema } from '#contract/model/consent.ts'
import { useName } from '#renderer/lib/names.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { useLostNotes } from '#renderer/sessions/lost-parts.ts'
import { AppointmentRow } from '#renderer/sessions/appointment-menu.tsx'
import { isSigned, sessionStatus } from '#renderer/sessions/session-status.ts'
import { Chip } from '#renderer/ui/chip.tsx'
import { useCall } from '#renderer/bridge/use-bridge.ts'
import { coverageStrings } from '#renderer/strings/coverage.ts'
import { clientsStrings, scopeList, scopesInList } from '#renderer/strings/clients.ts'
import { LinkButton } from '#renderer/ui/button.tsx'
import { Empty, Pairs } from '#renderer/ui/page.tsx'
import { formatDay, formatDayTime, formatClock, formatDate } from '#renderer/strings/time.ts'
import { type ClientTab, sessionPath } from '#renderer/lib/routes.ts'
import { capitalized } from '#renderer/lib/text.ts'
import { modalityWords, sessionTypeWords } from '#renderer/strings/today.ts'
import { outcomeOf, shownOf, spokenWhen } from './coverage-lines.ts'
import './session-lines.css'

const words = clientsStrings.overview

type RowProps = Readonly<{ row: ClientRow; sessions: readonly SessionRow[] }>

type ClientOverviewProps = RowProps & Readonly<{ onAdd: () => void; onTab: (tab: ClientTab) => void }>

export function ClientOverview({ row, sessions, onAdd, onTab }: ClientOverviewProps) {
  const newest = sessions.toReversed().slice(0, 6)
  const { id, goals, diagnoses } = row.client
  return (
    <div className="client-panel">
      <Facts row={row} sessions={sessions} />
      <div className="client-columns">
        <div>
          {goals.length > 0 && <Goals client={row.client} />}
          <h2 className="ui-section-head">
            {words.sessions}
            {sessions.length > newest.length && <LinkButton onPress={() => onTab('sessions')} label={words.allSessions} />}
          </h2>
          {newest.length === 0 ? (
            <Empty title={words.noSessions.title}>
              <LinkButton onPress={onAdd} label={words.noSessions.add} />
            </Empty>
          ) : (
            <SessionLines clientId={id} rows={newest} />
          )}
        </div>
        <div className="client-column-narrow">
          <section>
            <h2 className="ui-section-head client-plain-head">{clientsStrings.form.diagnoses}</h2>
            <Pairs className="client-diagnoses" items={diagnoses.map(({ code, description }) => [code, description])} />
            <LinkButton
              onPress={() => onTab('details')}
              label={goals.length + diagnoses.length === 0 ? words.addPlan : words.editPlan}
            />
          </section>
          <Kept row={row} sessions={sessions} />
        </div>
      </div>
    </div>
  )
}

function useGists(clientId: string): ReadonlyMap<string, SessionGist> {
  const gists = useCall('clients.sessionGists', { client_id: clientId }).data ?? []
  return new Map(gists.map((gist) => [gist.session_id, gist]))
}

const MAX_BOXES = 5

/** A box for each of the latest sessions with insights, the oldest first. */
function Goals({ client: { id, goals } }: Pick<ClientRow, 'client'>) {
  const analyzed = [...useGists(id).values()].flatMap(({ goals: found }) => (found === null ? [] : [found]))
  const latest = analyzed.slice(0, MAX_BOXES).toReversed()
  return (
    <section className="client-goals">
      <h2 className="ui-section-head">
        {clientsStrings.form.goals}
        {latest.length > 0 && <span className="caption">{words.goalSessions({ count: latest.length })}</span>}
      </h2>
      <ul>
        {goals.map((goal) => {
          const raised = latest.map((found) => found.some(({ text, is_raised }) => text === goal && is_raised))
          const count = raised.filter(Boolean).length
          return (
            <li key={goal}>
              <span>{goal}</span>
              {latest.length > 0 && (
                <span className="client-goal-boxes" role="img" aria-label={words.goalRaised({ count, all: latest.length })}>
                  {raised.map((is, index) => (
                    // oxlint-disable-next-line react/no-array-index-key -- a box is its place in the row
                    <i key={index} data-raised={is || undefined} />
                  ))}
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {latest.length > 0 && (
        <p className="caption client-goal-legend" aria-hidden>
          <i data-raised /> {words.goalMentioned} <i /> {words.goalNotMentioned}
        </p>
      )}
    </section>
  )
}

function Facts({ row, sessions }: RowProps) {
  const now = useNow(60_000)
  const insured = useInsuranceFact(row.client, now)
  const signed = sessions.filter(isSigned).length
  const lostNotes = useLostNotes()
  const lost = sessions.filter(({ session, note }) => note === null && lostNotes.has(session.id)).length
  const last = row.last_session_at === null ? words.lastNone : formatDay(row.last_session_at, now)
  const notes: Fact = {
    label: words.notes,
    value: signed > 0 ? words.notesSigned({ count: signed }) : lost > 0 ? words.notesLost({ count: lost }) : words.notesNone,
    detail: `${signed > 0 && lost > 0 ? `${words.notesLost({ count: lost })} ` : ''}${words.notesOpen({ count: row.unsigned_notes })}`,
  }
  const facts: Fact[] = [
    row.next_session_at === null
      ? { label: words.next, value: words.nextNone, detail: words.nextNoneText }
      : { label: words.next, value: capitalized(formatDayTime(row.next_session_at, now)), detail: `${words.last}: ${last}` },
    consentFact(row),
    ...(insured === null ? [] : [insured]),
    ...(insured === null || lost > 0 ? [notes] : []),
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

type Fact = Readonly<{ label: string; value: string; detail: string; isKept?: boolean }>

function consentFact({ consented }: ClientRow): Fact {
  const missing = consentScopeSchema.options.filter((scope) => !consented.includes(scope)).map((scope) => scopesInList[scope])
  if (!consented.includes('record')) return { label: words.consent, value: words.consentNone, detail: words.consentNoneText }
  const detail = missing.length === 0 ? scopeList(consented) : `${scopeList(consented)}. ${words.notGiven({ scopes: missing })}`
  return { label: words.consent, value: words.consentGiven, detail, isKept: true }
}

/** Null without an insurance card. */
function useInsuranceFact({ id, insurance }: ClientRow['client'], now: Date): Fact | null {
  const coverage = useCall('coverage.get', { client_id: id }, { enabled: insurance !== null })
  if (insurance === null) return null
  const said = shownOf(coverage.data?.checks ?? [])
  const label = clientsStrings.tabs.coverage
  if (said === null) return { label, value: insurance.payer_name, detail: coverage.data ? words.notChecked : '' }
  const payer = said.source === 'sandbox' ? coverageStrings.sample.title : said.payer.name
  const detail = `${payer}. ${coverageStrings.lead.tried({ when: spokenWhen(said.checked_at, now) })}.`
  return { label, value: outcomeOf(said), detail, isKept: said.status === 'active' && said.mental_health.covered === 'yes' }
}

function Kept({ row, sessions }: RowProps) {
  const nameOf = useName()
  const counts = [
    ...(row.unsigned_notes > 0 ? [[words.notesToFinish, row.unsigned_notes] as const] : []),
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

type SessionLinesProps = Readonly<{ clientId: string; rows: readonly SessionRow[] }>

export function SessionLines({ clientId, rows }: SessionLinesProps) {
  const now = useNow(60_000)
  const lostNotes = useLostNotes()
  const gists = useGists(clientId)
  return (
    <ul className="session-lines" aria-label={clientsStrings.sessions.label}>
      {rows.map((row) => {
        const { chip, tab } = sessionStatus(row, lostNotes)
        const { session } = row
        const about = aboutSession(row, gists.get(session.id))
        return (
          <li key={session.id}>
            <AppointmentRow row={row} className="session-line-row">
              <a className="session-line" href={`#${sessionPath(session.id, tab)}`}>
                <time className="session-line-date" dateTime={session.starts_at}>
                  {formatDate(session.starts_at, now)}
                </time>
                <span className="session-line-words">
                  {about !== null && <span className="session-line-about">{about}</span>}
                  <span className="session-line-kind">
                    {formatClock(session.starts_at)} · {sessionTypeWords[session.session_type]} ·{' '}
                    {clientsStrings.sessions.minutes({ minutes: session.duration_minutes })}
                    {session.modality === 'in_person' ? '' : ` · ${modalityWords[session.modality]}`}
                  </span>
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

const MAX_TOPICS = 3

function aboutSession({ cancellation }: SessionRow, gist: SessionGist | undefined): string | null {
  if (cancellation !== null) return cancellation.reason
  const topics = gist?.topics.slice(0, MAX_TOPICS) ?? []
  return topics.length > 0 ? topics.join(' · ') : (gist?.first_statement ?? null)
}
