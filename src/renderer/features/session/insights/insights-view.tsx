import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import type { Insights } from '#contract/bridge/insights.ts'
import type { Work } from '#contract/bridge/sessions.ts'
import type { Analysis, SessionChange } from '#contract/model/analysis.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { PlayerAudio } from '#renderer/audio/player-bar.tsx'
import { useAction } from '#renderer/bridge/use-bridge.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { formatDate, formatNumber } from '#renderer/strings/time.ts'
import { Button, LinkButton } from '#renderer/ui/button.tsx'
import { Notice, Problem } from '#renderer/ui/page.tsx'
import { isWorking, useSession, useSessionPlayer } from '../session-data.ts'
import { HeadActions } from '../session-head.tsx'
import { Cues } from './cues.tsx'
import { Behaviours, Figures, Part } from './figures.tsx'
import { Reading } from './no-insights.tsx'
import { Goals, Homework, NextQuestions, PlaceContext, QuoteDetails, QuoteList } from './quote-line.tsx'

interface InsightsViewProps {
  readonly insights: Insights
  readonly analysis: Analysis
  readonly work: Work
  readonly transcript: Transcript | null
}

export function InsightsView({ insights, analysis, work, transcript }: InsightsViewProps) {
  const { id } = useSession()
  const player = useSessionPlayer()
  const [topic, setTopic] = useState(0)
  const chosen = analysis.topics[topic] ?? analysis.topics[0]
  return (
    <PlaceContext value={{ player, sessionId: id, transcript }}>
      <div className="insights">
        <PlayerAudio player={player} />
        <HeadActions>
          <span className="caption insights-promise-head">{insightWords.promise}</span>
        </HeadActions>
        <section className="insights-main" aria-label={insightWords.topics.title} data-region tabIndex={-1}>
          <Freshness insights={insights} work={work} />
          <p className="insights-summary">{analysis.summary}</p>
          <TopicChart analysis={analysis} transcript={transcript} chosen={chosen} onChoose={setTopic} />
          {chosen && <QuoteList title={insightWords.topics.asSaid({ topic: chosen.name })} evidence={chosen.evidence} />}
          <Figures analysis={analysis} transcript={transcript} />
          <Behaviours analysis={analysis} />
          <Methods analysis={analysis} />
          <Noted analysis={analysis} />
          <Changes analysis={analysis} />
        </section>
        <aside className="insights-aside" aria-label={insightWords.aside} data-region tabIndex={-1}>
          <Cues analysis={analysis} decisions={insights.decisions} transcript={transcript} />
          <NextQuestions analysis={analysis} />
          <Homework analysis={analysis} />
          <Goals analysis={analysis} />
          <p className="caption insights-footer">{insightWords.footer}</p>
        </aside>
      </div>
    </PlaceContext>
  )
}

function Freshness({ insights, work }: Pick<InsightsViewProps, 'insights' | 'work'>) {
  const { id } = useSession()
  const ask = useAction('insights.request')
  const again = (): void => ask.mutate({ session_id: id })
  if (isWorking(work)) return <Reading work={work} />
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

function Methods({ analysis: { interventions } }: { readonly analysis: Analysis }) {
  const [open, setOpen] = useState<string | null>(null)
  const chosen = interventions.find(({ name }) => name === open)
  return (
    <Part title={insightWords.methods.title}>
      {interventions.length === 0 && <p className="muted">{insightWords.methods.none}</p>}
      <ul className="insights-methods">
        {interventions.map(({ name }) => (
          <li key={name}>
            <Button size="row" aria-expanded={open === name} onPress={() => setOpen(open === name ? null : name)} label={name} />
          </li>
        ))}
      </ul>
      {chosen && <QuoteList title={chosen.name} evidence={chosen.evidence} />}
    </Part>
  )
}

function Noted({ analysis: { insights } }: { readonly analysis: Analysis }) {
  if (insights.length === 0) return null
  return (
    <Part title={insightWords.noted}>
      {insights.map(({ text, evidence }) => (
        <QuoteDetails key={text} className="insights-noted" summary={text} evidence={evidence} />
      ))}
    </Part>
  )
}

const words = insightWords.changes

function Changes({ analysis: { changes } }: { readonly analysis: Analysis }) {
  return (
    <Part title={words.title}>
      <p className="muted">{changes === null ? words.none : words.lead({ date: formatDate(changes.starts_at) })}</p>
      {changes?.items.length === 0 && <p className="muted">{words.nothing}</p>}
      {changes?.items.map((change) => (
        <ChangeCard key={`${change.kind} ${change.text}`} change={change} since={changes.starts_at} />
      ))}
    </Part>
  )
}

function ChangeCard({ change, since }: { readonly change: SessionChange; readonly since: string }) {
  return (
    <article className="change ui-card">
      <h3 className="change-title">
        <span className="caption">{words.kinds[change.kind]}</span> {change.kind === 'goal' ? `“${change.text}”` : change.text}
      </h3>
      <div className="change-sides">
        <div>
          <p className="caption">{insightWords.quote.beforeOn({ date: formatDate(since) })}</p>
          {/* Null, because this page has neither the sound nor the transcript of the earlier session. */}
          <PlaceContext value={null}>
            <QuoteList evidence={change.before} />
          </PlaceContext>
        </div>
        <div>
          <p className="caption">{insightWords.quote.now}</p>
          {change.now.length === 0 ? (
            <p className="muted">{insightWords.quote.notSpoken}</p>
          ) : (
            <QuoteList evidence={change.now} />
          )}
        </div>
      </div>
    </article>
  )
}

const topicWords = insightWords.topics
type Topic = Analysis['topics'][number]

interface TopicChartProps {
  readonly analysis: Analysis
  readonly transcript: Transcript | null
  readonly chosen: Topic | undefined
  readonly onChoose: (index: number) => void
}

function TopicChart({ analysis, transcript, chosen, onChoose }: TopicChartProps) {
  const total = lengthOf(transcript, analysis)
  return (
    <section className="insights-part">
      <div className="topics-head">
        <h2 className="session-section-title">{topicWords.title}</h2>
        {analysis.topics.length > 0 && <span className="caption">{topicWords.help}</span>}
      </div>
      {analysis.topics.length === 0 && <p className="muted">{topicWords.none}</p>}
      <ul className="topics">
        {analysis.topics.map((topic, index) => (
          <li key={topic.name}>
            <AriaButton
              className="topic"
              aria-pressed={topic === chosen}
              aria-label={topicWords.name({
                topic: topic.name,
                length: lengthText(topic),
                moments: topicWords.moments({ count: topic.stretches.length }),
              })}
              onPress={() => onChoose(index)}
            >
              <span className="topic-name">{topic.name}</span>{' '}
              <span className="topic-line" aria-hidden>
                {total !== null &&
                  topic.stretches.map((stretch) => <Bar key={stretch.from_segment_id} stretch={stretch} total={total} />)}
              </span>
              <span className="topic-length tabular">{lengthText(topic)}</span>
            </AriaButton>
          </li>
        ))}
      </ul>
      {total !== null && analysis.topics.length > 0 && (
        <p className="topic-axis caption tabular" aria-hidden>
          {[0, 0.25, 0.5, 0.75, 1].map((share) => (
            <span key={share}>{share === 1 ? topicWords.end({ minutes: minutesAt(total) }) : minutesAt(total * share)}</span>
          ))}
        </p>
      )}
    </section>
  )
}

function Bar({ stretch, total }: { readonly stretch: Topic['stretches'][number]; readonly total: number }) {
  if (stretch.start_ms === null || stretch.end_ms === null) return null
  const left = (100 * stretch.start_ms) / total
  const width = Math.max(0.8, (100 * (stretch.end_ms - stretch.start_ms)) / total)
  return (
    <svg className="topic-bars" viewBox="0 0 100 10" preserveAspectRatio="none" focusable="false">
      <rect x={Math.min(left, 99.2)} y="0" width={width} height="10" />
    </svg>
  )
}

function lengthOf(transcript: Transcript | null, { topics }: Analysis): number | null {
  const parts = [...(transcript?.segments ?? []), ...topics.flatMap(({ stretches }) => stretches)]
  const last = parts.reduce((latest, { end_ms }) => Math.max(latest, end_ms ?? 0), 0)
  return last > 0 ? last : null
}

function lengthText({ stretches }: Topic): string {
  if (stretches.some(({ start_ms, end_ms }) => start_ms === null || end_ms === null))
    return topicWords.moments({ count: stretches.length })
  return topicWords.minutes(stretches.reduce((sum, { start_ms, end_ms }) => sum + (end_ms ?? 0) - (start_ms ?? 0), 0) / 60_000)
}

const minutesAt = (ms: number): string => formatNumber(ms / 60_000, ms > 0 && ms < 600_000 ? 1 : 0)
