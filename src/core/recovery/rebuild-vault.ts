import { existsSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '#base/clock.ts'
import { syncFolder } from '#base/durable-file.ts'
import { openEncryptedPages } from '#base/encrypted-pages.ts'
import type { Migration, Named } from '#base/migrate.ts'
import { migrate } from '#base/migrate.ts'
import { readOut, schemaVersionOf } from '#base/read-out.ts'
import { rename } from '#base/rename.ts'
import { asideName, setAside } from '#base/set-aside.ts'
import { isIntact, openEncrypted } from '#base/sqlite.ts'
import { AppError } from '#contract/errors.ts'
import { lostRecords, wantedIndexes } from './lost-records.ts'
import { reportRecovery } from './report.ts'

interface Parts {
  readonly path: string
  readonly key: Uint8Array
  readonly clock: Clock
  readonly migrations: readonly Named<Migration>[]
}

/** Whole before the damaged one is set aside; where it stays behind without `vault.db`, only that was left to do. */
const rebuiltPath = (path: string): string => `${path}.rebuilt`

/**
 * Reads what is left of a damaged or missing vault.db into a new one, row by row, sets the damaged files aside and puts
 * the new one in their place. A kill at any point leaves it repeatable: until the new one is whole, nothing is renamed.
 *
 * @throws AppError `database-newer`, disk troubles; nothing is changed then
 */
export function rebuildVault(parts: Parts): void {
  const { path, clock } = parts
  const rebuilt = rebuiltPath(path)
  const begun = existsSync(path) ? null : nameInReport(rebuilt, parts.key)
  if (begun !== null) return finish(path, begun)
  for (const end of ['', '-wal', '-shm', '.new', '.new-wal', '.new-shm']) rmSync(rebuilt + end, { force: true })
  const aside = asideName(path, clock)
  readInto(parts, rebuilt, aside)
  finish(path, aside)
}

function readInto({ path, key, clock, migrations }: Parts, rebuilt: string, aside: string): void {
  const isMissing = !existsSync(path) && !existsSync(`${path}-wal`)
  const pages = openEncryptedPages(path, key)
  try {
    const version = schemaVersionOf(pages) ?? Infinity
    if (version !== Infinity && version > (migrations.at(-1)?.version ?? 0)) throw new AppError('database-newer')
    const db = openEncrypted(rebuilt, key)
    try {
      // Rows come in as they were written, and are then brought up to date like any others.
      migrate(
        db,
        migrations.filter((step) => step.version <= version),
      )
      const found = readOut(pages, db, wantedIndexes)
      migrate(db, migrations)
      // What was lost may be with the service, so it is asked for everything from the beginning.
      db.exec('delete from pull_service; delete from pull_lists;')
      const { pages: count, unreadable_pages } = found
      const about = { file: 'vault', cause: isMissing ? 'missing' : 'damaged', pages: count, unreadable_pages } as const
      reportRecovery(db, clock, { ...about, set_aside: isMissing ? [] : [aside] }, lostRecords(db, found))
      db.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      db.close()
    }
  } finally {
    pages.close()
  }
}

/** The last step of a rebuild that was cut off: the new file is whole and says what the damaged one is to be called. */
function nameInReport(rebuilt: string, key: Uint8Array): string | null {
  if (!existsSync(rebuilt)) return null
  try {
    const db = openEncrypted(rebuilt, key)
    try {
      if (!isIntact(db)) return null
      const name = db.prepare(
        "select set_aside ->> 0 from recovery_reports where file = 'vault' order by at desc, id desc limit 1",
      )
      return (name.pluck().get() as string | null | undefined) ?? null
    } finally {
      db.close()
    }
  } catch {
    return null
  }
}

function finish(path: string, aside: string): void {
  setAside(path, aside)
  rename(rebuiltPath(path), path)
  syncFolder(dirname(path))
}
