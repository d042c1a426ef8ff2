import { MicOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { usePlaces } from '#renderer/lib/app-state.ts'
import { useName } from '#renderer/lib/names.ts'
import { type ClientLanguage, OtherLanguage, useClientLanguage } from '#renderer/sessions/client-language.tsx'
import { isToStart } from '#renderer/lib/start-session.ts'
import { consentTextVersion } from '#renderer/strings/clients.ts'
import type { Language } from '#renderer/strings/locale.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox, RadioGroup } from '#renderer/ui/choice.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { LocalForm, TitledSection } from '../parts.tsx'
import { useSession } from '../session-data.ts'

const words = sessionWords.consent

export function ConsentGate() {
  const name = useName()
  const { id, row, settings } = useSession()
  const places = usePlaces(settings)
  const reading = useClientLanguage(row.session.client_id)
  const isReady = useCall('transcripts.get', { session_id: id }).data?.speech_ready === true
  const isThenRecorded = isReady && isToStart(id)
  const missing = row.consent.missing.filter(({ scopes }) => scopes.includes('record')).map(({ participant }) => participant)
  return (
    <TitledSection className="consent-gate" title={words.title}>
      <Notice tone="needs" icon={MicOff} title={words.missing({ names: missing.map((person) => name(person.name)) })}>
        {words.none}
      </Notice>
      <ReadAloud reading={reading} text={reading.texts.consent.text(places)} />
      {missing.map((person) => (
        <ConsentForm
          key={`${person.role} ${person.name}`}
          person={person}
          language={reading.language}
          isThenRecorded={isThenRecorded && missing.length === 1}
        />
      ))}
    </TitledSection>
  )
}

export function ReadAloud({ reading, text }: { readonly reading: ClientLanguage; readonly text: string }) {
  return (
    <figure className="read-aloud">
      <figcaption className="caption">
        {words.readAloud} · <OtherLanguage of={reading} />
      </figcaption>
      <blockquote lang={reading.language}>{text}</blockquote>
    </figure>
  )
}

export const askedScopes: readonly ConsentScope[] = ['record', 'transcribe', 'draft', 'retain']

interface FormProps {
  readonly person: Participant
  /** Of the text that was read. */
  readonly language: Language
  readonly isThenRecorded?: boolean
  readonly onDone?: () => void
}

/** Each scope needs its own agreement, so none is preselected. */
export function ConsentForm({ person, language, isThenRecorded = false, onDone }: FormProps) {
  const name = useName()
  const { settings } = useSession()
  const places = usePlaces(settings)
  const [scopes, setScopes] = useState<readonly ConsentScope[]>([])
  return (
    <GiveConsent
      person={person}
      title={words.formTitle({ name: name(person.name) })}
      scopes={askedScopes.filter((scope) => scopes.includes(scope))}
      textVersion={consentTextVersion(places, language)}
      language={language}
      variant="filled"
      label={isThenRecorded && scopes.includes('record') ? words.giveAndRecord : words.give}
      onDone={onDone}
    >
      <div className="consent-scopes">
        <Checkbox
          isSelected={scopes.length === askedScopes.length}
          onChange={(on) => setScopes(on ? askedScopes : [])}
          label={words.everything}
          detail={words.everythingHelp}
        />
        {askedScopes.map((scope) => (
          <Checkbox
            key={scope}
            isSelected={scopes.includes(scope)}
            onChange={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope))}
            label={words.scopes[scope]}
          />
        ))}
      </div>
    </GiveConsent>
  )
}

interface GiveProps extends Pick<Consent, 'scopes' | 'language'> {
  readonly person: Participant
  readonly title: string
  readonly textVersion: string
  readonly variant?: 'filled' | 'outlined'
  readonly label?: (values: { readonly name: string }) => string
  readonly onDone?: (() => void) | undefined
  readonly children?: ReactNode
}

export function GiveConsent(props: GiveProps) {
  const { person, title, scopes, textVersion, language, variant = 'outlined', label = words.give, onDone, children } = props
  const name = useName()
  const { row, settings } = useSession()
  const [method, setMethod] = useState<Consent['method']>('spoken')
  const give = useAction('consents.give')
  const submit = (): void =>
    give.mutate(
      {
        client_id: row.session.client_id,
        participant: person,
        scopes,
        text_version: textVersion,
        language,
        method,
        witness: settings.therapist_name,
      },
      { onSuccess: () => onDone?.() },
    )
  return (
    <LocalForm className="ui-card consent-form" aria-label={title} onSubmit={() => scopes.length > 0 && submit()}>
      <h3 className="consent-form-title">{title}</h3>
      {children}
      <RadioGroup
        label={words.how}
        look="row"
        options={(['spoken', 'written', 'electronic'] as const).map((value) => ({ value, label: words.methods[value] }))}
        value={method}
        onChange={setMethod}
      />
      {give.error !== null && <Problem code={give.error.code} />}
      <div>
        <Button
          type="submit"
          variant={variant}
          isDisabled={scopes.length === 0}
          reason={words.needsRecord}
          busy={give.isPending ? words.giving : undefined}
          label={label({ name: name(person.name) })}
        />
      </div>
    </LocalForm>
  )
}
