import { LineChart } from 'lucide-react'
import type { Insights } from '#contract/bridge/insights.ts'
import type { Work } from '#contract/bridge/sessions.ts'
import { navigate, sessionPath } from '#renderer/lib/navigation.ts'
import { useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Empty, Loading, Problem } from '#renderer/ui/page.tsx'
import type { SessionData } from '../session-data.ts'
import { InsightConsent } from './insight-consent.tsx'

const words = insightWords.none

interface NoInsightsProps {
  readonly data: SessionData
  readonly insights: Insights
  readonly work: Work
}

/** Why there are none, and the way on. */
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

/** Also stands above insights that are being read anew. */
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
