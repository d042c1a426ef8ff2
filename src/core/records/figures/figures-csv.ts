import { figureNames } from '#contract/model/analytics.ts'
import type { Analytics, Figures } from '#contract/model/analytics.ts'

/** One row for each interval and one for all of it. A figure that is not known is an empty cell, never 0. */
export function figuresCsv({ from, to, totals, series }: Analytics): string {
  const rows = [...series, { from, to, figures: totals }]
  const names = [...new Set(rows.flatMap(({ figures }) => cellsOf(figures).map(([name]) => name)))]
  const lines = rows.map((row) => {
    const cells = new Map(cellsOf(row.figures))
    return [row.from, row.to, ...names.map((name) => cells.get(name) ?? null)]
  })
  return [['from', 'to', ...names], ...lines].map((cells) => cells.map(cellOf).join(',')).join('\r\n') + '\r\n'
}

type Cell = readonly [name: string, value: number | null]

function cellsOf(figures: Figures): Cell[] {
  return figureNames.flatMap((name): Cell[] => {
    const value = figures[name]
    if (typeof value === 'number') return [[name, value]]
    if (typeof value !== 'object' || value === null) return [[name, null]]
    return Object.entries(value).map(([part, count]): Cell => [`${name}.${part}`, count])
  })
}

/** RFC 4180. Nothing here begins as a formula does: names are the contract's own and values are numbers. */
function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
