import type { Figures } from '#contract/model/analytics.ts'
import type { Counted } from './rows.ts'

/** Cells behind which 1 to 10 clients stand are not shown to those who may see no client (45 CFR 164.514; CMS cell size policy). */
const fewest = 11

type Path = string
interface Cell {
  readonly counted: Counted
  readonly figures: Figures
}

/** How many clients stand behind each figure; what names no client stands for one. */
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

/**
 * Nobody is counted alone. Where one part of a sum is left out and the sum is shown, a second part goes too, else the
 * first could be worked out; so does a rate with either of its counts, and how notes were spread over days with their count.
 */
export function suppressed(total: Cell, parts: readonly Cell[]): { total: Figures; parts: Figures[] } {
  const cells = [total, ...parts]
  const hidden = cells.map((cell) => {
    const few = [...clientsBehind(cell.counted)].filter(([, clients]) => clients > 0 && clients < fewest)
    return new Set(few.map(([path]) => path))
  })
  // What goes with one figure may be the only part of a sum that is left out: until nothing more has to go.
  for (let before = -1; before !== sizeOf(hidden);) {
    before = sizeOf(hidden)
    for (const paths of hidden) hideDependent(paths)
    for (const path of sums) hideSecond(path, cells, hidden)
  }
  const [first, ...rest] = cells.map(({ figures }, index) => without(figures, hidden[index]!))
  return { total: first!, parts: rest }
}

const sizeOf = (hidden: readonly ReadonlySet<Path>[]): number => hidden.reduce((size, paths) => size + paths.size, 0)

/** Figures of which the parts add up to the total. */
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
  // With no other part the sum is the part itself.
  hidden[smallest === undefined ? 0 : smallest.index + 1]!.add(path)
}

function hideDependent(paths: Set<Path>): void {
  if (paths.has('sessions_by_status.completed') || paths.has('sessions_by_status.no_show')) paths.add('no_show_rate')
  if (paths.has('notes_signed') || paths.has('median_hours_to_sign'))
    paths.add('notes_signed_by_delay').add('median_hours_to_sign')
  // Completed and due give the ones that are signed.
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
