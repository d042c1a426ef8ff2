import type { RecoveryKind } from '#contract/bridge/recovery.ts'
import type { Clock } from '#base/clock.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { kindsOfMany } from '#core/vault/lost-records.ts'
import { currentCause, reportRecovery } from '#core/vault/recovery-report.ts'

const unreadOf = `(select id from recovery_reports where file = 'vault' and read_at is null)`

/**
 * Says in the report that is not read yet that more may be missing than it names. Without a report the databases are whole,
 * and a new inventory lists everything.
 */
export function reportUnlisted(db: Sqlite, clock: Clock): void {
  const query = `select file from recovery_reports where file in ('vault', 'service') and read_at is null order by file = 'vault' desc`
  const file = db.prepare(query).pluck().get() as 'vault' | 'service' | undefined
  if (file === undefined) return
  const ofNobody = { client_id: null, session_id: null, date: null }
  reportRecovery(db, clock, currentCause(db, file), [{ kind: 'list', subject_id: 'list', is_recovered: false, ...ofNobody }])
}

/** Of these tables a repair only knows that rows may be missing; the inventory knows that none are. */
const wholeTables = {
  settings: 'settings',
  templates: 'template',
  insights: 'insight',
  cue_decisions: 'insight',
  recording_marks: 'bookmark',
} as const

/**
 * After the comparison. The inventory has named each record that is lost; without one, a service that lost nothing gave
 * back what the vault had sent.
 */
export function settleTables(db: Sqlite, lost: ReadonlySet<RecoveryKind>, isUnlisted: boolean): void {
  const isServiceWhole =
    db.prepare(`select 1 from recovery_reports where file = 'service' and read_at is null`).get() === undefined
  const unnamed = db.prepare(`delete from recovery_items where kind = ? and report_id in ${unreadOf}`)
  if (!isUnlisted || isServiceWhole) for (const kind of Object.values(kindsOfMany)) unnamed.run(kind)
  if (isUnlisted) return
  const found = db.prepare(
    `update recovery_items set is_recovered = 1 where kind = ? and subject_id = ? and report_id in ${unreadOf}`,
  )
  for (const [table, kind] of Object.entries(wholeTables)) if (!lost.has(kind)) found.run(kind, table)
}
