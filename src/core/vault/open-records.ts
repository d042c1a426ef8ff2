import { existsSync, rmSync, statSync } from 'node:fs'
import { diskFailure } from '#base/disk-failure.ts'
import { syncFolder } from '#base/durable-file.ts'
import type { Migration } from '#base/migrate.ts'
import { migrate } from '#base/migrate.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { convert, isIntact, openEncrypted, snapshot } from '#base/sqlite.ts'
import { AppError } from '#contract/errors.ts'
import { vaultDatabase, vaultSnapshot, vaultSnapshots } from './profile-files.ts'
import type { VaultKeys } from './vault-keys.ts'

/** Up to here reading every page costs less than 70 ms; beyond, a page is checked when it is read. */
const readWholeBytes = 16 * 1024 * 1024

/** Opens vault.db with its derived key, looks whether it is whole, and brings it to the newest schema. */
export function openRecords(folder: string, keys: VaultKeys, migrations: readonly Migration[], mayMake: boolean): Sqlite {
  const path = vaultDatabase(folder)
  if (!mayMake && !existsSync(path)) throw new AppError('database-damaged')
  const key = keys.derive('vault.db')
  let database: Sqlite
  try {
    database = openEncrypted(path, key)
  } finally {
    key.fill(0)
  }
  try {
    if (statSync(path).size <= readWholeBytes && !isIntact(database)) throw new AppError('database-damaged')
    upgrade(database, folder, migrations)
    return database
  } catch (error) {
    database.close()
    const converted = convert(error)
    throw diskFailure(converted) ?? converted
  }
}

/**
 * Snapshots go as soon as the records are proven whole, those of an upgrade that was killed too: they hold the wrapped
 * keys of recordings, and one that stayed would outlive their deletion.
 */
function upgrade(database: Sqlite, folder: string, migrations: readonly Migration[]): void {
  migrate(database, migrations, (version) => snapshot(database, vaultSnapshot(folder, version)))
  const copies = vaultSnapshots(folder)
  if (copies.length === 0) return
  if (!isIntact(database)) throw new AppError('database-damaged')
  for (const copy of copies) rmSync(copy)
  syncFolder(folder)
}
