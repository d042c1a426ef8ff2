import { Check, CircleSlash, X } from 'lucide-react'
import { useState } from 'react'
import type { Client } from '#contract/model/client.ts'
import { consentScopeSchema, type Consent, type ConsentScope } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { useSettings, usePlaces } from '#renderer/lib/app-state.ts'
import { useName } from '#renderer/lib/names.ts'
import { optionsOf } from '#renderer/lib/text.ts'
import { useForm, wrongOf } from '#renderer/lib/use-form.ts'
import { OtherLanguage, useClientLanguage } from '#renderer/sessions/client-language.tsx'
import { useNow } from '#renderer/lib/use-now.ts'
import { useCall, useAction } from '#renderer/bridge/use-bridge.ts'
import {
  clientsStrings,
  consentMethod,
  consentMethodWords,
  consentTextVersion,
  roleWords,
  scopeList,
  scopeWords,
} from '#renderer/strings/clients.ts'
import { formatDate } from '#renderer/strings/time.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox, RadioGroup } from '#renderer/ui/choice.tsx'
import { ConfirmDialog } from '#renderer/ui/dialog.tsx'
import { SelectField, TextField } from '#renderer/ui/field.tsx'
import { Answer, Problem, Section } from '#renderer/ui/page.tsx'
import { useToast } from '#renderer/ui/toast.tsx'

const words = clientsStrings.consent
const withdrawWords = clientsStrings.consent.withdrawDialog

export function ClientConsent({ client }: { readonly client: Client }) {
  const list = useCall('consents.list', { client_id: client.id })
  const [isAsking, setAsking] = useState(false)
  const [withdrawing, setWithdrawing] = useState<Consent | null>(null)
  return (
    <div className="client-panel">
      <div className="client-consent-head">
        <p className="muted">{words.lead}</p>
        <Button onPress={() => setAsking(true)} label={words.ask} />
      </div>
      <Answer of={list}>
        {(consents) => (
          <>
            <Section title={words.now} className="client-consent-now">
              <ScopeList consents={consents.toSorted(byNewest)} />
            </Section>
            <Section title={words.history}>
              {consents.length === 0 && <p className="muted">{words.noHistory}</p>}
              <ul className="ui-rows">
                {consents.toSorted(byNewest).map((consent) => (
                  <ConsentLine key={consent.id} consent={consent} onWithdraw={() => setWithdrawing(consent)} />
                ))}
              </ul>
            </Section>
          </>
        )}
      </Answer>
      {isAsking && <GiveConsentDialog client={client} onClose={() => setAsking(false)} />}
      {withdrawing && <WithdrawDialog consent={withdrawing} onClose={() => setWithdrawing(null)} />}
    </div>
  )
}

const byNewest = (one: Consent, other: Consent): number => other.given_at.localeCompare(one.given_at)

function ScopeList({ consents }: { readonly consents: readonly Consent[] }) {
  const now = useNow(60_000)
  const ofClient = consents.filter(({ participant }) => participant.role === 'client')
  return (
    <ul className="client-scope-rows">
      {consentScopeSchema.options.map((scope) => {
        const named = ofClient.filter((consent) => consent.scopes.includes(scope))
        // A withdrawal also ends older consents for the same scope.
        const lastNo = named.reduce((last, { revoked_at }) => (revoked_at !== null && revoked_at > last ? revoked_at : last), '')
        const given = named.find(({ revoked_at, given_at }) => revoked_at === null && given_at > lastNo)
        const revokedAt = named.find(({ revoked_at }) => revoked_at !== null)?.revoked_at ?? null
        const state = given ? 'given' : revokedAt === null ? 'none' : 'withdrawn'
        const Icon = { given: Check, none: X, withdrawn: CircleSlash }[state]
        return (
          <li key={scope} data-state={state}>
            <Icon aria-hidden />
            <span>
              {scopeWords[scope]}
              {state === 'none' && `: ${words.notAgreed}`}
            </span>
            <span className="caption">
              {given && formatDate(given.given_at, now)}
              {state === 'withdrawn' && words.withdrawn({ date: formatDate(revokedAt!, now) })}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function ConsentLine({ consent, onWithdraw }: { readonly consent: Consent; readonly onWithdraw: () => void }) {
  const nameOf = useName()
  const now = useNow(60_000)
  const role = consent.participant.role === 'client' ? '' : roleWords[consent.participant.role]
  return (
    <li className="consent-line">
      <div className="consent-line-words">
        <p className="consent-line-who">{words.by({ name: nameOf(consent.participant.name), role })}</p>
        <p className="consent-line-what">{scopeList(consent.scopes)}</p>
        <p className="caption">
          {words.given({ method: consentMethod(consent, consentMethodWords), date: formatDate(consent.given_at, now) })}
          {consent.revoked_at !== null && `, ${words.withdrawn({ date: formatDate(consent.revoked_at, now) })}`}
        </p>
      </div>
      {consent.revoked_at === null && <Button variant="erasing" size="row" onPress={onWithdraw} label={words.withdraw} />}
    </li>
  )
}

function WithdrawDialog({ consent, onClose }: { readonly consent: Consent; readonly onClose: () => void }) {
  const nameOf = useName()
  const toast = useToast()
  const revoke = useAction('consents.revoke', () => {
    toast({ text: withdrawWords.done })
    onClose()
  })
  return (
    <ConfirmDialog
      title={withdrawWords.title({ name: nameOf(consent.participant.name) })}
      lead={withdrawWords.lead}
      role="alertdialog"
      onClose={onClose}
      cancel={withdrawWords.keep}
      submit={withdrawWords.withdraw}
      busy={revoke.isPending && withdrawWords.withdrawing}
      onConfirm={() => revoke.mutate({ id: consent.id })}
    >
      {revoke.error && <Problem code={revoke.error.code} />}
    </ConfirmDialog>
  )
}

const askWords = clientsStrings.consent.dialog
const scopes = consentScopeSchema.options
const otherRoles = optionsOf(roleWords).filter(({ value }) => value !== 'client')

interface Answers {
  readonly who: 'client' | 'other'
  readonly name: string
  readonly role: Participant['role']
  /** Empty at first: consent must not be preselected. */
  readonly scopes: readonly ConsentScope[]
  readonly method: Consent['method']
}

const noAnswers: Answers = { who: 'client', name: '', role: 'partner', scopes: [], method: 'spoken' }

const checkAnswers = ({ who, name, scopes: agreed }: Answers) =>
  wrongOf({
    name: who === 'other' && name.trim() === '' && askWords.nameMissing,
    scopes: agreed.length === 0 && askWords.nothing,
  })

function GiveConsentDialog({ client, onClose }: { readonly client: Client; readonly onClose: () => void }) {
  const nameOf = useName()
  const places = usePlaces(useSettings())
  const { language, ...reading } = useClientLanguage(client.id)
  const toast = useToast()
  const give = useAction('consents.give', () => {
    toast({ text: askWords.done({ name: nameOf(participant.name) }) })
    onClose()
  })
  const { fields, wrong, set, bind, pick, check } = useForm(noAnswers, checkAnswers)
  const { who, name, role, scopes: agreed, method } = fields
  const participant: Participant = who === 'client' ? { name: client.display_name, role: 'client' } : { name: name.trim(), role }
  const keep = (): void => {
    const text_version = consentTextVersion(places, language)
    if (check()) give.mutate({ client_id: client.id, participant, scopes: [...agreed], text_version, language, method })
  }
  return (
    <ConfirmDialog
      title={askWords.title({ name: nameOf(client.display_name) })}
      lead={askWords.lead}
      variant="filled"
      onClose={onClose}
      cancel={askWords.cancel}
      submit={askWords.give}
      busy={give.isPending && askWords.giving}
      onConfirm={keep}
    >
      <figure className="consent-text">
        <figcaption className="caption">
          {askWords.read} · <OtherLanguage of={{ language, ...reading }} />
        </figcaption>
        <p lang={language}>{reading.texts.consent.text(places)}</p>
      </figure>
      <RadioGroup
        {...pick('who')}
        label={askWords.who}
        look="row"
        options={[
          { value: 'client', label: askWords.whoClient },
          { value: 'other', label: askWords.whoOther },
        ]}
      />
      {who === 'other' && (
        <div className="ui-form-pair">
          <TextField {...bind('name')} label={askWords.otherName} maxLength={200} />
          <SelectField {...pick('role')} label={askWords.otherRole} options={otherRoles} />
        </div>
      )}
      <Scopes agreed={agreed} error={wrong.scopes} onChange={(next) => set({ scopes: next })} />
      <RadioGroup {...pick('method')} label={askWords.how} look="row" options={optionsOf(consentMethodWords)} />
      {give.error && <Problem code={give.error.code} />}
    </ConfirmDialog>
  )
}

interface ScopesProps {
  readonly agreed: readonly ConsentScope[]
  readonly error: string | undefined
  readonly onChange: (agreed: readonly ConsentScope[]) => void
}

function Scopes({ agreed, error, onChange }: ScopesProps) {
  const toggle = (scope: ConsentScope) => (isOn: boolean) =>
    onChange(scopes.filter((other) => (other === scope ? isOn : agreed.includes(other))))
  return (
    <fieldset className="consent-scopes">
      <legend className="ui-field-label">{askWords.agreed}</legend>
      {scopes.map((scope) => (
        <Checkbox key={scope} isSelected={agreed.includes(scope)} onChange={toggle(scope)} label={scopeWords[scope]} />
      ))}
      {error !== undefined && (
        <p className="ui-field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
