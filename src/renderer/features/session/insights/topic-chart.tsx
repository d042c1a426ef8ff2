import { Button as AriaButton } from 'react-aria-components'
import type { Analysis } from '#contract/model/analysis.ts'
import type { Transcript } from '#contract/model/transcript.ts'
import { insightWords } from '#renderer/strings/insights.ts'

const words = insightWords.topics
type Topic = Analysis['topics'][number]

interface TopicChartProps {
  readonly analysis: Analysis
  readonly transcript: Transcript | null
  readonly chosen: Topic | undefined
  readonly onChoose: (index: number) => void
}

/** One line a topic: where in the session it was spoken of. Each line says the same in words. */
export function TopicChart({ analysis, transcript, chosen, onChoose }: TopicChartProps) {
  const total = lengthOf(transcript, analysis)
  return (
    <section className="insights-part">
      <div className="topics-head">
        <h2 className="session-section-title">{words.title}</h2>
        {analysis.topics.length > 0 && <span className="caption">{words.help}</span>}
      </div>
      {analysis.topics.length === 0 && <p className="muted">{words.none}</p>}
      <ul className="topics">
        {analysis.topics.map((topic, index) => (
          <li key={topic.name}>
            <AriaButton
              className="topic"
              aria-pressed={topic === chosen}
              aria-label={words.name(topic.name, lengthText(topic), words.moments(topic.stretches.length))}
              onPress={() => onChoose(index)}
            >
              <span className="topic-name">{topic.name}</span>
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
            <span key={share}>{minutesAt(total * share)}</span>
          ))}
        </p>
      )}
    </section>
  )
}

function Bar({ stretch, total }: { readonly stretch: Topic['stretches'][number]; readonly total: number }) {
  if (stretch.start_ms === null || stretch.end_ms === null) return null
  const left = (100 * stretch.start_ms) / total
  // Never so narrow that it cannot be seen.
  const width = Math.max(0.8, (100 * (stretch.end_ms - stretch.start_ms)) / total)
  return (
    <svg className="topic-bars" viewBox="0 0 100 10" preserveAspectRatio="none" focusable="false">
      <rect x={Math.min(left, 99.2)} y="0" width={width} height="10" />
    </svg>
  )
}

function lengthOf(transcript: Transcript | null, { topics }: Analysis): number | null {
  const ends = [
    ...(transcript?.segments ?? []).map(({ end_ms }) => end_ms ?? 0),
    ...topics.flatMap(({ stretches }) => stretches.map(({ end_ms }) => end_ms ?? 0)),
  ]
  const last = ends.reduce((latest, end) => Math.max(latest, end), 0)
  return last > 0 ? last : null
}

/** Minutes where there are times, else how many moments. */
function lengthText({ stretches }: Topic): string {
  if (stretches.some(({ start_ms, end_ms }) => start_ms === null || end_ms === null)) return words.moments(stretches.length)
  return words.minutes(stretches.reduce((sum, { start_ms, end_ms }) => sum + (end_ms ?? 0) - (start_ms ?? 0), 0) / 60_000)
}

const minutesAt = (ms: number): string =>
  ms < 600_000 ? (ms / 60_000).toFixed(ms === 0 ? 0 : 1) : String(Math.round(ms / 60_000))
