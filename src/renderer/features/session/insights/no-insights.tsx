import { LineChart } from 'lucide-react'
import { useState } from 'react'
import type { Insights } from '#contract/bridge/insights.ts'
import type { Work } from '#contract/bridge/sessions.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { insightWords, insightConsentVersion } from '#renderer/strings/insights.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Empty, Loading, Problem } from '#renderer/ui/page.tsx'
import type { Consent } from '#contract/model/consent.ts'
import type { Participant } from '#contract/model/session.ts'
import { consentState } from '#domain/consent.ts'
import { useName } from '#renderer/lib/names.ts'
import { usePlaces } from '#renderer/lib/app-state.ts'
import { sessionWords } from '#renderer/strings/session.ts'
import { RadioGroup } from '#renderer/ui/choice.tsx'
import { type SessionData, peopleOf } from '../session-data.ts'

const words = insightWords.none

interface NoInsightsProps {
  readonly data: SessionData
  readonly insights: Insights
  readonly work: Work
}

export function NoInsights({ data, insights, work }: NoInsightsProps) {
  const sessionId = data.row.session.id
  return (
    <div className="tab-body insights-none" data-region tabIndex={-1}>
      {!insights.is_allowed ? (
        <InsightConsent data={data} />
      ) : !insights.has_transcript ? (
        <Empty title={words.noTranscript}>
          <p>{words.noTranscriptText}</p>
          <Button onPress={() => navigate(sessionPath(sessionId, 'transcript'))}>{words.toTranscript}</Button>
        </Empty>
      ) : isBusy(work) ? (
        <Reading sessionId={sessionId} work={work} />
      ) : (
        <Ask sessionId={sessionId} work={work} />
      )}
    </div>
  )
}

const isBusy = (work: Work): boolean => work.state === 'running' || (work.state === 'waiting' && work.error === null)

function Ask({ sessionId, work }: { readonly sessionId: string; readonly work: Work }) {
  const ask = useAction('insights.request')
  const status = useCall('outbox.status', {})
  const failure = ask.error?.code ?? (work.error === 'cancelled' ? null : work.error)
  return (
    <>
      <h2 className="session-section-title">{words.title}</h2>
      <p className="muted insights-lead">{status.data?.service === 'remote' ? words.leadRemote : words.lead}</p>
      {work.error === 'cancelled' && <p role="status">{words.stopped}</p>}
      {failure !== null && <Problem code={failure} />}
      <Button
        variant="filled"
        size="large"
        icon={LineChart}
        busy={ask.isPending ? `${words.reading}…` : undefined}
        onPress={() => ask.mutate({ session_id: sessionId })}
      >
        {words.read}
      </Button>
      <p className="caption">{insightWords.promise}</p>
    </>
  )
}

export function Reading({ sessionId, work }: { readonly sessionId: string; readonly work: Work }) {
  const stop = useAction('insights.cancel')
  return (
    <div className="insights-reading">
      <Loading {...(work.state === 'running' ? { progress: work.progress } : { left: words.waiting })}>{words.reading}</Loading>
      {work.state === 'waiting' && <p className="muted">{words.waiting}</p>}
      <Button size="row" onPress={() => stop.mutate({ session_id: sessionId })}>
        {words.stop}
      </Button>
    </div>
  )
}

const insightConsentWords = insightWords.consent

/** Insights need a separate consent from everyone in the room. */
function InsightConsent({ data }: { readonly data: SessionData }) {
  const { hasPractice } = usePlaces(data.settings)
  const consents = useCall('consents.list', { client_id: data.row.session.client_id })
  const people = peopleOf(data.row)
  const missing = people.filter((person) => consentState(person, people, consents.data ?? [], 'analyze') !== 'agreed')
  return (
    <>
      <h2 className="session-section-title">{insightConsentWords.title}</h2>
      <p className="muted insights-lead">{insightConsentWords.text}</p>
      <figure className="read-aloud">
        <figcaption className="caption">{sessionWords.consent.readAloud}</figcaption>
        <blockquote>{insightConsentWords.readAloud({ hasPractice })}</blockquote>
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
      aria-label={insightConsentWords.formTitle({ name: shown })}
      onSubmit={(event) => {
        event.preventDefault()
        agree()
      }}
    >
      <h2 className="consent-form-title">{insightConsentWords.formTitle({ name: shown })}</h2>
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
          {sessionWords.consent.give({ name: shown })}
        </Button>
      </div>
    </form>
  )
}
