import { type Analytics, figureDefinitions, type FigureName, figureNames, type Figures } from '#contract/model/analytics.ts'
import type { Role } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { dayIn, figuresOf, type Interval, intervalsOf, partAt, partsIn, suppressed } from '../analytics/count.ts'
import { type Counted, rowsIn } from '../analytics/rows.ts'
import { mayReach, reachOf, type Within } from '#service/access/authorization.ts'
import type { Call, HandlersOf } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { useToday } from '../store/call-counts.ts'
import type { Database } from '../store/tables.ts'
import { invalid, NotFound } from '#service/kernel/problem.ts'
import { Temporal } from 'temporal-polyfill/implementation'

const MAX_PARTS = 800

const seenBy: Partial<Readonly<Record<Role, readonly FigureName[]>>> = {
  front_desk: ['sessions_by_status', 'hours', 'no_show_rate'],
  biller: ['sessions_by_status', 'hours', 'notes_due', 'notes_signed'],
}

export function analyticsHandlers({ clock }: Services): HandlersOf<'readAnalytics'> {
  return {
    readAnalytics: (call) => async (db) => {
      const { practice } = call
      const query = withSpan(call.query, clock.now())
      refuseSpan(query)
      const { whole, parts } = intervalsOf(query.from, query.to, query.group_by, query.time_zone)
      const { within, seen } = viewOf(call)
      const counted = await countedIn(db, practice, within, whole)
      const dayOf = dayIn(query.time_zone)
      const cellOf = (rows: Counted) => ({ counted: rows, figures: figuresOf(rows, dayOf) })
      const cells = { total: cellOf(counted), parts: inParts(counted, parts).map(cellOf) }
      const figures = seesRecords(call)
        ? { total: cells.total.figures, parts: cells.parts.map((cell) => cell.figures) }
        : suppressed(cells.total, cells.parts)
      const quota = seen.has('quota_used_today') ? (await useToday(db, practice, clock.now())).used : null
      const data: Analytics = {
        from: query.from,
        to: query.to,
        time_zone: query.time_zone,
        totals: only(seen, { ...figures.total, quota_used_today: quota }),
        series: parts.map(({ from, to }, index) => ({ from, to, figures: only(seen, figures.parts[index]!) })),
        definitions: figureDefinitions,
        withheld: figureNames.filter((name) => !seen.has(name)),
      }
      return { status: 200, data, touched: [] }
    },
  }
}

type Query = Call<'readAnalytics'>['query']
interface Span {
  readonly from: string
  readonly to: string
}

function withSpan(query: Query, now: number): Query & Span {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(query.time_zone).toPlainDate()
  const to = query.to ?? later(today.toString(), query.from)
  return { ...query, to, from: query.from ?? Temporal.PlainDate.from(to).subtract({ days: 29 }).toString() }
}

const later = (day: string, other = ''): string => (day > other ? day : other)

function refuseSpan({ from, to, group_by }: Query & Span): void {
  if (from > to) throw invalid('/to', 'invalid_value', 'before `from`')
  if (partsIn(from, to, group_by) > MAX_PARTS)
    throw invalid('/from', 'invalid_value', `more than ${MAX_PARTS} parts; group by more days or ask for fewer`)
}

function viewOf({ scope, caller, query }: Call<'readAnalytics'>): { within: Within; seen: ReadonlySet<FigureName> } {
  const { clinician_id } = query
  if (clinician_id !== undefined && !mayReach(scope, clinician_id)) throw new NotFound(clinician_id)
  const within: Within =
    clinician_id === undefined ? scope : { clinicians: new Set([clinician_id]), unassigned: false, clients: new Set() }
  const isWhole = scope.limited === null || (clinician_id !== undefined && mayReach(scope.limited.whole, clinician_id))
  const seen = isWhole ? figureNames : (scope.limited?.roles ?? []).flatMap((role) => seenBy[role] ?? [])
  // The quota covers the whole practice, so only owners and auditors see it.
  const seesPractice = caller.roles.some((role) => role === 'owner' || role === 'auditor')
  return { within, seen: new Set(seen.filter((name) => seesPractice || name !== 'quota_used_today')) }
}

/** Callers who may list sessions could count them, so small counts are hidden only from other callers. */
const seesRecords = ({ caller }: Call<'readAnalytics'>): boolean => reachOf(caller, routes.listSessions) !== 'none'

function countedIn(db: Database, practice: string, within: Within, { start, end }: Interval): Promise<Counted> {
  const text = (at: number): string => new Date(at).toISOString()
  return rowsIn(db, { practice, within, start: text(start), end: text(end) })
}

function inParts({ sessions, signed, transcripts, firsts }: Counted, parts: readonly Interval[]): Counted[] {
  const split = <Row>(rows: readonly Row[], at: (row: Row) => string): Row[][] => {
    const lists: Row[][] = parts.map(() => [])
    for (const row of rows) lists[partAt(parts, Date.parse(at(row))) ?? -1]?.push(row)
    return lists
  }
  const held = split(sessions, ({ starts_at }) => starts_at)
  const closed = split(signed, ({ signed_at }) => signed_at)
  const heard = split(transcripts, ({ created_at }) => created_at)
  const begun = split(firsts, ({ starts_at }) => starts_at)
  return parts.map((_, at) => ({ sessions: held[at]!, signed: closed[at]!, transcripts: heard[at]!, firsts: begun[at]! }))
}

function only(seen: ReadonlySet<FigureName>, figures: Figures): Figures {
  const hidden = figureNames.filter((name) => !seen.has(name))
  return { ...figures, ...Object.fromEntries(hidden.map((name) => [name, null])) }
}
