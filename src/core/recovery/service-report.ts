import type { Clock } from '#base/clock.ts'
import type { ReadOut } from '#base/read-out.ts'
import { setAsideOf } from '#base/rebuild-database.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { type RecoveryItem, reportRecovery } from './report.ts'

/** The vault has these as well: the comparison of the two says what became of them. */
const alsoInVault = new Set(['clients', 'consents', 'sessions', 'transcripts', 'notes', 'analyses', 'templates', 'changes'])

/**
 * Reports every damaged service.db in the folder that no report names yet, so that none is missed where a start was cut off
 * right after a repair.
 *
 * @param found what this start repaired; null: nothing
 */
export function reportRepairedService(db: Sqlite, clock: Clock, file: string, found: ReadOut | null): void {
  const isNamed = db.prepare('select 1 from recovery_reports, json_each(set_aside) where value = ?')
  for (const name of setAsideOf(file).filter((aside) => isNamed.get(aside) === undefined)) {
    const { pages = 0, unreadable_pages = 0, incomplete = [] } = found ?? {}
    const items = incomplete.filter((table) => !alsoInVault.has(table)).map(itemOf)
    reportRecovery(db, clock, { file: 'service', cause: 'damaged', set_aside: [name], pages, unreadable_pages }, items)
  }
}

const itemOf = (table: string): RecoveryItem => ({
  kind: 'other',
  subject_id: table,
  is_recovered: false,
  client_id: null,
  session_id: null,
  date: null,
})
