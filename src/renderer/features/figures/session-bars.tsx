import type { Analytics, Figures } from '#contract/model/analytics.ts'
import { figureStrings } from '#renderer/strings/figures.ts'
import { labelled, shortDate, stepsTo } from './axis.ts'

type Series = Analytics['series']
const outcomes = ['completed', 'cancelled', 'no_show'] as const

interface Props {
  readonly series: Series
  readonly totals: Figures
  readonly by: 'week' | 'month'
}

/** A bar for each week, one part for each way a session ended. Its table says the same to a screen reader. */
export function SessionBars({ series, totals, by }: Props) {
  const counts = series.map(({ figures }) => outcomes.map((outcome) => figures.sessions_by_status?.[outcome] ?? 0))
  const steps = stepsTo(Math.max(1, ...counts.map((parts) => parts.reduce((sum, part) => sum + part, 0))))
  const top = steps.at(-1) ?? 1
  return (
    <section className="ui-card figure-card">
      <header className="figure-head">
        <h2>{figureStrings.sessions[by]}</h2>
        <p className="figure-legend">
          {outcomes.map((outcome) => (
            <span key={outcome}>
              <i className={`figure-dot figure-${outcome}`} aria-hidden />
              {figureStrings.outcomes[outcome]} {totals.sessions_by_status?.[outcome] ?? figureStrings.kept}
            </span>
          ))}
        </p>
      </header>
      <div className="figure-plot" aria-hidden>
        {steps.map((step) => (
          <span key={step} className="figure-line" style={{ insetBlockEnd: `${(step / top) * 100}%` }}>
            <span>{step}</span>
          </span>
        ))}
        <div className="figure-bars">
          {series.map(({ from }, index) => (
            <div key={from} className="figure-bar">
              {outcomes.toReversed().map((outcome) => (
                <i
                  key={outcome}
                  className={`figure-part figure-${outcome}`}
                  style={{ blockSize: `${((counts[index]?.[outcomes.indexOf(outcome)] ?? 0) / top) * 100}%` }}
                />
              ))}
              {labelled(index, series.length) && <span className="figure-when">{shortDate(from, by)}</span>}
            </div>
          ))}
        </div>
      </div>
    </section>
  )
}
