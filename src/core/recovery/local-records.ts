import type { Sqlite } from '#base/sqlite.ts'
import type { InventoryContent, Rows } from './inventory-file.ts'
import type { RecoveryItem } from '#core/vault/recovery-report.ts'

const tables = {
  recording_marks: {
    columns: 'id, recording_id, at_ms, text, created_at',
    parent: `select session_id from recordings where id = ?2 and state <> 'erased'`,
    kind: 'bookmark',
  },
  cue_decisions: {
    columns: 'session_id, cue_id, decision, reason, decided_at',
    parent: 'select id from sessions where id = ?1',
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

export function restoreLocal(db: Sqlite, local: InventoryContent['local']): RecoveryItem[] {
  return (Object.keys(tables) as Table[]).flatMap((name) => {
    const { columns, parent, kind } = tables[name]
    const marks = columns.replaceAll(/\w+/g, '?')
    const insert = db.prepare(`insert or ignore into ${name} (${columns}) values (${marks})`)
    const sessionOf = db.prepare(`${parent} and ?1 is not null and ?2 is not null`).pluck()
    return (local[name] ?? []).flatMap((row) => {
      const session_id = sessionOf.get(row[0], row[1]) as string | undefined
      if (session_id === undefined || insert.run(...row).changes === 0) return []
      return [{ kind, subject_id: String(row[0]), is_recovered: true, client_id: null, session_id, date: null }]
    })
  })
}

/** Service address and therapist id. Only a person may change where records are sent. */
const ofService: ReadonlySet<unknown> = new Set(['service_address', 'therapist_id'])

/**
 * @param isOlder true if the vault was restored from a backup: the inventory's settings replace its own; otherwise only missing
 *   ones are added
 */
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
    ...(restored > 0 ? [itemOf('settings', true)] : []),
    ...(isOtherService && isOlder ? [itemOf('connection', false)] : []),
  ]
}

const itemOf = (kind: 'settings' | 'connection', is_recovered: boolean): RecoveryItem => ({
  kind,
  subject_id: kind,
  is_recovered,
  client_id: null,
  session_id: null,
  date: null,
})
