import type { Sqlite } from '#base/sqlite.ts'
import type { Gap, Mark, Recording } from '#contract/model/recording.ts'

export interface RecordingRow {
  readonly id: string
  readonly session_id: string
  readonly state: Recording['state']
  readonly was_paused: number
  readonly window_id: string
  readonly device_label: string
  readonly header: Buffer | null
  readonly started_at: string
  readonly interrupted_at: string | null
  readonly finished_at: string | null
  readonly erased_at: string | null
  readonly saved_ms: number
  readonly bytes: number
  readonly gaps: string
  readonly lost_ms_at_most: number | null
  readonly ogg_bytes: number | null
  readonly ogg_sha256: string | null
  /** Peak of every 200 ms, one byte each. */
  readonly peaks: Buffer | null
  /** Damage found by the last check, as JSON; null before the first check. */
  readonly unreadable: string | null
  readonly checked_at: string | null
  readonly dismissed_ms: number
}

const columns = `id, session_id, state, was_paused, window_id, device_label, header, started_at, interrupted_at, finished_at,
  erased_at, saved_ms, bytes, gaps, lost_ms_at_most, ogg_bytes, ogg_sha256, peaks, unreadable, checked_at, dismissed_ms`

/** Gaps as of the last check. The column `gaps` stays as it was when the recording was finished. */
export function currentGaps({ gaps, unreadable }: Pick<RecordingRow, 'gaps' | 'unreadable'>): Gap[] {
  const atFinish = JSON.parse(gaps) as Gap[]
  if (unreadable === null) return atFinish
  const others = atFinish.filter(({ reason }) => reason !== 'damage')
  return [...others, ...(JSON.parse(unreadable) as Gap[])].toSorted((a, b) => a.at_ms - b.at_ms)
}

export const damageIn = (gaps: readonly Gap[]): Gap[] => gaps.filter(({ reason }) => reason === 'damage')

export function unreadableMs(gaps: readonly Gap[]): number {
  return damageIn(gaps).reduce((sum, { duration_ms }) => sum + duration_ms, 0)
}

export const wholeLost = ({ saved_ms }: Pick<RecordingRow, 'saved_ms'>): Gap => ({
  at_ms: 0,
  duration_ms: saved_ms,
  reason: 'damage',
})

export interface RecordingRepository {
  find(id: string): RecordingRow | null
  ofSession(sessionId: string): RecordingRow | null
  active(): RecordingRow | null
  unfinished(): RecordingRow[]
  all(): RecordingRow[]
  finished(): RecordingRow[]
  insert(row: RecordingRow): void
  update(id: string, change: Partial<Omit<RecordingRow, 'id'>>): RecordingRow
  remove(id: string): void
  marks(recordingId: string): Mark[]
  addMark(recordingId: string, mark: Mark): void
  renameMark(recordingId: string, markId: string, text: string): Mark | null
  removeMark(recordingId: string, markId: string): void
  removeMarks(recordingId: string): void
  asRecord(row: RecordingRow): Recording
}

export function recordingRepository(db: Sqlite): RecordingRepository {
  const rows = rowStatements(db)
  const marks = markStatements(db)
  const repository: RecordingRepository = {
    find: (id) => (rows.find.get(id) as RecordingRow | undefined) ?? null,
    ofSession: (sessionId) => (rows.ofSession.get(sessionId) as RecordingRow | undefined) ?? null,
    active: () => (rows.active.get() as RecordingRow | undefined) ?? null,
    unfinished: () => rows.unfinished.all() as RecordingRow[],
    all: () => rows.all.all() as RecordingRow[],
    finished: () => rows.finished.all() as RecordingRow[],
    insert: (row) => void rows.insert.run(row),
    update(id, change) {
      const before = rows.find.get(id) as RecordingRow
      const after = { ...before, ...change }
      rows.update.run(after)
      return after
    },
    remove: (id) => void rows.remove.run(id),
    marks: (recordingId) => marks.list.all(recordingId) as Mark[],
    addMark: (recordingId, mark) => void marks.add.run({ ...mark, recording_id: recordingId }),
    renameMark: (recordingId, markId, text) => (marks.rename.get(text, markId, recordingId) as Mark | undefined) ?? null,
    removeMark: (recordingId, markId) => void marks.remove.run(markId, recordingId),
    removeMarks: (recordingId) => void marks.removeAll.run(recordingId),
    asRecord(row) {
      const { was_paused, window_id, header, interrupted_at, lost_ms_at_most, peaks, ...stored } = row
      const { unreadable, dismissed_ms, ...record } = stored
      return { ...record, gaps: currentGaps(row), marks: repository.marks(row.id) }
    },
  }
  return repository
}

function rowStatements(db: Sqlite) {
  const names = columns.split(',').map((column) => column.trim())
  return {
    find: db.prepare(`select ${columns} from recordings where id = ?`),
    ofSession: db.prepare(
      `select ${columns} from recordings where session_id = ? order by state = 'erased', started_at desc limit 1`,
    ),
    active: db.prepare(`select ${columns} from recordings where state in ('recording', 'paused')`),
    unfinished: db.prepare(
      `select ${columns} from recordings where state in ('recording', 'paused', 'interrupted') order by started_at`,
    ),
    all: db.prepare(`select ${columns} from recordings`),
    finished: db.prepare(`select ${columns} from recordings where state = 'finished' order by checked_at, started_at desc`),
    insert: db.prepare(`insert into recordings (${columns}) values (${names.map((name) => `@${name}`).join(', ')})`),
    update: db.prepare(
      `update recordings set ${names
        .slice(1)
        .map((name) => `${name} = @${name}`)
        .join(', ')} where id = @id`,
    ),
    remove: db.prepare('delete from recordings where id = ?'),
  }
}

function markStatements(db: Sqlite) {
  return {
    list: db.prepare('select id, at_ms, text, created_at from recording_marks where recording_id = ? order by at_ms, created_at'),
    add: db.prepare(
      'insert into recording_marks (id, recording_id, at_ms, text, created_at) values (@id, @recording_id, @at_ms, @text, @created_at)',
    ),
    rename: db.prepare(
      'update recording_marks set text = ? where id = ? and recording_id = ? returning id, at_ms, text, created_at',
    ),
    remove: db.prepare('delete from recording_marks where id = ? and recording_id = ?'),
    removeAll: db.prepare('delete from recording_marks where recording_id = ?'),
  }
}
