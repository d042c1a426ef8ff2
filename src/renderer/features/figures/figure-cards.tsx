import type { FigureName, Figures } from '#contract/model/analytics.ts'
import { figureStrings } from '#renderer/strings/figures.ts'
import { formatLength } from '#renderer/strings/time.ts'

const delays = ['same_day', 'next_day', 'two_or_three_days', 'later'] as const

export function DelayCard({ totals }: { readonly totals: Figures }) {
  const { notes_signed_by_delay: byDelay } = totals
  const counts = delays.map((delay) => byDelay?.[delay] ?? null)
  const all = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  return (
    <section className="ui-card figure-card">
      <header className="figure-head">
        <h2>{figureStrings.delay}</h2>
        <p className="caption">{figureStrings.delayUnit(all)}</p>
      </header>
      <dl className="figure-shares">
        {delays.map((delay, index) => {
          const count = counts[index] ?? null
          return (
            <div key={delay}>
              <dt>{figureStrings.delays[delay]}</dt>
              <dd>
                {/* Without a note there is nothing to share. */}
                <i
                  hidden={all === 0}
                  className={index < 2 ? 'figure-share' : 'figure-share figure-share-late'}
                  style={{ inlineSize: `${all === 0 ? 0 : ((count ?? 0) / all) * 100}%` }}
                  aria-hidden
                />
                <span>{count === null || all === 0 ? figureStrings.unknown : figureStrings.percent(count / all)}</span>
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}

const facts = ['notes_due', 'clients_active', 'clients_new', 'hours', 'no_show_rate', 'recording_minutes'] as const

export function FactsCard({ totals }: { readonly totals: Figures }) {
  return (
    <section className="ui-card figure-card">
      <header className="figure-head">
        <h2>{figureStrings.also}</h2>
      </header>
      <dl className="figure-facts">
        {facts.map((name) => (
          <div key={name}>
            <dt>{figureStrings.names[name]}</dt>
            <dd>{written(totals, name)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Unknown is said, never written as nought. */
export function written(figures: Figures, name: FigureName): string {
  const value = figures[name]
  if (figures.suppressed?.includes(name)) return figureStrings.kept
  if (typeof value !== 'number') return figureStrings.unknown
  if (name === 'no_show_rate') return figureStrings.percent(value)
  if (name === 'hours' || name === 'median_hours_to_sign') return figureStrings.hours(value)
  return name.endsWith('_minutes') ? formatLength(value * 60_000) : String(value)
}
