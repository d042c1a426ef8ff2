import type { Figures } from '#contract/model/analytics.ts'
import { sessionStatusSchema } from '#contract/model/session.ts'
import type { Counted, SessionRow, SignedRow } from './rows.ts'
import type { Temporal as Kinds } from 'temporal-polyfill'
import { Temporal } from 'temporal-polyfill/implementation'
import { worldRules, zonesBy } from '../schedule/zone.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

export function figuresOf(counted: Counted, dayOf: (instant: string) => number): Figures {
  const { sessions, signed, transcripts, firsts } = counted
  const completed = sessions.filter(({ status }) => status === 'completed')
  const missed = sessions.filter(({ status }) => status === 'no_show').length
  return {
    sessions_by_status: Object.fromEntries(
      sessionStatusSchema.options.map((status) => [status, sessions.filter((session) => session.status === status).length]),
    ),
    hours: rounded(sum(completed.map(({ starts_at, ends_at }) => between(starts_at, ends_at))) / HOUR_MS),
    no_show_rate: completed.length + missed === 0 ? null : missed / (completed.length + missed),
    notes_due: completed.filter(({ signed_at }) => signed_at === null).length,
    notes_signed: signed.length,
    notes_signed_by_delay: delaysOf(signed, dayOf),
    median_hours_to_sign: medianHours(signed),
    recording_minutes: recorded(sessions),
    transcription_minutes: rounded(sum(transcripts.map(({ duration_ms }) => duration_ms)) / MINUTE_MS),
    clients_active: new Set(completed.map(({ client_id }) => client_id)).size,
    clients_new: firsts.length,
    quota_used_today: null,
  }
}

function delaysOf(signed: readonly SignedRow[], dayOf: (instant: string) => number) {
  const delays = signed.flatMap(({ signed_at, starts_at }) => (starts_at === null ? [] : [dayOf(signed_at) - dayOf(starts_at)]))
  const among = (least: number, most: number): number => delays.filter((days) => days >= least && days <= most).length
  return {
    same_day: among(-Infinity, 0),
    next_day: among(1, 1),
    two_or_three_days: among(2, 3),
    later: among(4, Infinity),
  }
}

function medianHours(signed: readonly SignedRow[]): number | null {
  const times = signed
    .flatMap(({ signed_at, ends_at }) => (ends_at === null ? [] : [Math.max(0, between(ends_at, signed_at))]))
    .toSorted((left, right) => left - right)
  const [low, high] = [times[(times.length - 1) >> 1], times[times.length >> 1]]
  return low === undefined || high === undefined ? null : rounded((low + high) / 2 / HOUR_MS)
}

function recorded(sessions: readonly SessionRow[]): number | null {
  const known = sessions.flatMap(({ sound_ms }) => sound_ms ?? [])
  return known.length === 0 ? null : rounded(sum(known) / MINUTE_MS)
}

const between = (start: string, end: string): number => Date.parse(end) - Date.parse(start)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const rounded = (number: number): number => Math.round(number * 100) / 100

type Day = Kinds.PlainDate

/** Local dates from `from` through `to`. `start` and `end` are Unix milliseconds; `end` is exclusive. */
export interface Interval {
  readonly from: string
  readonly to: string
  readonly start: number
  readonly end: number
}

type GroupBy = 'day' | 'week' | 'month'

export function intervalsOf(from: string, to: string, by: GroupBy, zone: string): { whole: Interval; parts: Interval[] } {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const parts: Interval[] = []
  for (let day = first; Temporal.PlainDate.compare(day, last) <= 0;) {
    const end = earlier(lastDayOf(day, by), last)
    parts.push(intervalOf(day, end, zone))
    day = end.add({ days: 1 })
  }
  return { whole: intervalOf(first, last, zone), parts }
}

export function partsIn(from: string, to: string, by: GroupBy): number {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  if (by === 'month') return (last.year - first.year) * 12 + last.month - first.month + 1
  const days = first.until(last).days + 1
  return by === 'day' ? days : Math.ceil((days + first.dayOfWeek - 1) / 7)
}

export function partAt(parts: readonly Interval[], instant: number): number | null {
  let [low, high] = [0, parts.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const part = parts[middle]!
    if (instant < part.start) high = middle - 1
    else if (instant >= part.end) low = middle + 1
    else return middle
  }
  return null
}

function lastDayOf(day: Day, by: GroupBy): Day {
  if (by === 'day') return day
  return by === 'week' ? day.add({ days: 7 - day.dayOfWeek }) : day.with({ day: day.daysInMonth })
}

/** In some zones a daylight saving change skips midnight, so a day starts at its first valid local time. */
function intervalOf(first: Day, last: Day, zone: string): Interval {
  const startOf = (day: Day): number => day.toZonedDateTime({ timeZone: zone }).epochMilliseconds
  return { from: first.toString(), to: last.toString(), start: startOf(first), end: startOf(last.add({ days: 1 })) }
}

const earlier = (left: Day, right: Day): Day => (Temporal.PlainDate.compare(left, right) < 0 ? left : right)

const DAY_MS = 24 * 60 * 60 * 1000
const zones = zonesBy(worldRules)

export const dayIn =
  (zone: string) =>
  (instant: string): number => {
    const at = Date.parse(instant)
    return Math.floor((at + zones.offsetAt(zone, at)) / DAY_MS)
  }

/** CMS cell size policy: suppress cells of 1 to 10 clients. */
const FEWEST = 11

type Path = string
interface Cell {
  readonly counted: Counted
  readonly figures: Figures
}

function clientsBehind({ sessions, signed, transcripts, firsts }: Counted): ReadonlyMap<Path, number> {
  const behind = new Map<Path, number>()
  const different = (rows: readonly { client_id: string | null }[]): number =>
    new Set(rows.map(({ client_id }, index) => client_id ?? `nobody ${index}`)).size
  const completed = sessions.filter(({ status }) => status === 'completed')
  for (const status of new Set(sessions.map((session) => session.status)))
    behind.set(`sessions_by_status.${status}`, different(sessions.filter((session) => session.status === status)))
  behind.set('hours', different(completed))
  behind.set('notes_due', different(completed.filter(({ signed_at }) => signed_at === null)))
  behind.set('notes_signed', different(signed))
  behind.set('median_hours_to_sign', different(signed.filter(({ ends_at }) => ends_at !== null)))
  behind.set('recording_minutes', different(sessions.filter(({ sound_ms }) => sound_ms !== null)))
  behind.set('transcription_minutes', different(transcripts))
  behind.set('clients_active', different(completed))
  behind.set('clients_new', firsts.length)
  return behind
}

/** Hides figures about 1 to 10 clients, and further figures from which the hidden ones could be inferred. */
export function suppressed(total: Cell, parts: readonly Cell[]): { total: Figures; parts: Figures[] } {
  const cells = [total, ...parts]
  const hidden = cells.map((cell) => {
    const few = [...clientsBehind(cell.counted)].filter(([, clients]) => clients > 0 && clients < FEWEST)
    return new Set(few.map(([path]) => path))
  })
  for (let before = -1; before !== sizeOf(hidden);) {
    before = sizeOf(hidden)
    for (const paths of hidden) hideDependent(paths)
    for (const path of sums) hideSecond(path, cells, hidden)
  }
  const [first, ...rest] = cells.map(({ figures }, index) => without(figures, hidden[index]!))
  return { total: first!, parts: rest }
}

const sizeOf = (hidden: readonly ReadonlySet<Path>[]): number => hidden.reduce((size, paths) => size + paths.size, 0)

const sums: readonly Path[] = [
  ...['proposed', 'scheduled', 'in_progress', 'completed', 'cancelled', 'no_show'].map(
    (status) => `sessions_by_status.${status}`,
  ),
  'hours',
  'notes_due',
  'notes_signed',
  'recording_minutes',
  'transcription_minutes',
  'clients_new',
]

function hideSecond(path: Path, cells: readonly Cell[], hidden: readonly Set<Path>[]): void {
  if (hidden[0]!.has(path)) return
  const parts = cells.slice(1)
  const out = parts.flatMap((_, index) => (hidden[index + 1]!.has(path) ? [index] : []))
  if (out.length !== 1) return
  const [smallest] = parts
    .map(({ figures }, index) => ({ index, value: valueAt(figures, path) }))
    .filter(({ index, value }) => !out.includes(index) && value !== null && value > 0)
    .toSorted((left, right) => (left.value ?? 0) - (right.value ?? 0))
  hidden[smallest === undefined ? 0 : smallest.index + 1]!.add(path)
}

function hideDependent(paths: Set<Path>): void {
  if (paths.has('sessions_by_status.completed') || paths.has('sessions_by_status.no_show')) paths.add('no_show_rate')
  if (paths.has('notes_signed') || paths.has('median_hours_to_sign'))
    paths.add('notes_signed_by_delay').add('median_hours_to_sign')
  if (paths.has('sessions_by_status.completed')) paths.add('hours').add('notes_due')
}

function valueAt(figures: Figures, path: Path): number | null {
  const [name, status] = path.split('.') as [keyof Figures, string | undefined]
  const value = status === undefined ? figures[name] : figures.sessions_by_status?.[status]
  return typeof value === 'number' ? value : null
}

function without(figures: Figures, paths: ReadonlySet<Path>): Figures {
  const { sessions_by_status: statuses } = figures
  const shown = { ...figures }
  for (const name of Object.keys(figures) as (keyof Figures)[]) if (paths.has(name)) Object.assign(shown, { [name]: null })
  const byStatus = Object.entries(statuses ?? {}).map(([status, count]) => [
    status,
    paths.has(`sessions_by_status.${status}`) ? null : count,
  ])
  return { ...shown, sessions_by_status: Object.fromEntries(byStatus), suppressed: [...paths].toSorted() }
}
