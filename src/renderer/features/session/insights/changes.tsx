import type { Analysis, SessionChange } from '#contract/model/analysis.ts'
import { insightWords } from '#renderer/strings/insights.ts'
import { formatDate } from '#renderer/strings/time.ts'
import { PlaceContext, QuoteList } from './quote-line.tsx'

const words = insightWords.changes

/** What was said then and now, side by side. Which way it went is not said. */
export function Changes({ analysis }: { readonly analysis: Analysis }) {
  const { changes } = analysis
  return (
    <section className="insights-part">
      <h2 className="session-section-title">{words.title}</h2>
      <p className="muted">{changes === null ? words.none : words.lead(formatDate(changes.starts_at))}</p>
      {changes?.items.length === 0 && <p className="muted">{words.nothing}</p>}
      {changes?.items.map((change) => (
        <ChangeCard key={`${change.kind} ${change.text}`} change={change} since={changes.starts_at} />
      ))}
    </section>
  )
}

function ChangeCard({ change, since }: { readonly change: SessionChange; readonly since: string }) {
  return (
    <article className="change ui-card">
      <h3 className="change-title">
        <span className="caption">{words.kind(change.kind)}</span> {change.kind === 'goal' ? `“${change.text}”` : change.text}
      </h3>
      <div className="change-sides">
        <div>
          <p className="caption">{insightWords.quote.beforeOn(formatDate(since))}</p>
          {/* Those words are of another session: no sound and no transcript of it is here. */}
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
