import { ShieldCheck, Ban, Check, X } from 'lucide-react'
import { useState } from 'react'
import type { Recording } from '#contract/model/recording.ts'
import { unreadableMs } from '#renderer/sessions/damage.ts'
import { DamagedSound } from '#renderer/sessions/damaged-sound.tsx'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Empty, Loading, Problem } from '#renderer/ui/page.tsx'
import { formatBytes, formatClock, formatDate, formatDayTime, formatLength, formatTimer } from '#renderer/strings/time.ts'
import { type SessionData, isRunning, peopleOf } from '../session-data.ts'
import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { isFormOf } from '#domain/consent.ts'
import { useName } from '#renderer/lib/names.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { ConsentForm, ReadAloud } from '../record/consent-gate.tsx'
import { DiscardDialog } from '../record/end-dialog.tsx'
import './consent.css'

export function ConsentTab({ data }: { readonly data: SessionData }) {
  return (
    <div className="tab-body consent-tab" data-region tabIndex={-1}>
      <ConsentPeople data={data} />
      <AudioFacts data={data} />
    </div>
  )
}

const words = sessionWords.audio

function AudioFacts({ data }: { readonly data: SessionData }) {
  const { recording } = data
  return (
    <section className="audio-facts" aria-labelledby="audio-title">
      <h2 id="audio-title" className="session-section-title">
        {words.audioTitle}
      </h2>
      {recording === null ? (
        <Empty title={words.none}>{words.noneHelp}</Empty>
      ) : recording.state === 'erased' ? (
        <Empty
          title={words.erased({
            day: formatDate(recording.erased_at ?? recording.started_at),
            time: formatClock(recording.erased_at ?? recording.started_at),
          })}
        />
      ) : (
        <>
          <DamagedSound recording={recording} row={data.row} />
          <Facts data={data} recording={recording} />
        </>
      )}
    </section>
  )
}

function Facts({ data, recording }: { readonly data: SessionData; readonly recording: Recording }) {
  const [isErasing, setErasing] = useState(false)
  const running = isRunning(recording)
  const breaks = recording.gaps.filter(({ reason }) => reason !== 'damage')
  const paused = breaks.reduce((sum, gap) => sum + gap.duration_ms, 0)
  const facts: readonly (readonly [string, string])[] = [
    [
      words.started,
      `${formatDate(recording.started_at)}, ${formatClock(recording.started_at)}${recording.finished_at === null ? '' : ` ${sessionWords.until} ${formatClock(recording.finished_at)}`}`,
    ],
    [words.length, formatLength(recording.saved_ms)],
    [words.saved, formatTimer(recording.saved_ms - unreadableMs(recording))],
    [words.size, formatBytes(recording.bytes)],
    [
      words.gapsTitle,
      breaks.length === 0 ? words.noGaps : `${words.gapsCount({ count: breaks.length })} (${formatLength(paused)})`,
    ],
    [words.checked, recording.checked_at === null ? words.notChecked : formatDayTime(recording.checked_at)],
    [words.device, recording.device_label],
    [words.fingerprint, recording.ogg_sha256 ?? words.fingerprintLater],
  ]
  return (
    <div className="ui-card">
      <dl className="fact-list">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="audio-encrypted">
        <ShieldCheck aria-hidden />
        {words.encrypted}
      </p>
      <Button variant="erasing" isDisabled={running} reason={words.running} onPress={() => setErasing(true)}>
        {words.erase}
      </Button>
      <DiscardDialog data={data} recording={recording} isOpen={isErasing} onClose={() => setErasing(false)} />
    </div>
  )
}

function ConsentPeople({ data }: { readonly data: SessionData }) {
  const consents = useCall('consents.list', { client_id: data.row.session.client_id })
  const people = peopleOf(data.row)
  return (
    <section className="consent-people" aria-labelledby="consent-title">
      <h2 id="consent-title" className="session-section-title">
        {words.consentTitle}
      </h2>
      <p className="muted">{words.consentLead}</p>
      {consents.data === undefined ? (
        consents.error === null ? (
          <Loading />
        ) : (
          <Problem code={consents.error.code} />
        )
      ) : (
        people.map((person) => (
          <Person
            key={`${person.role} ${person.name}`}
            data={data}
            person={person}
            consents={consents.data.filter((consent) => isFormOf(consent, person, people))}
          />
        ))
      )}
    </section>
  )
}

interface PersonProps {
  readonly data: SessionData
  readonly person: Participant
  readonly consents: readonly Consent[]
}

const shownScopes: readonly ConsentScope[] = ['record', 'transcribe', 'draft']

function Person({ data, person, consents }: PersonProps) {
  const name = useName()
  const [isAsking, setAsking] = useState(false)
  const valid = consents.filter((consent) => consent.revoked_at === null)
  const given = new Set(valid.flatMap((consent) => consent.scopes))
  const scopes = [
    ...shownScopes,
    ...(['analyze', 'retain'] as const).filter((scope) => consents.some((consent) => consent.scopes.includes(scope))),
  ]
  return (
    <div className="ui-card consent-person">
      <h3>{name(person.name)}</h3>
      {consents.length === 0 && <p className="muted">{words.nobody({ name: name(person.name) })}</p>}
      <ul className="consent-rows">
        {scopes.map((scope) => (
          <ScopeRow key={scope} scope={scope} consents={consents} isGiven={given.has(scope)} />
        ))}
      </ul>
      <History consents={consents} />
      <div className="consent-person-buttons">
        {shownScopes.some((scope) => !given.has(scope)) && !isAsking && (
          <Button onPress={() => setAsking(true)}>{words.ask}</Button>
        )}
        {valid.length > 0 && <Revoke person={person} consents={valid} />}
      </div>
      {isAsking && (
        <>
          <ReadAloud data={data} />
          <ConsentForm data={data} person={person} onDone={() => setAsking(false)} />
        </>
      )}
    </div>
  )
}

function ScopeRow({
  scope,
  consents,
  isGiven,
}: {
  readonly scope: ConsentScope
  readonly consents: readonly Consent[]
  readonly isGiven: boolean
}) {
  const last = consents
    .filter((consent) => consent.scopes.includes(scope))
    .toSorted((a, b) => b.given_at.localeCompare(a.given_at))[0]
  const label = sessionWords.consent.scopes[scope]
  if (isGiven && last !== undefined) {
    return (
      <li>
        <Check aria-hidden className="consent-given" />
        <span>{label}</span>
        <span className="caption">{formatDate(last.given_at)}</span>
      </li>
    )
  }
  if (last?.revoked_at != null) {
    return (
      <li>
        <Ban aria-hidden className="consent-revoked" />
        <span>
          {label}: {words.revoked.toLowerCase()}
        </span>
        <span className="caption">{formatDate(last.revoked_at)}</span>
      </li>
    )
  }
  return (
    <li>
      <X aria-hidden />
      <span>
        {label}: {words.declined}
      </span>
      <span />
    </li>
  )
}

function History({ consents }: { readonly consents: readonly Consent[] }) {
  if (consents.length === 0) return null
  const when = (at: string): string => `${formatDate(at)}, ${formatClock(at)}`
  return (
    <ul className="consent-history caption">
      {consents
        .toSorted((a, b) => b.given_at.localeCompare(a.given_at))
        .map((consent) => (
          <li key={consent.id}>
            {words.history({
              method: sessionWords.consent.methods[consent.method],
              given: when(consent.given_at),
              revoked: consent.revoked_at === null ? null : when(consent.revoked_at),
            })}
          </li>
        ))}
    </ul>
  )
}

function Revoke({ person, consents }: { readonly person: Participant; readonly consents: readonly Consent[] }) {
  const name = useName()
  const [isOpen, setOpen] = useState(false)
  const revoke = useAction('consents.revoke')
  const all = async (): Promise<void> => {
    for (const consent of consents) await revoke.mutateAsync({ id: consent.id })
    setOpen(false)
  }
  return (
    <>
      <Button variant="erasing" onPress={() => setOpen(true)}>
        {words.revoke}
      </Button>
      <Dialog
        title={words.revokeTitle({ name: name(person.name) })}
        lead={words.revokeLead}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isDismissable={false}
        actions={
          <>
            <Button autoFocus onPress={() => setOpen(false)}>
              {words.revokeNo}
            </Button>
            <Button variant="erasing" busy={revoke.isPending ? '…' : undefined} onPress={() => void all().catch(() => undefined)}>
              {words.revokeYes}
            </Button>
          </>
        }
      >
        {revoke.error !== null && <Problem code={revoke.error.code} />}
      </Dialog>
    </>
  )
}
