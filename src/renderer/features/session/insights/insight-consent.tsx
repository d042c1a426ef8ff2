import { useState } from 'react'
import type { Consent } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { consentState } from '#domain/consent.ts'
import { useName } from '#renderer/lib/names.ts'
import { usePlaces } from '#renderer/lib/use-places.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { insightConsentVersion, insightWords } from '#renderer/strings/insights.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { Problem } from '#renderer/ui/page.tsx'
import { peopleOf, type SessionData } from '../session-data.ts'

const words = insightWords.consent

/** Insights are agreed to on their own, by everyone in the room. */
export function InsightConsent({ data }: { readonly data: SessionData }) {
  const { hasPractice } = usePlaces(data.settings)
  const consents = useCall('consents.list', { client_id: data.row.session.client_id })
  const people = peopleOf(data.row)
  const missing = people.filter((person) => consentState(person, people, consents.data ?? [], 'analyze') !== 'agreed')
  return (
    <>
      <h2 className="session-section-title">{words.title}</h2>
      <p className="muted insights-lead">{words.text}</p>
      <figure className="read-aloud">
        <figcaption className="caption">{sessionWords.consent.readAloud}</figcaption>
        <blockquote>{words.readAloud(hasPractice)}</blockquote>
      </figure>
      {consents.data !== undefined &&
        missing.map((person) => <PersonForm key={`${person.role} ${person.name}`} data={data} person={person} />)}
    </>
  )
}

function PersonForm({ data, person }: { readonly data: SessionData; readonly person: Participant }) {
  const name = useName()
  const [method, setMethod] = useState<Consent['method']>('spoken')
  const { hasPractice } = usePlaces(data.settings)
  const give = useAction('consents.give')
  const shown = name(person.name)
  const agree = (): void =>
    give.mutate({
      client_id: data.row.session.client_id,
      participant: person,
      scopes: ['analyze'],
      text_version: insightConsentVersion(hasPractice),
      language: 'en',
      method,
      witness: data.settings.therapist_name,
    })
  return (
    <form
      className="ui-card consent-form"
      aria-label={words.formTitle(shown)}
      onSubmit={(event) => {
        event.preventDefault()
        agree()
      }}
    >
      <h2 className="consent-form-title">{words.formTitle(shown)}</h2>
      <RadioGroup
        label={sessionWords.consent.how}
        look="row"
        options={[
          { value: 'spoken', label: sessionWords.consent.methods.spoken },
          { value: 'written', label: sessionWords.consent.methods.written },
          { value: 'electronic', label: sessionWords.consent.methods.electronic },
        ]}
        value={method}
        onChange={setMethod}
      />
      {give.error !== null && <Problem code={give.error.code} />}
      <div>
        <Button type="submit" busy={give.isPending ? sessionWords.consent.giving : undefined}>
          {sessionWords.consent.give(shown)}
        </Button>
      </div>
    </form>
  )
}
