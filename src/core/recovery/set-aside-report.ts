import { dirname } from 'node:path'
import type { Clock } from '#base/clock.ts'
import type { ReadOut } from '#base/read-out.ts'
import { setAsideOf } from '#base/set-aside.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { recordingsSetAside } from '#core/vault/profile-files.ts'
import { pushEverythingAgain } from '#core/sync/push-again.ts'
import { lostItem, reportRecovery } from '#core/vault/recovery-report.ts'

const alsoInVault = new Set(['clients', 'consents', 'sessions', 'transcripts', 'notes', 'analyses', 'templates', 'changes'])

type Files = Readonly<Record<'vault' | 'service', string>>

/**
 * Reports files that a repair renamed and that no report names yet, for example after a crash.
 * @param found null if the service's database was not repaired during this start
 */
export function reportSetAside(db: Sqlite, clock: Clock, { vault, service }: Files, found: ReadOut | null): void {
  const isNamed = db.prepare('select 1 from recovery_reports, json_each(set_aside) where value = ?')
  const isNew = (aside: string): boolean => isNamed.get(aside) === undefined
  const unnamed = (file: string): string[] => setAsideOf(file).filter(isNew)
  const links = recordingsSetAside(dirname(vault)).filter(isNew)
  if (links.length > 0) reportRecovery(db, clock, { file: 'recordings', cause: 'missing', set_aside: links }, [])
  const isJournal = (name: string): boolean => /-(wal|journal)$/.test(name)
  for (const name of unnamed(vault)) reportRecovery(db, clock, { file: 'vault', cause: causeOf(name), set_aside: [name] }, [])
  for (const name of unnamed(service)) {
    const { pages = 0, unreadable_pages = 0, incomplete = [] } = isJournal(name) ? {} : (found ?? {})
    const items = incomplete.filter((table) => !alsoInVault.has(table)).map((table) => lostItem('other', table))
    reportRecovery(db, clock, { file: 'service', cause: causeOf(name), set_aside: [name], pages, unreadable_pages }, items)
  }
}

export function reportLostService(records: Parameters<typeof pushEverythingAgain>[0] & { readonly clock: Clock }): boolean {
  const { db, clock } = records
  const report = db.transaction((): boolean => {
    const isLost = pushEverythingAgain(records)
    if (isLost) reportRecovery(db, clock, { file: 'service', cause: 'missing' }, [])
    return isLost
  })
  return report.immediate()
}

const causeOf = (name: string): 'behind' | 'damaged' => (name.includes('.db.older-') ? 'behind' : 'damaged')
