import { useCall } from '#renderer/bridge/use-bridge.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { Loading, Problem } from '#renderer/ui/page.tsx'
import type { SessionData } from '../session-data.ts'
import { useWorkProgress } from '../use-work-progress.ts'
import { InsightsView } from './insights-view.tsx'
import { NoInsights } from './no-insights.tsx'
import './insights.css'
import './figures.css'
import './insights-aside.css'

/** What the session was made of, for the therapist alone. */
export function InsightsTab({ data }: { readonly data: SessionData }) {
  const input = { session_id: data.row.session.id }
  const answer = useCall('insights.get', input)
  const words = useCall('transcripts.get', input)
  const work = useWorkProgress(input.session_id, 'analyze', answer.data?.work ?? { state: 'idle', progress: 0, error: null })
  if (answer.data === undefined || (words.data === undefined && words.error === null)) {
    return (
      <div className="tab-body">
        {answer.error === null ? (
          <Loading>{insightWords.loading}</Loading>
        ) : (
          <Problem code={answer.error.code} onRetry={() => void answer.refetch()} />
        )}
      </div>
    )
  }
  const { analysis } = answer.data
  const transcript = words.data?.transcript ?? null
  if (analysis === null) return <NoInsights data={data} insights={answer.data} work={work} />
  return <InsightsView data={data} insights={answer.data} analysis={analysis} work={work} transcript={transcript} />
}
