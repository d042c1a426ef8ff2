import { LineChart } from 'lucide-react'
import type { Insights } from '#contract/bridge/insights.ts'
import type { Work } from '#contract/bridge/sessions.ts'
import { consentState } from '#domain/consent.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { usePlaces } from '#renderer/lib/app-state.ts'
import { useName } from '#renderer/lib/names.ts'
import { navigate, sessionPath } from '#renderer/lib/routes.ts'
import { useClientLanguage } from '#renderer/sessions/client-language.tsx'
import { insightConsentVersion, insightWords } from '#renderer/strings/insights.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Empty, Loading, Problem } from '#renderer/ui/page.tsx'
import { GiveConsent, ReadAloud } from '../record/consent-gate.tsx'
import { isWorking, peopleOf, useSession } from '../session-data.ts'

const words = insightWords.none

interface WorkProps {
  readonly work: Work
}

export function NoInsights({ insights, work }: WorkProps & { readonly insights: Insights }) {
  return (
    <div className="tab-body insights-none" data-region tabIndex={-1}>
      <Next insights={insights} work={work} />
    </div>
  )
}

function Next({ insights, work }: WorkProps & { readonly insights: Insights }) {
  const { id } = useSession()
  if (!insights.is_allowed) return <InsightConsent />
  if (insights.has_transcript) return isWorking(work) ? <Reading work={work} /> : <Ask work={work} />
  return (
    <Empty title={words.noTranscript}>
      <p>{words.noTranscriptText}</p>
      <Button onPress={() => navigate(sessionPath(id, 'transcript'))} label={words.toTranscript} />
    </Empty>
  )
}

function Ask({ work }: WorkProps) {
  const { id } = useSession()
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
        onPress={() => ask.mutate({ session_id: id })}
        label={words.read}
      />
      <p className="caption">{insightWords.promise}</p>
    </>
  )
}

export function Reading({ work }: WorkProps) {
  const { id } = useSession()
  const stop = useAction('insights.cancel')
  return (
    <div className="insights-reading">
      <Loading {...(work.state === 'running' ? { progress: work.progress } : { left: words.waiting })}>{words.reading}</Loading>
      {work.state === 'waiting' && <p className="muted">{words.waiting}</p>}
      <Button size="row" onPress={() => stop.mutate({ session_id: id })} label={words.stop} />
    </div>
  )
}

const insightConsentWords = insightWords.consent

function InsightConsent() {
  const { row, settings } = useSession()
  const name = useName()
  const { hasPractice } = usePlaces(settings)
  const reading = useClientLanguage(row.session.client_id)
  const consents = useCall('consents.list', { client_id: row.session.client_id }).data
  const people = peopleOf(row)
  const missing = people.filter((person) => consentState(person, people, consents ?? [], 'analyze') !== 'agreed')
  return (
    <>
      <h2 className="session-section-title">{insightConsentWords.title}</h2>
      <p className="muted insights-lead">{insightConsentWords.text}</p>
      <ReadAloud reading={reading} text={reading.texts.insights.consent.readAloud({ hasPractice })} />
      {consents !== undefined &&
        missing.map((person) => (
          <GiveConsent
            key={`${person.role} ${person.name}`}
            person={person}
            title={insightConsentWords.formTitle({ name: name(person.name) })}
            scopes={['analyze']}
            textVersion={insightConsentVersion(hasPractice, reading.language)}
            language={reading.language}
          />
        ))}
    </>
  )
}
