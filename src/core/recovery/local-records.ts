import type { z } from 'zod'
import { attempt } from '#base/control.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { sessionDraftSchema } from '#contract/model/session.ts'
import type { InventoryContent, Rows } from './inventory-file.ts'
import { listedColumns, type ListedRecording, listedRecordingSchema } from '#core/recordings/recording-repository.ts'
import { USUAL_MINUTES } from './lost-sessions.ts'
import { lostItem, type RecoveryItem } from '#core/vault/recovery-report.ts'

interface LocalTable {
  readonly columns: readonly [string, string, ...string[]]
  readonly from: string
  /** Changes nothing if the vault has a value already. */
  readonly restore: string
  /** Finds the session of a row, or nothing if the row cannot be restored. */
  readonly session: string
  /** Null for details of a session, which no report lists: they don't make a session whole that is back only in part. */
  readonly kind: RecoveryItem['kind'] | null
}

const inserted = (table: string, columns: LocalTable['columns']): Pick<LocalTable, 'columns' | 'from' | 'restore'> => ({
  columns,
  from: table,
  restore: `insert or ignore into ${table} (${columns.join(', ')}) values (${columns.map((name) => `@${name}`).join(', ')})`,
})

/** What is stored only in the vault, so that no service can give it back. */
const tables: Readonly<Record<string, LocalTable>> = {
  recording_marks: {
    ...inserted('recording_marks', ['id', 'recording_id', 'at_ms', 'text', 'created_at']),
    session: `select session_id from recordings where id = @recording_id and @id is not null and state <> 'erased'`,
    kind: 'bookmark',
  },
  cue_decisions: {
    ...inserted('cue_decisions', ['session_id', 'cue_id', 'decision', 'reason', 'decided_at']),
    session: 'select id from sessions where id = @session_id and @cue_id is not null',
    kind: 'insight',
  },
  cancellations: {
    columns: ['id', 'cancellation'],
    from: 'sessions where cancellation is not null',
    restore: `update sessions set cancellation = @cancellation where id = @id and cancellation is null and status = 'cancelled'`,
    session: 'select id from sessions where id = @id',
    kind: null,
  },
  billing: {
    columns: ['id', 'billing'],
    from: 'sessions where billing is not null',
    restore: 'update sessions set billing = @billing where id = @id and billing is null',
    session: 'select id from sessions where id = @id',
    kind: null,
  },
  record_numbers: {
    columns: ['id', 'record_number'],
    from: 'clients where record_number is not null',
    restore: 'update clients set record_number = @record_number where id = @id and record_number is null',
    session: 'select null from clients where id = @id',
    kind: null,
  },
  deletion_receipts: {
    ...inserted('deletion_receipts', [
      'number',
      'recording_id',
      'session_id',
      'deleted_at',
      'deleted_by',
      'reason',
      'started_at',
      'saved_ms',
      'ogg_sha256',
      'note_sha256',
    ]),
    session: 'select id from sessions where id = @session_id and @number is not null',
    kind: null,
  },
  work: {
    ...inserted('work', ['session_id', 'kind', 'state', 'progress', 'error']),
    from: `work where state = 'failed' or (state = 'waiting' and error = 'engine-not-ready')`,
    session: 'select id from sessions where id = @session_id and @kind is not null',
    kind: null,
  },
}

const detailsSchema = sessionDraftSchema.pick({ session_type: true, modality: true, duration_minutes: true, participants: true })
const details = `json_object('session_type', session_type, 'modality', modality, 'duration_minutes', duration_minutes, 'participants', json(participants))`
const isUnusual = `session_type <> 'individual' or modality <> 'in_person' or duration_minutes <> ${USUAL_MINUTES} or participants <> '[]'`

/** Who took part in a session that is lost from both databases decides whose consent it needs. */
export function listedDetails(
  { session_details = [] }: InventoryContent['local'],
  id: string,
): z.infer<typeof detailsSchema> | null {
  const text = session_details.find((row) => row[0] === id)?.[1]
  return typeof text === 'string' ? (detailsSchema.safeParse(attempt(() => JSON.parse(text) as unknown)).data ?? null) : null
}

export function listLocal(db: Sqlite): InventoryContent['local'] {
  const rows = Object.entries(tables).map(([name, { columns, from }]) => [name, allOf(db, columns, from)])
  const recordings = allOf(db, listedColumns, `recordings where state <> 'erased'`)
  const session_details = allOf(db, ['id', details], `sessions where ${isUnusual}`)
  return { ...Object.fromEntries(rows), session_details, recordings, settings: allOf(db, ['name', 'value'], 'settings') }
}

const allOf = (db: Sqlite, columns: readonly string[], from: string): Rows =>
  db
    .prepare(`select ${columns.join(', ')} from ${from} order by 1, 2`)
    .raw()
    .all() as Rows

const named = (columns: readonly string[], row: Rows[number]): Record<string, Rows[number][number]> =>
  Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null]))

/**
 * Restores missing rows whose session is in the vault and, for bookmarks, whose recording is not erased. Bookmarks of a lost
 * recording are reported as lost.
 * @param lost as `lostRecords` returns them
 */
export function restoreLocal(db: Sqlite, local: InventoryContent['local'], lost: Rows): RecoveryItem[] {
  return Object.entries(tables).flatMap(([name, { columns, restore, session, kind }]) => {
    const put = db.prepare(restore)
    const sessionOf = db.prepare(session).pluck()
    return (local[name] ?? []).flatMap((row): RecoveryItem[] => {
      const values = named(columns, row)
      const session_id = sessionOf.get(values) as string | null | undefined
      const isRestored = session_id !== undefined && put.run(values).changes > 0
      if (kind === null) return []
      const item = { ...lostItem(kind, String(row[0])), is_recovered: true }
      if (isRestored) return [{ ...item, session_id }]
      return session_id === undefined && kind === 'bookmark' ? lostWith(lost, row[1]).map((of) => ({ ...item, ...of })) : []
    })
  })
}

/** Details of a recording that its file does not have. */
export function listedRecording({ recordings = [] }: InventoryContent['local'], id: string): ListedRecording | null {
  const row = recordings.find((found) => found[listedColumns.indexOf('id')] === id) ?? []
  return listedRecordingSchema.safeParse(named(listedColumns, row)).data ?? null
}

function lostWith(lost: Rows, recordingId: Rows[number][number] | undefined): Partial<RecoveryItem>[] {
  const recording = lost.find(([kind, id]) => kind === 'recording' && id === recordingId)
  if (recording === undefined) return []
  const [, , client_id, session_id, client_name, date] = recording as (string | null)[]
  return [{ is_recovered: false, client_id: client_id!, session_id: session_id!, client_name: client_name!, date: date! }]
}

/**
 * Settings that belong to one service. They are not restored if the vault has another service, because only the user may change
 * where records are sent.
 */
const ofService: ReadonlySet<unknown> = new Set(['service_address', 'therapist_id'])

/** @param isOlder true if the vault is older than the inventory */
export function restoreSettings(db: Sqlite, settings: Rows, isOlder: boolean): RecoveryItem[] {
  const here = new Map(db.prepare('select name, value from settings').raw().all() as [string, string][])
  const saved = new Map(settings.map(([name, value]) => [String(name), String(value)]))
  const isEmpty = !here.has('therapist_id')
  const isOtherService = !isEmpty && (saved.get('service_address') ?? 'null') !== (here.get('service_address') ?? 'null')
  const put = db.prepare('insert or replace into settings (name, value) values (?, ?)')
  let restored = 0
  for (const [name, value] of saved) {
    if (here.get(name) === value || (here.has(name) && !isOlder) || (isOtherService && ofService.has(name))) continue
    put.run(name, value)
    restored += 1
  }
  return [
    ...(restored > 0 ? [{ ...lostItem('settings', 'settings'), is_recovered: true }] : []),
    ...(isOtherService && isOlder ? [lostItem('connection', 'connection')] : []),
  ]
}
