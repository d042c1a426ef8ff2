import { z } from 'zod'
import type { Sqlite } from '#base/sqlite.ts'
import type { DeletionReceipt } from '#contract/bridge/recordings.ts'
import { AppError } from '#contract/errors.ts'
import { type Gap, type Mark, type Recording, recordingSchema } from '#contract/model/recording.ts'

export interface RecordingRow extends Omit<Recording, 'gaps' | 'marks'> {
  readonly was_paused: number
  readonly window_id: string
  readonly header: Buffer | null
  readonly interrupted_at: string | null
  readonly gaps: string
  readonly lost_ms_at_most: number | null
  readonly peaks: Buffer | null
  /**
   * JSON array of the gaps with the reason `damage` that the last check found; null before the first check and after erasure.
   */
  readonly unreadable: string | null
  readonly dismissed_ms: number
}

const columns = `id, session_id, state, was_paused, window_id, device_label, header, started_at, interrupted_at, finished_at,
  erased_at, saved_ms, bytes, gaps, lost_ms_at_most, ogg_bytes, ogg_sha256, peaks, unreadable, checked_at, dismissed_ms`

/** The part of a row that the inventory lists, for a vault that lost the row. */
export const listedRecordingSchema = recordingSchema
  .pick({ id: true, state: true, device_label: true, started_at: true, finished_at: true, saved_ms: true, bytes: true })
  .extend(recordingSchema.pick({ ogg_bytes: true, ogg_sha256: true }).shape)
  .extend({ was_paused: z.int(), interrupted_at: z.string().nullable(), gaps: z.string() })
  .extend({ lost_ms_at_most: z.number().nullable(), dismissed_ms: z.number() })

export type ListedRecording = z.infer<typeof listedRecordingSchema>

export const listedColumns = Object.keys(listedRecordingSchema.shape)

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

export type RecordingRepository = ReturnType<typeof recordingRepository>

export function recordingRepository(db: Sqlite) {
  const one = <Given extends string[]>(rest: string) => {
    const statement = db.prepare(`select ${columns} from recordings ${rest}`)
    return (...given: Given): RecordingRow | null => (statement.get(...given) as RecordingRow | undefined) ?? null
  }
  const many = (rest: string) => {
    const statement = db.prepare(`select ${columns} from recordings ${rest}`)
    return (): RecordingRow[] => statement.all() as RecordingRow[]
  }
  const find = one<[id: string]>('where id = ?')
  const { insert, update, remove } = rowChanges(db)
  const marks = markStatements(db)
  const receipts = receiptStatements(db)
  return {
    find,
    ofSession: one<[sessionId: string]>(`where session_id = ? order by state = 'erased', started_at desc limit 1`),
    active: one<[]>(`where state in ('recording', 'paused')`),
    unfinished: many(`where state in ('recording', 'paused', 'interrupted') order by started_at`),
    all: many(''),
    finished: many(`where state = 'finished' order by checked_at, started_at desc`),
    existing(id: string): RecordingRow {
      const row = find(id)
      if (row === null) throw new AppError('not-found')
      if (row.state === 'erased') throw new AppError('gone')
      return row
    },
    insert: (row: RecordingRow): void => void insert.run(row),
    update(id: string, change: Partial<Omit<RecordingRow, 'id'>>): RecordingRow {
      const after = { ...find(id)!, ...change }
      update.run(after)
      return after
    },
    remove: (id: string): void => void remove.run(id),
    addMark: (recordingId: string, mark: Mark): void => void marks.add.run({ ...mark, recording_id: recordingId }),
    renameMark: (recordingId: string, markId: string, text: string): Mark | null =>
      (marks.rename.get(text, markId, recordingId) as Mark | undefined) ?? null,
    removeMark: (recordingId: string, markId: string): void => void marks.remove.run(markId, recordingId),
    removeMarks: (recordingId: string): void => void marks.removeAll.run(recordingId),
    /** Call before the row is erased: the receipt holds what the row then loses. */
    addReceipt: (id: string, about: Pick<DeletionReceipt, 'deleted_at' | 'deleted_by' | 'reason'>): void =>
      void receipts.add.run({ id, ...about }),
    /** Recordings with a receipt that a restored database has as not deleted. */
    deletedBefore: () => receipts.before.all() as { id: string; deleted_at: string }[],
    receiptOf: (sessionId: string) => (receipts.last.get(sessionId) as DeletionReceipt | undefined) ?? null,
    asRecord(row: RecordingRow): Recording {
      const { was_paused, window_id, header, interrupted_at, lost_ms_at_most, peaks, ...stored } = row
      const { unreadable, dismissed_ms, ...record } = stored
      return { ...record, gaps: currentGaps(row), marks: marks.list.all(row.id) as Mark[] }
    },
  }
}

function rowChanges(db: Sqlite) {
  const names = columns.split(',').map((column) => column.trim())
  const changes = names.slice(1).map((name) => `${name} = @${name}`)
  return {
    insert: db.prepare(`insert into recordings (${columns}) values (${names.map((name) => `@${name}`).join(', ')})`),
    update: db.prepare(`update recordings set ${changes.join(', ')} where id = @id`),
    remove: db.prepare('delete from recordings where id = ?'),
  }
}

const markStatements = (db: Sqlite) => ({
  list: db.prepare('select id, at_ms, text, created_at from recording_marks where recording_id = ? order by at_ms, created_at'),
  add: db.prepare(
    'insert into recording_marks (id, recording_id, at_ms, text, created_at) values (@id, @recording_id, @at_ms, @text, @created_at)',
  ),
  rename: db.prepare(
    'update recording_marks set text = ? where id = ? and recording_id = ? returning id, at_ms, text, created_at',
  ),
  remove: db.prepare('delete from recording_marks where id = ? and recording_id = ?'),
  removeAll: db.prepare('delete from recording_marks where recording_id = ?'),
})

const receiptColumns = 'deleted_at, deleted_by, reason, started_at, saved_ms, ogg_sha256, note_sha256'

const receiptStatements = (db: Sqlite) => ({
  last: db.prepare(`select number, ${receiptColumns} from deletion_receipts where session_id = ? order by number desc limit 1`),
  before: db.prepare(`
    select recordings.id, max(deleted_at) as deleted_at from deletion_receipts join recordings on recordings.id = recording_id
    where state in ('finished', 'interrupted') group by recordings.id`),
  add: db.prepare(`
    insert into deletion_receipts (recording_id, session_id, ${receiptColumns})
    select id, session_id, @deleted_at, @deleted_by, @reason, started_at, saved_ms, ogg_sha256,
      (select json_extract(signature, '$.content_hash') from notes where notes.session_id = recordings.session_id)
    from recordings where id = @id`),
})
