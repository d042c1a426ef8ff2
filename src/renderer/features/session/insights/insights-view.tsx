import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { Insights } from '#contract/bridge/insights.ts'
import type { Work } from '#contract/bridge/sessions.ts'
import type { Analysis } from '#contract/model/analysis.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { PlayerAudio } from '#renderer/audio/player-bar.tsx'
import { usePlayer } from '#renderer/audio/use-player.ts'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { HeadActions } from '../head-actions.tsx'
import { playableId, type SessionData } from '../session-data.ts'
import { Behaviours } from './behaviours.tsx'
import { Changes } from './changes.tsx'
import { Cues } from './cues.tsx'
import { Figures } from './figures.tsx'
import { Goals, Homework, NextQuestions } from './lists.tsx'
import { Reading } from './no-insights.tsx'
import { PlaceContext, QuoteList } from './quote-line.tsx'
import { TopicChart } from './topic-chart.tsx'

interface InsightsViewProps {
  readonly data: SessionData
  readonly insights: Insights
  readonly analysis: Analysis
  readonly work: Work
  readonly transcript: Transcript | null
}

export function InsightsView({ data, insights, analysis, work, transcript }: InsightsViewProps) {
  const sessionId = data.row.session.id
  const player = usePlayer(playableId(data.recording))
  const [topic, setTopic] = useState(0)
  const chosen = analysis.topics[topic] ?? analysis.topics[0]
  return (
    <PlaceContext value={{ player, sessionId, transcript }}>
      <div className="insights">
        <PlayerAudio player={player} />
        <HeadActions>
          <span className="caption insights-promise-head">{insightWords.promise}</span>
        </HeadActions>
        <section className="insights-main" aria-label={insightWords.topics.title} data-region tabIndex={-1}>
          <Freshness sessionId={sessionId} insights={insights} work={work} />
          <p className="insights-summary">{analysis.summary}</p>
          <TopicChart analysis={analysis} transcript={transcript} chosen={chosen} onChoose={setTopic} />
          {chosen && <QuoteList title={insightWords.topics.asSaid(chosen.name)} evidence={chosen.evidence} />}
          <Figures analysis={analysis} transcript={transcript} />
          <Behaviours analysis={analysis} />
          <Methods analysis={analysis} />
          <Noted analysis={analysis} />
          <Changes analysis={analysis} />
        </section>
        <aside className="insights-aside" aria-label={insightWords.aside} data-region tabIndex={-1}>
          <Cues sessionId={sessionId} analysis={analysis} decisions={insights.decisions} transcript={transcript} />
          <NextQuestions analysis={analysis} />
          <Homework analysis={analysis} />
          <Goals analysis={analysis} />
          <p className="caption insights-footer">{insightWords.footer}</p>
        </aside>
      </div>
    </PlaceContext>
  )
}

/** Whether it is being read anew, or should be. */
function Freshness({
  sessionId,
  insights,
  work,
}: {
  readonly sessionId: string
  readonly insights: Insights
  readonly work: Work
}) {
  const ask = useAction('insights.request')
  const again = (): void => ask.mutate({ session_id: sessionId })
  if (work.state === 'running' || (work.state === 'waiting' && work.error === null))
    return <Reading sessionId={sessionId} work={work} />
  const failure = ask.error?.code ?? (work.error === 'cancelled' ? null : work.error)
  if (failure !== null) return <Problem code={failure} onRetry={again} />
  if (!insights.is_outdated) return null
  return (
    <Notice
      tone="needs"
      icon={RotateCw}
      title={insightWords.outdated}
      actions={<LinkButton onPress={again}>{insightWords.none.readAgain}</LinkButton>}
    />
  )
}

/** Each opens the words it was named from. */
function Methods({ analysis }: { readonly analysis: Analysis }) {
  const [open, setOpen] = useState<string | null>(null)
  const chosen = analysis.interventions.find(({ name }) => name === open)
  return (
    <section className="insights-part">
      <h2 className="session-section-title">{insightWords.methods.title}</h2>
      {analysis.interventions.length === 0 && <p className="muted">{insightWords.methods.none}</p>}
      <ul className="insights-methods">
        {analysis.interventions.map(({ name }) => (
          <li key={name}>
            <Button size="row" aria-expanded={open === name} onPress={() => setOpen(open === name ? null : name)}>
              {name}
            </Button>
          </li>
        ))}
      </ul>
      {chosen && <QuoteList title={chosen.name} evidence={chosen.evidence} />}
    </section>
  )
}

function Noted({ analysis }: { readonly analysis: Analysis }) {
  if (analysis.insights.length === 0) return null
  return (
    <section className="insights-part">
      <h2 className="session-section-title">{insightWords.noted}</h2>
      {analysis.insights.map(({ text, evidence }) => (
        <details key={text} className="insights-noted">
          <summary>{text}</summary>
          <QuoteList evidence={evidence} />
        </details>
      ))}
    </section>
  )
}
