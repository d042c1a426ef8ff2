import { ChartNoAxesColumn, Download, Table2 } from 'lucide-react'
import { useState } from 'react'
import { figurePeriodSchema, type FigurePeriod } from '#contract/bridge/insights.ts'
import { type Analytics, type Figures, figureNames } from '#contract/model/analytics.ts'
import type { MethodOutput } from '#contract/bridge/methods.ts'
import { download, useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { reportsLead, reportStrings } from '#renderer/strings/reports.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Segments } from '#renderer/ui/choice.tsx'
import { Empty, Loading, Notice, Page, Pairs, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import { ReadingDialog } from '#renderer/ui/dialog.tsx'
import {
  DelayCard,
  FactsCard,
  ReportCard,
  ReportsTable,
  TimeToSign,
  labelled,
  outcomes,
  Plot,
  type SeriesProps,
  shortDate,
  stepsTo,
} from './report-cards.tsx'
import './reports.css'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000

export function ReportsPage() {
  const [period, setPeriod] = useState<FigurePeriod>('twelve_weeks')
  const [isTable, setTable] = useState(false)
  const read = useCall('figures.read', { period }, { keepPrevious: true })
  const toast = useToast()
  const exported = useAction('figures.export')
  const onExported = (ticket: MethodOutput<'figures.export'>): void => {
    download(ticket)
    toast({ text: reportStrings.exported })
  }
  const failure = read.error ?? exported.error
  return (
    <Page
      title={reportStrings.title}
      lead={read.data && reportsLead(read.data.analytics.totals)}
      actions={
        <>
          <Segments
            label={reportStrings.period}
            words={reportStrings.periods}
            values={figurePeriodSchema.options}
            value={period}
            onChange={setPeriod}
          />
          <IconButton
            icon={isTable ? ChartNoAxesColumn : Table2}
            label={isTable ? reportStrings.table.hide : reportStrings.table.show}
            onPress={() => setTable(!isTable)}
          />
          <Button
            variant="filled"
            icon={Download}
            busy={exported.isPending && reportStrings.exporting}
            isDisabled={!read.data}
            onPress={() => exported.mutate({ period }, { onSuccess: onExported })}
            label={reportStrings.export}
          />
        </>
      }
    >
      {read.isPending && <Loading>{reportStrings.loading}</Loading>}
      {failure && <Problem code={failure.code} onRetry={() => void read.refetch()} />}
      {read.data && <Body {...read.data} isTable={isTable} />}
    </Page>
  )
}

function Body({ analytics, answered_at, is_old, isTable }: MethodOutput<'figures.read'> & { readonly isTable: boolean }) {
  const now = useNow(60_000)
  const [isAsking, setAsking] = useState(false)
  const { totals } = analytics
  const series = fromFirstData(analytics.series, now)
  const [first] = analytics.series
  const by = first && Date.parse(first.to) - Date.parse(first.from) > WEEK_MS ? 'month' : 'week'
  const counted = isCounted(totals)
  return (
    <div className="reports-body">
      {is_old && <Notice text={reportStrings.old({ when: formatDayTime(answered_at, now) })} />}
      {!counted && <Empty title={reportStrings.none.title}>{reportStrings.none.text}</Empty>}
      {counted && isTable && <ReportsTable analytics={{ ...analytics, series }} />}
      {counted && !isTable && (
        <div className="report-cards">
          <SessionBars series={series} totals={totals} by={by} />
          <TimeToSign series={series} by={by} median={totals.median_hours_to_sign} />
          <DelayCard totals={totals} />
          <FactsCard totals={totals} />
        </div>
      )}
      <div className="reports-how">
        <p>{(totals.suppressed?.length ?? 0) > 0 && reportStrings.suppressed}</p>
        <Button variant="quiet" onPress={() => setAsking(true)} label={reportStrings.how} />
      </div>
      {isAsking && <DefinitionsDialog definitions={analytics.definitions ?? {}} onClose={() => setAsking(false)} />}
    </div>
  )
}

function isCounted({ sessions_by_status, notes_signed }: Figures): boolean {
  const counts = sessions_by_status === null ? [null] : outcomes.map((outcome) => sessions_by_status[outcome] ?? 0)
  return notes_signed !== 0 || counts.some((count) => count !== 0)
}

/** Without the weeks or months before the first session, and without those to come. */
function fromFirstData(series: Analytics['series'], now: Date): Analytics['series'] {
  const begun = series.filter(({ from }) => new Date(`${from}T00:00:00`) <= now)
  return begun.slice(
    Math.max(
      0,
      begun.findIndex(({ figures }) => isCounted(figures)),
    ),
  )
}

type DefinitionsDialogProps = Readonly<{ definitions: Readonly<Record<string, string>>; onClose: () => void }>

function DefinitionsDialog({ definitions, onClose }: DefinitionsDialogProps) {
  const shown: typeof definitions = { ...definitions, notes_due: reportStrings.notesDue }
  const items = figureNames.map((name) => [reportStrings.names[name], shown[name] ?? reportStrings.unknown] as const)
  return (
    <ReadingDialog title={reportStrings.how} lead={reportStrings.howLead} onClose={onClose} close={reportStrings.close}>
      <Pairs className="report-definitions" items={items} />
    </ReadingDialog>
  )
}

function SessionBars({ series, totals, by }: SeriesProps & { readonly totals: Figures }) {
  const counts = series.map(({ figures }) => outcomes.map((outcome) => figures.sessions_by_status?.[outcome] ?? 0))
  const steps = stepsTo(Math.max(1, ...counts.map((parts) => parts.reduce((sum, part) => sum + part, 0))))
  const top = steps.at(-1) ?? 1
  const points = counts.map((parts, index) => {
    const said = outcomes.map((outcome, part) => `${parts[part] ?? 0} ${reportStrings.outcomes[outcome]}`)
    return `${shortDate(series[index]!.from, by)}: ${said.join(', ')}`
  })
  const legend = (
    <p className="report-legend">
      {outcomes.map((outcome) => (
        <span key={outcome}>
          <i className={`report-dot report-${outcome}`} aria-hidden />
          {reportStrings.outcomes[outcome]} {totals.sessions_by_status?.[outcome] ?? reportStrings.kept}
        </span>
      ))}
    </p>
  )
  return (
    <ReportCard title={reportStrings.sessions[by]} legend={legend}>
      <Plot steps={steps} label={`${reportStrings.sessions[by]}. ${points.join('; ')}`}>
        <div className="report-bars">
          {series.map(({ from, figures }, index) => (
            <div key={from} className="report-bar">
              {outcomes.toReversed().map((outcome) => (
                <i
                  key={outcome}
                  className={`report-part report-${outcome}`}
                  style={{ blockSize: `${((figures.sessions_by_status?.[outcome] ?? 0) / top) * 100}%` }}
                />
              ))}
              {labelled(index, series.length) && <span className="report-when">{shortDate(from, by)}</span>}
            </div>
          ))}
        </div>
      </Plot>
    </ReportCard>
  )
}
