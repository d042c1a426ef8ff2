import type { Analytics } from '#contract/model/analytics.ts'
import { figureStrings } from '#renderer/strings/figures.ts'

const width = 360
const height = 160

interface Props {
  readonly series: Analytics['series']
  readonly by: 'week' | 'month'
}

/** A week without a signed note has no point: the line leaves it out and stands for nothing in between. */
export function HoursToSign({ series, by }: Props) {
  const points = series.map(({ figures }) => figures.median_hours_to_sign)
  const known = points.flatMap((hours, index) => (hours === null ? [] : [{ hours, index }]))
  const steps = stepsTo(Math.max(1, ...known.map(({ hours }) => hours)))
  const top = steps.at(-1) ?? 1
  const x = (index: number): number => (series.length < 2 ? width / 2 : (index / (series.length - 1)) * width)
  const y = (hours: number): number => height - (hours / top) * height
  const [first, last] = [known[0], known.at(-1)]
  const ends = first === undefined || last === undefined ? [] : first === last ? [last] : [first, last]
  return (
    <section className="ui-card figure-card">
      <header className="figure-head">
        <h2>{figureStrings.toSign.title}</h2>
        <p className="caption">{figureStrings.toSign[by]}</p>
      </header>
      {known.length === 0 ? (
        <p className="figure-nothing">{figureStrings.unknown}</p>
      ) : (
        <div className="figure-plot" aria-hidden>
          {steps.map((step) => (
            <span key={step} className="figure-line" style={{ insetBlockEnd: `${(step / top) * 100}%` }}>
              <span>{step}</span>
            </span>
          ))}
          <svg className="figure-curve" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
            {runsOf(points).map((run) => (
              <polyline key={run[0]!.index} points={run.map(({ hours, index }) => `${x(index)},${y(hours)}`).join(' ')} />
            ))}
          </svg>
          {ends.map(({ hours, index }) => (
            <span
              key={index}
              className={index === first?.index && ends.length > 1 ? 'figure-end figure-end-first' : 'figure-end'}
              style={{ insetInlineStart: `${(x(index) / width) * 100}%`, insetBlockEnd: `${(hours / top) * 100}%` }}
            >
              <span>{figureStrings.hours(hours)}</span>
            </span>
          ))}
          <div className="figure-whens">
            {series.map(({ from }, index) =>
              labelled(index, series.length) ? (
                <span key={from} style={{ insetInlineStart: `${(x(index) / width) * 100}%` }}>
                  {shortDate(from, by)}
                </span>
              ) : null,
            )}
          </div>
        </div>
      )}
    </section>
  )
}

interface Point {
  readonly hours: number
  readonly index: number
}

/** Points that follow one another without a gap. */
function runsOf(points: readonly (number | null)[]): Point[][] {
  const runs: Point[][] = []
  for (const [index, hours] of points.entries()) {
    if (hours === null) continue
    const run = runs.at(-1)
    if (run !== undefined && run.at(-1)?.index === index - 1) run.push({ hours, index })
    else runs.push([{ hours, index }])
  }
  return runs
}

/** Round steps from 0 up to the first that reaches `most`, four at most beside the nought. */
export function stepsTo(most: number): number[] {
  const size = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000].find((step) => step * 4 >= most) ?? Math.ceil(most / 4)
  return Array.from({ length: Math.ceil(most / size) + 1 }, (_, index) => index * size)
}

/** So many names fit below a chart; the first has one always. */
export function labelled(index: number, count: number): boolean {
  return index % Math.ceil(count / 4) === 0
}

/** "7 Sep", or "Sep" where a part is a month. */
export function shortDate(day: string, by: 'week' | 'month'): string {
  const date = new Date(`${day}T12:00:00`)
  return date.toLocaleDateString('en-GB', { month: 'short', ...(by === 'week' ? { day: 'numeric' } : {}) })
}
