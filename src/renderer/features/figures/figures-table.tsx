import type { Analytics, Figures } from '#contract/model/analytics.ts'
import { figureStrings } from '#renderer/strings/figures.ts'
import { formatDate } from '#renderer/strings/time.ts'
import { written } from './figure-cards.tsx'

const outcomes = ['completed', 'cancelled', 'no_show'] as const
const columns = ['hours', 'notes_signed', 'notes_due', 'median_hours_to_sign', 'clients_active', 'clients_new'] as const

/** Every number of the charts, and more, by week or month. */
export function FiguresTable({ analytics: { series, totals } }: { readonly analytics: Analytics }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Wider than the sheet it must scroll by keyboard (WCAG 2.1.1).
    <div className="figures-scroll" role="region" aria-label={figureStrings.table.caption} tabIndex={0}>
      <table className="figures-table">
        <caption className="visually-hidden">{figureStrings.table.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{figureStrings.table.of}</th>
            {outcomes.map((outcome) => (
              <th key={outcome} scope="col">
                {figureStrings.outcomes[outcome]}
              </th>
            ))}
            {columns.map((name) => (
              <th key={name} scope="col">
                {figureStrings.names[name]}
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
          <Row name={figureStrings.table.all} figures={totals} />
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
        <td key={outcome}>{figures.sessions_by_status?.[outcome] ?? figureStrings.kept}</td>
      ))}
      {columns.map((column) => (
        <td key={column}>{written(figures, column)}</td>
      ))}
    </tr>
  )
}
