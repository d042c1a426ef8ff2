import { Ban, Check, ShieldCheck, X } from 'lucide-react'
import { useState } from 'react'
import type { DeletionReceipt } from '#contract/bridge/recordings.ts'
import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Recording } from '#contract/model/recording.ts'
import type { Participant } from '#contract/model/session.ts'
import { isFormOf } from '#domain/consent.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { usePlaces } from '#renderer/lib/app-state.ts'
import { useName } from '#renderer/lib/names.ts'
import { unreadableMs } from '#renderer/sessions/damage.ts'
import { DamagedSound } from '#renderer/sessions/damaged-sound.tsx'
import { useClientLanguage } from '#renderer/sessions/client-language.tsx'
import { consentMethod } from '#renderer/strings/clients.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { formatBytes, formatClock, formatDate, formatDayTime, formatLength, formatTimer } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { ConfirmDialog } from '#renderer/ui/dialog.tsx'
import { Empty, Loading, Pairs, Problem } from '#renderer/ui/page.tsx'
import { IconText, TitledSection } from '../parts.tsx'
import { askedScopes, ConsentForm, ReadAloud } from '../record/consent-gate.tsx'
import { DiscardDialog } from '../record/end-dialog.tsx'
import { isRunning, peopleOf, useAudioOutcome, useSession } from '../session-data.ts'
import './consent.css'

export function ConsentTab() {
  return (
    <div className="tab-body consent-tab" data-region tabIndex={-1}>
      <ConsentPeople />
      <AudioFacts />
    </div>
  )
}

const words = sessionWords.audio

const at = (time: string): string => `${formatDate(time)}, ${formatClock(time)}`

function AudioFacts() {
  const { recording, row } = useSession()
  const { receipt, sentence } = useAudioOutcome()
  return (
    <TitledSection className="audio-facts" title={words.audioTitle}>
      {recording === null ? (
        <Empty title={words.none}>{words.noneHelp}</Empty>
      ) : recording.state === 'erased' ? (
        <Empty title={sentence ?? ''}>{receipt && <Receipt receipt={receipt} />}</Empty>
      ) : (
        <>
          <DamagedSound recording={recording} row={row} />
          <Facts recording={recording} sentence={sentence} />
        </>
      )}
    </TitledSection>
  )
}

function Receipt({ receipt }: { readonly receipt: DeletionReceipt }) {
  const facts = [
    [words.receipt.by, words.receipt.reasons[receipt.reason]({ name: receipt.deleted_by })],
    [words.started, at(receipt.started_at)],
    [words.length, formatLength(receipt.saved_ms)],
    ...(receipt.ogg_sha256 === null ? [] : [[words.fingerprint, receipt.ogg_sha256] as const]),
    ...(receipt.note_sha256 === null ? [] : [[words.receipt.note, receipt.note_sha256] as const]),
  ] as const
  return <Pairs isTabular className="fact-list" items={facts} />
}

function Facts({ recording, sentence }: { readonly recording: Recording; readonly sentence: string | null }) {
  const [isErasing, setErasing] = useState(false)
  const breaks = recording.gaps.filter(({ reason }) => reason !== 'damage')
  const paused = breaks.reduce((sum, gap) => sum + gap.duration_ms, 0)
  const until = recording.finished_at === null ? '' : ` ${sessionWords.until} ${formatClock(recording.finished_at)}`
  const facts = [
    [words.started, `${at(recording.started_at)}${until}`],
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
  ] as const
  return (
    <div className="ui-card">
      <Pairs isTabular className="fact-list" items={facts} />
      <IconText className="audio-encrypted" icon={ShieldCheck} text={words.encrypted} />
      {sentence !== null && <p role="status">{sentence}</p>}
      <Button
        variant="erasing"
        isDisabled={isRunning(recording)}
        reason={words.running}
        onPress={() => setErasing(true)}
        label={words.erase}
      />
      <DiscardDialog recording={recording} isOpen={isErasing} onClose={() => setErasing(false)} />
    </div>
  )
}

function ConsentPeople() {
  const { row } = useSession()
  const consents = useCall('consents.list', { client_id: row.session.client_id })
  const people = peopleOf(row)
  return (
    <TitledSection className="consent-people" title={words.consentTitle}>
      <p className="muted">{words.consentLead}</p>
      {consents.data === undefined && (consents.error === null ? <Loading /> : <Problem code={consents.error.code} />)}
      {consents.data !== undefined &&
        people.map((person) => (
          <Person
            key={`${person.role} ${person.name}`}
            person={person}
            consents={consents.data.filter((consent) => isFormOf(consent, person, people))}
          />
        ))}
    </TitledSection>
  )
}

function Person({ person, consents }: { readonly person: Participant; readonly consents: readonly Consent[] }) {
  const name = useName()
  const { row, settings } = useSession()
  const places = usePlaces(settings)
  const reading = useClientLanguage(row.session.client_id)
  const [isAsking, setAsking] = useState(false)
  const valid = consents.filter((consent) => consent.revoked_at === null)
  const given = new Set(valid.flatMap((consent) => consent.scopes))
  const scopes = [
    ...askedScopes,
    ...(['analyze'] as const).filter((scope) => consents.some((consent) => consent.scopes.includes(scope))),
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
        {askedScopes.some((scope) => !given.has(scope)) && !isAsking && (
          <Button onPress={() => setAsking(true)} label={words.ask} />
        )}
        {valid.length > 0 && <Revoke person={person} consents={valid} />}
      </div>
      {isAsking && (
        <>
          <ReadAloud reading={reading} text={reading.texts.consent.text(places)} />
          <ConsentForm person={person} language={reading.language} onDone={() => setAsking(false)} />
        </>
      )}
    </div>
  )
}

interface ScopeProps {
  readonly scope: ConsentScope
  readonly consents: readonly Consent[]
  readonly isGiven: boolean
}

function ScopeRow({ scope, consents, isGiven }: ScopeProps) {
  const label = sessionWords.consent.scopes[scope]
  const last = newestFirst(consents.filter(({ scopes }) => scopes.includes(scope)))[0]
  const isStanding = isGiven && last !== undefined
  const since = isStanding ? last.given_at : (last?.revoked_at ?? null)
  const ended = since === null ? words.declined : words.revoked.toLowerCase()
  return (
    <li>
      {isStanding && <Check aria-hidden className="consent-given" />}
      {!isStanding && (since === null ? <X aria-hidden /> : <Ban aria-hidden className="consent-revoked" />)}
      <span>{isStanding ? label : `${label}: ${ended}`}</span>
      <span className="caption">{since === null ? '' : formatDate(since)}</span>
    </li>
  )
}

const newestFirst = (consents: readonly Consent[]): Consent[] => consents.toSorted((a, b) => b.given_at.localeCompare(a.given_at))

function History({ consents }: { readonly consents: readonly Consent[] }) {
  if (consents.length === 0) return null
  return (
    <ul className="consent-history caption">
      {newestFirst(consents).map((consent) => (
        <li key={consent.id}>
          {words.history({
            method: consentMethod(consent, sessionWords.consent.methods),
            given: at(consent.given_at),
            revoked: consent.revoked_at === null ? null : at(consent.revoked_at),
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
      <Button variant="erasing" onPress={() => setOpen(true)} label={words.revoke} />
      <ConfirmDialog
        title={words.revokeTitle({ name: name(person.name) })}
        lead={words.revokeLead}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        cancel={words.revokeNo}
        submit={words.revokeYes}
        busy={revoke.isPending ? '…' : undefined}
        error={revoke.error?.code}
        onConfirm={() => all().catch(() => undefined)}
      />
    </>
  )
}
