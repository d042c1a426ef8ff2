import { MicOff } from 'lucide-react'
import { useState } from 'react'
import type { Consent, ConsentScope } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { useName } from '#renderer/lib/names.ts'
import { usePlaces } from '#renderer/lib/app-state.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { consentText, consentTextVersion } from '#renderer/strings/clients.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox, RadioGroup } from '#renderer/ui/choice.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import type { SessionData } from '../session-data.ts'

const words = sessionWords.consent

/** Shown instead of the record button while someone's consent is missing. */
export function ConsentGate({ data }: { readonly data: SessionData }) {
  const name = useName()
  const missing = data.row.consent.missing.filter((entry) => entry.scopes.includes('record')).map((entry) => entry.participant)
  return (
    <section className="consent-gate" aria-labelledby="consent-gate-title">
      <h2 id="consent-gate-title" className="session-section-title">
        {words.title}
      </h2>
      <Notice tone="needs" icon={MicOff} title={words.missing({ names: missing.map((person) => name(person.name)) })}>
        {words.none}
      </Notice>
      <ReadAloud data={data} />
      {missing.map((person) => (
        <ConsentForm key={`${person.role} ${person.name}`} data={data} person={person} />
      ))}
    </section>
  )
}

export function ReadAloud({ data }: { readonly data: SessionData }) {
  const places = usePlaces(data.settings)
  return (
    <figure className="read-aloud">
      <figcaption className="caption">{words.readAloud}</figcaption>
      <blockquote>{consentText(places)}</blockquote>
    </figure>
  )
}

const asked: readonly ConsentScope[] = ['record', 'transcribe', 'draft']

function ScopeChoices({
  scopes,
  onChange,
}: {
  readonly scopes: readonly ConsentScope[]
  readonly onChange: (scopes: readonly ConsentScope[]) => void
}) {
  return (
    <div className="consent-scopes">
      {asked.map((scope) => (
        <Checkbox
          key={scope}
          isSelected={scopes.includes(scope)}
          onChange={(on) => onChange(on ? [...scopes, scope] : scopes.filter((other) => other !== scope))}
        >
          {words.scopes[scope]}
        </Checkbox>
      ))}
    </div>
  )
}

interface FormProps {
  readonly data: SessionData
  readonly person: Participant
  readonly onDone?: () => void
}

/** Each use needs its own agreement, so none is preselected. */
export function ConsentForm({ data, person, onDone }: FormProps) {
  const name = useName()
  const [scopes, setScopes] = useState<readonly ConsentScope[]>([])
  const [method, setMethod] = useState<Consent['method']>('spoken')
  const give = useAction('consents.give')
  const places = usePlaces(data.settings)
  const shown = name(person.name)
  const submit = (): void =>
    give.mutate(
      {
        client_id: data.row.session.client_id,
        participant: person,
        scopes: asked.filter((scope) => scopes.includes(scope)),
        text_version: consentTextVersion(places),
        language: 'en',
        method,
        witness: data.settings.therapist_name,
      },
      { onSuccess: () => onDone?.() },
    )
  return (
    <form
      className="ui-card consent-form"
      aria-label={words.formTitle({ name: shown })}
      onSubmit={(event) => {
        event.preventDefault()
        if (scopes.length > 0) submit()
      }}
    >
      <h3 className="consent-form-title">{words.formTitle({ name: shown })}</h3>
      <ScopeChoices scopes={scopes} onChange={setScopes} />
      <RadioGroup
        label={words.how}
        look="row"
        options={[
          { value: 'spoken', label: words.methods.spoken },
          { value: 'written', label: words.methods.written },
          { value: 'electronic', label: words.methods.electronic },
        ]}
        value={method}
        onChange={setMethod}
      />
      {give.error !== null && <Problem code={give.error.code} />}
      <div>
        <Button
          type="submit"
          variant="filled"
          isDisabled={scopes.length === 0}
          reason={words.needsRecord}
          busy={give.isPending ? words.giving : undefined}
        >
          {words.give({ name: shown })}
        </Button>
      </div>
    </form>
  )
}
