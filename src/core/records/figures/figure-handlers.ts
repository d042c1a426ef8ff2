import type { FigurePeriod } from '#contract/bridge/insights.ts'
import type { ExportTicket } from '#contract/bridge/library.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { type Analytics, analyticsSchema, figureNames, type Figures } from '#contract/model/analytics.ts'
import { type Clock, systemTimeZone, timestamp } from '#base/clock.ts'
import { localDateIn } from '#base/locale.ts'
import type { Sqlite } from '#base/sqlite.ts'
import type { ServiceClient } from '#client/client.ts'
import type { KeptAnswer, KeptAnswers } from '#core/records/kept-answers.ts'
import { owesNote } from '#core/records/sessions/session-repository.ts'

interface Parts {
  readonly db: Sqlite
  readonly client: () => ServiceClient
  readonly keptAnswers: KeptAnswers
  readonly clock: Clock
  readonly issue: (stem: string, format: 'csv', bytes: Buffer) => ExportTicket
}

export function figureHandlers({ db, client, keptAnswers, clock, issue }: Parts): Handlers<'figures.read' | 'figures.export'> {
  const owing = `select starts_at from sessions left join notes on notes.session_id = sessions.id where ${owesNote}`
  const owed = db.prepare(owing).pluck()
  async function read(period: FigurePeriod): Promise<KeptAnswer<Analytics>> {
    const time_zone = systemTimeZone()
    const query = { ...intervalOf(period, clock.now(), time_zone), time_zone }
    const question = `figures ${query.from} ${query.to} ${query.group_by} ${time_zone}`
    const ask = async (): Promise<Analytics> => (await client().call('readAnalytics', { query })).data
    const answer = await keptAnswers.ask(question, analyticsSchema, ask)
    const days = (owed.all({ now: timestamp(clock) }) as string[]).map((start) => localDateIn(Date.parse(start), time_zone))
    return { ...answer, value: withNotesDue(answer.value, days) }
  }
  return {
    async 'figures.read'({ period }) {
      const { value: analytics, ...answered } = await read(period)
      return { analytics, ...answered }
    },
    async 'figures.export'({ period }) {
      const { value } = await read(period)
      return issue(`figures-${value.from}-to-${value.to}`, 'csv', Buffer.from(figuresCsv(value)))
    },
  }
}

/** The service counts notes due for completed sessions only. The app counts every past session. */
function withNotesDue(analytics: Analytics, days: readonly string[]): Analytics {
  const { from, to, totals, series } = analytics
  const dueIn = (first: string, last: string) => ({ notes_due: days.filter((day) => day >= first && day <= last).length })
  if (totals.notes_due === null) return analytics
  const parts = series.map((part) => ({ ...part, figures: { ...part.figures, ...dueIn(part.from, part.to) } }))
  return { ...analytics, totals: { ...totals, ...dueIn(from, to) }, series: parts }
}

const DAY_MS = 24 * 60 * 60 * 1000

export function intervalOf(period: FigurePeriod, now: number, timeZone: string) {
  const today = localDateIn(now, timeZone)
  if (period === 'year')
    return { from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31`, group_by: 'month' as const }
  const weeks = period === 'four_weeks' ? 4 : 12
  // Calculate with UTC days, so that daylight saving time does not matter.
  const start = Date.parse(`${today}T00:00:00Z`)
  const monday = start - ((new Date(start).getUTCDay() + 6) % 7) * DAY_MS
  return { from: dayOf(monday - (weeks - 1) * 7 * DAY_MS), to: dayOf(monday + 6 * DAY_MS), group_by: 'week' as const }
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

function figuresCsv({ from, to, totals, series }: Analytics): string {
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

function cellOf(value: string | number | null): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
