import type { SessionRow } from '#contract/bridge/sessions.ts'
import type { SessionPatch } from '#contract/model/session.ts'
import { midnight } from '#renderer/lib/use-now.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Moves `at` by the days and the clock time between `from` and `to`, so that a series keeps its local time. */
export function shifted(at: string, from: string, to: string): string {
  const [date, before, after] = [new Date(at), new Date(from), new Date(to)]
  const days = Math.round((midnight(after).getTime() - midnight(before).getTime()) / DAY_MS)
  const hours = date.getHours() + after.getHours() - before.getHours()
  const minutes = date.getMinutes() + after.getMinutes() - before.getMinutes()
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, hours, minutes).toISOString()
}

export type Changes = Readonly<{ rows: readonly SessionRow[]; patchOf: (row: SessionRow) => SessionPatch }>

/** The last one first if they move to later times, so that none is moved to where the next one still is. */
export function movedSeries(rows: readonly SessionRow[], { session }: SessionRow, patch: SessionPatch): Changes {
  const { starts_at: to = session.starts_at } = patch
  const inOrder = rows.toSorted((left, right) => (left.session.starts_at < right.session.starts_at ? -1 : 1))
  const patchOf = (row: SessionRow): SessionPatch => ({
    ...patch,
    starts_at: shifted(row.session.starts_at, session.starts_at, to),
  })
  return { rows: to > session.starts_at ? inOrder.toReversed() : inOrder, patchOf }
}
