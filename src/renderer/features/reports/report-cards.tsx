import type { ReactNode } from 'react'
import type { FigureName, Figures, Analytics } from '#contract/model/analytics.ts'
import { FEW_HOURS, reportStrings } from '#renderer/strings/reports.ts'
import { Pairs } from '#renderer/ui/page.tsx'
import { formatLength, formatDate, formatNumber, formatShortDate } from '#renderer/strings/time.ts'

type FigureCardProps = Readonly<{ title: string; unit?: string; legend?: ReactNode; children: ReactNode }>

export function ReportCard({ title, unit, legend, children }: FigureCardProps) {
  return (
    <section className="ui-card report-card">
      <header className="report-head">
        <h2>{title}</h2>
        {unit !== undefined && <p className="caption">{unit}</p>}
        {legend}
      </header>
      {children}
    </section>
  )
}

type PlotProps = Readonly<{ steps: readonly number[]; label: string; children: ReactNode }>

/** `label`: the chart in words. */
export function Plot({ steps, label, children }: PlotProps) {
  const top = steps.at(-1) ?? 1
  return (
    <div className="report-plot" role="img" aria-label={label}>
      {steps.map((step) => (
        <span key={step} className="report-line" style={{ insetBlockEnd: `${(step / top) * 100}%` }}>
          <span>{step}</span>
        </span>
      ))}
      {children}
    </div>
  )
}

const delays = ['same_day', 'next_day', 'two_or_three_days', 'later'] as const

export function DelayCard({ totals }: { readonly totals: Figures }) {
  const { notes_signed_by_delay: byDelay } = totals
  const counts = delays.map((delay) => [delay, byDelay?.[delay] ?? null] as const)
  const all = counts.reduce((sum, [, count]) => sum + (count ?? 0), 0)
  return (
    <ReportCard title={reportStrings.delay} unit={reportStrings.delayUnit({ count: all })}>
      <dl className="report-shares">
        {counts.map(([delay, count], index) => (
          <div key={delay}>
            <dt>{reportStrings.delays[delay]}</dt>
            <dd>
              <i
                hidden={all === 0 || count === 0}
                className={index < 2 ? 'report-share' : 'report-share report-share-late'}
                style={{ inlineSize: `${all === 0 ? 0 : ((count ?? 0) / all) * 100}%` }}
                aria-hidden
              />
              <span>{count === null || all === 0 ? reportStrings.unknown : reportStrings.percent(count / all)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </ReportCard>
  )
}

const facts = ['notes_due', 'clients_active', 'clients_new', 'hours', 'no_show_rate', 'recording_minutes'] as const

export function FactsCard({ totals }: { readonly totals: Figures }) {
  return (
    <ReportCard title={reportStrings.also}>
      <Pairs className="report-facts" items={facts.map((name) => [reportStrings.names[name], written(totals, name)])} />
    </ReportCard>
  )
}

function written(figures: Figures, name: FigureName): string {
  const value = figures[name]
  if (figures.suppressed?.includes(name)) return reportStrings.kept
  if (typeof value !== 'number') return reportStrings.unknown
  if (name === 'no_show_rate') return reportStrings.percent(value)
  if (name === 'hours') return formatLength(value * 3_600_000)
  if (name === 'median_hours_to_sign') return reportStrings.timeToSign(value)
  return name.endsWith('_minutes') ? formatLength(value * 60_000) : formatNumber(value)
}

export const outcomes = ['completed', 'cancelled', 'no_show'] as const
const columns = ['hours', 'notes_signed', 'notes_due', 'median_hours_to_sign', 'clients_active', 'clients_new'] as const

export function ReportsTable({ analytics: { series, totals } }: { readonly analytics: Analytics }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a wide table must scroll by keyboard (WCAG 2.1.1)
    <div className="reports-scroll" role="region" aria-label={reportStrings.table.caption} tabIndex={0}>
      <table className="reports-table">
        <caption className="visually-hidden">{reportStrings.table.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{reportStrings.table.of}</th>
            {outcomes.map((outcome) => (
              <th key={outcome} scope="col">
                {reportStrings.outcomes[outcome]}
              </th>
            ))}
            {columns.map((name) => (
              <th key={name} scope="col">
                {reportStrings.names[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map(({ from, figures }) => (
            <Row key={from} name={formatDate(`${from}T12:00:00`)} figures={figures} />
          ))}
        </tbody>
        <tfoot>
          <Row name={reportStrings.table.all} figures={totals} />
        </tfoot>
      </table>
    </div>
  )
}

function Row({ name, figures }: { readonly name: string; readonly figures: Figures }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {outcomes.map((outcome) => (
        <td key={outcome}>{figures.sessions_by_status?.[outcome] ?? reportStrings.kept}</td>
      ))}
      {columns.map((column) => (
        <td key={column}>{written(figures, column)}</td>
      ))}
    </tr>
  )
}

const WIDTH = 360
const HEIGHT = 160

export type SeriesProps = Readonly<{ series: Analytics['series']; by: 'week' | 'month' }>

const MIN_TREND = 3

export function TimeToSign({ series, by, median }: SeriesProps & { readonly median: number | null }) {
  const known = series.flatMap(({ figures: { median_hours_to_sign: hours } }, index) =>
    hours === null ? [] : [{ hours, index }],
  )
  const isTrend = known.length >= MIN_TREND
  const most = Math.max(1, ...known.map(({ hours }) => hours))
  const unit = most < FEW_HOURS ? 1 : 24
  const steps = stepsTo(most / unit)
  const top = (steps.at(-1) ?? 1) * unit
  const x = (index: number): number => (series.length < 2 ? WIDTH / 2 : (index / (series.length - 1)) * WIDTH)
  const y = (hours: number): number => HEIGHT - (hours / top) * HEIGHT
  const [first, last] = [known[0], known.at(-1)]
  const ends = first === undefined || last === undefined ? [] : [first, last]
  const { toSign, timeToSign } = reportStrings
  const points = known.map(({ hours, index }) => `${shortDate(series[index]!.from, by)}: ${timeToSign(hours)}`)
  return (
    <ReportCard title={toSign.title} {...(isTrend && { unit: toSign[by]({ unit: unit === 1 ? 'hours' : 'days' }) })}>
      {isTrend ? (
        <Plot steps={steps} label={`${toSign.title}. ${points.join('; ')}`}>
          <svg className="report-curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
            {runsOf(known).map((run) => (
              <polyline key={run[0]!.index} points={run.map(({ hours, index }) => `${x(index)},${y(hours)}`).join(' ')} />
            ))}
          </svg>
          {ends.map(({ hours, index }) => (
            <span
              key={index}
              className={index === first?.index ? 'report-end report-end-first' : 'report-end'}
              style={{ insetInlineStart: `${(x(index) / WIDTH) * 100}%`, insetBlockEnd: `${(hours / top) * 100}%` }}
            >
              <span>{timeToSign(hours)}</span>
            </span>
          ))}
          <div className="report-whens">
            {series.map(({ from }, index) =>
              labelled(index, series.length) ? (
                <span key={from} style={{ insetInlineStart: `${(x(index) / WIDTH) * 100}%` }}>
                  {shortDate(from, by)}
                </span>
              ) : null,
            )}
          </div>
        </Plot>
      ) : (
        <p className="report-nothing">
          {median !== null && `${toSign.median({ time: timeToSign(median) })} `}
          {toSign.few[by]}
        </p>
      )}
    </ReportCard>
  )
}

type Point = Readonly<{ hours: number; index: number }>

function runsOf(known: readonly Point[]): Point[][] {
  const runs: Point[][] = []
  for (const point of known) {
    const run = runs.at(-1)
    if (run !== undefined && run.at(-1)?.index === point.index - 1) run.push(point)
    else runs.push([point])
  }
  return runs
}

/** Returns equally spaced axis labels from 0 to at least `most`, at most four above 0. */
export function stepsTo(most: number): number[] {
  const size = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000].find((step) => step * 4 >= most) ?? Math.ceil(most / 4)
  return Array.from({ length: Math.ceil(most / size) + 1 }, (_, index) => index * size)
}

export const labelled = (index: number, count: number): boolean => index % Math.ceil(count / 4) === 0

export function shortDate(day: string, by: 'week' | 'month'): string {
  return formatShortDate(`${day}T12:00:00`, by === 'week' ? 'day' : 'month')
}
