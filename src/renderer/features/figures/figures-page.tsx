import { ChartNoAxesColumn, Download, Table2 } from 'lucide-react'
import { useState } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { figurePeriodSchema, type FigurePeriod } from '#contract/bridge/insights.ts'
import { type Analytics, type Figures, figureNames } from '#contract/model/analytics.ts'
import { download, useAction, useCall } from '#renderer/bridge/use-bridge.ts'
import { useNow } from '#renderer/lib/use-now.ts'
import { figureLead, figureStrings } from '#renderer/strings/figures.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { Empty, Loading, Notice, Page, Problem } from '#renderer/ui/page.tsx'
import { formatDayTime } from '#renderer/strings/time.ts'
import { useToast } from '#renderer/ui/toast.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { DelayCard, FactsCard, FiguresTable, HoursToSign, labelled, shortDate, stepsTo } from './figure-cards.tsx'
import './figures.css'

export function FiguresPage() {
  const [period, setPeriod] = useState<FigurePeriod>('twelve_weeks')
  const [isTable, setTable] = useState(false)
  const read = useCall('figures.read', { period }, { keepPrevious: true })
  const exported = useAction('figures.export')
  const toast = useToast()
  const save = (): void =>
    exported.mutate(
      { period },
      {
        onSuccess: (ticket) => {
          download(ticket)
          toast({ text: figureStrings.exported })
        },
      },
    )
  const failure = read.error ?? exported.error
  return (
    <Page
      title={figureStrings.title}
      lead={read.data && figureLead(read.data.analytics.totals)}
      actions={
        <>
          <Periods period={period} onChange={setPeriod} />
          <IconButton
            icon={isTable ? ChartNoAxesColumn : Table2}
            label={isTable ? figureStrings.table.hide : figureStrings.table.show}
            onPress={() => setTable(!isTable)}
          />
          <Button
            variant="filled"
            icon={Download}
            busy={exported.isPending ? figureStrings.exporting : undefined}
            isDisabled={!read.data}
            onPress={save}
          >
            {figureStrings.export}
          </Button>
        </>
      }
    >
      {read.isPending && <Loading>{figureStrings.loading}</Loading>}
      {failure && <Problem code={failure.code} onRetry={() => void read.refetch()} />}
      {read.data && <Body {...read.data} isTable={isTable} />}
    </Page>
  )
}

function Periods({ period, onChange }: { readonly period: FigurePeriod; readonly onChange: (period: FigurePeriod) => void }) {
  return (
    <ToggleButtonGroup
      className="segments"
      aria-label={figureStrings.period}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[period]}
      onSelectionChange={([chosen]) => onChange(figurePeriodSchema.parse(chosen))}
    >
      {figurePeriodSchema.options.map((option) => (
        <ToggleButton key={option} id={option} className="segment">
          {figureStrings.periods[option]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

interface BodyProps {
  readonly analytics: Analytics
  readonly answered_at: string
  readonly is_old: boolean
  readonly isTable: boolean
}

function Body({ analytics, answered_at, is_old, isTable }: BodyProps) {
  const now = useNow(60_000)
  const [isAsking, setAsking] = useState(false)
  const { totals, series } = analytics
  const by = series.length > 0 && isMonth(series[0]!) ? 'month' : 'week'
  const counted = isCounted(totals)
  return (
    <div className="figures-body">
      {is_old && <Notice>{figureStrings.old({ when: formatDayTime(answered_at, now) })}</Notice>}
      {!counted && <Empty title={figureStrings.none.title}>{figureStrings.none.text}</Empty>}
      {counted && isTable && <FiguresTable analytics={analytics} />}
      {counted && !isTable && (
        <div className="figure-cards">
          <SessionBars series={series} totals={totals} by={by} />
          <HoursToSign series={series} by={by} />
          <DelayCard totals={totals} />
          <FactsCard totals={totals} />
        </div>
      )}
      <div className="figures-how">
        <p>{(totals.suppressed?.length ?? 0) > 0 && figureStrings.suppressed}</p>
        <Button variant="quiet" onPress={() => setAsking(true)}>
          {figureStrings.how}
        </Button>
      </div>
      <DefinitionsDialog definitions={analytics.definitions ?? {}} isOpen={isAsking} onClose={() => setAsking(false)} />
    </div>
  )
}

const outcomes = ['completed', 'cancelled', 'no_show'] as const

function isCounted({ sessions_by_status, notes_signed }: Figures): boolean {
  const counts = sessions_by_status === null ? [null] : outcomes.map((outcome) => sessions_by_status[outcome] ?? 0)
  return notes_signed !== 0 || counts.some((count) => count !== 0)
}

function isMonth({ from, to }: { readonly from: string; readonly to: string }): boolean {
  return Date.parse(to) - Date.parse(from) > 7 * 24 * 60 * 60 * 1000
}

interface Props {
  readonly definitions: Readonly<Record<string, string>>
  readonly isOpen: boolean
  readonly onClose: () => void
}

function DefinitionsDialog({ definitions, isOpen, onClose }: Props) {
  return (
    <Dialog
      title={figureStrings.how}
      lead={figureStrings.howLead}
      isOpen={isOpen}
      onClose={onClose}
      size="wide"
      isReading
      actions={
        <Button autoFocus onPress={onClose}>
          {figureStrings.close}
        </Button>
      }
    >
      <dl className="figure-definitions">
        {figureNames.map((name) => (
          <div key={name}>
            <dt>{figureStrings.names[name]}</dt>
            <dd>{definitions[name] ?? figureStrings.unknown}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

type Series = Analytics['series']
const sessionBarsOutcomes = ['completed', 'cancelled', 'no_show'] as const

interface SessionBarsProps {
  readonly series: Series
  readonly totals: Figures
  readonly by: 'week' | 'month'
}

/** Screen readers get the same data from the table. */
function SessionBars({ series, totals, by }: SessionBarsProps) {
  const counts = series.map(({ figures }) => sessionBarsOutcomes.map((outcome) => figures.sessions_by_status?.[outcome] ?? 0))
  const steps = stepsTo(Math.max(1, ...counts.map((parts) => parts.reduce((sum, part) => sum + part, 0))))
  const top = steps.at(-1) ?? 1
  return (
    <section className="ui-card figure-card">
      <header className="figure-head">
        <h2>{figureStrings.sessions[by]}</h2>
        <p className="figure-legend">
          {sessionBarsOutcomes.map((outcome) => (
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
              {sessionBarsOutcomes.toReversed().map((outcome) => (
                <i
                  key={outcome}
                  className={`figure-part figure-${outcome}`}
                  style={{ blockSize: `${((counts[index]?.[sessionBarsOutcomes.indexOf(outcome)] ?? 0) / top) * 100}%` }}
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
