import type { Sqlite } from '#base/sqlite.ts'
import type { InventoryContent, Rows } from './inventory-file.ts'
import { lostItem, type RecoveryItem } from '#core/vault/recovery-report.ts'

const tables = {
  recording_marks: {
    columns: 'id, recording_id, at_ms, text, created_at',
    parent: `select session_id from recordings where id = @second and state <> 'erased'`,
    kind: 'bookmark',
  },
  cue_decisions: {
    columns: 'session_id, cue_id, decision, reason, decided_at',
    parent: 'select id from sessions where id = @first',
    kind: 'insight',
  },
} as const

type Table = keyof typeof tables

export function listLocal(db: Sqlite): InventoryContent['local'] {
  const rows = Object.entries(tables).map(([name, { columns }]) => [name, allOf(db, name, columns)])
  return { ...Object.fromEntries(rows), settings: allOf(db, 'settings', 'name, value') } as InventoryContent['local']
}

const allOf = (db: Sqlite, table: string, columns: string): Rows =>
  db.prepare(`select ${columns} from ${table} order by 1, 2`).raw().all() as Rows

/**
 * Restores missing bookmarks and risk cue decisions whose recording or session is in the vault and not erased. Bookmarks of a
 * lost recording are reported as lost.
 * @param lost as `lostRecords` returns them
 */
export function restoreLocal(db: Sqlite, local: InventoryContent['local'], lost: Rows): RecoveryItem[] {
  return (Object.keys(tables) as Table[]).flatMap((name) => {
    const { columns, parent, kind } = tables[name]
    const marks = columns.replaceAll(/\w+/g, '?')
    const insert = db.prepare(`insert or ignore into ${name} (${columns}) values (${marks})`)
    const sessionOf = db.prepare(`${parent} and @first is not null and @second is not null`).pluck()
    return (local[name] ?? []).flatMap((row): RecoveryItem[] => {
      const session_id = sessionOf.get({ first: row[0], second: row[1] }) as string | undefined
      const item = { ...lostItem(kind, String(row[0])), is_recovered: true }
      if (session_id === undefined) return kind === 'bookmark' ? lostWith(lost, row[1]).map((of) => ({ ...item, ...of })) : []
      return insert.run(...row).changes === 0 ? [] : [{ ...item, session_id }]
    })
  })
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
