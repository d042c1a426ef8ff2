import { rmSync } from 'node:fs'
import type { Clock } from '#base/clock.ts'
import { diskFailure } from '#base/disk-failure.ts'
import { syncFolder } from '#base/durable-file.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { Migration, Named } from '#base/migrate.ts'
import { migrate } from '#base/migrate.ts'
import { openChecked, openRepaired } from '#base/rebuild-database.ts'
import { setForeignJournalAside } from '#base/set-aside.ts'
import type { Sqlite } from '#base/sqlite.ts'
import { checkpointOften, convert, isIntact, openEncrypted, snapshot } from '#base/sqlite.ts'
import { AppError } from '#contract/errors.ts'
import { isKeyOfProfile } from './key-of-profile.ts'
import { isRenamingCutOff, putExchangedNamesBack } from './exchanged-names.ts'
import { rebuildVault } from './rebuild-vault.ts'
import { vaultDatabase, vaultSnapshot, vaultSnapshots } from './profile-files.ts'
import type { VaultKeys } from '#core/keys/vault-keys.ts'

interface Parts {
  readonly folder: string
  readonly clock: Clock
  readonly log: Log
  readonly migrations: readonly Named<Migration>[]
}

/**
 * Opens vault.db with its derived key, checks whether it is whole, and brings it to the newest schema. A damaged or missing
 * one is rebuilt from what is left of it, except at the first run.
 */
export function openRecords(parts: Parts, keys: VaultKeys, isFirstRun: boolean): Sqlite {
  const { folder, clock, log } = parts
  const path = vaultDatabase(folder)
  const key = keys.derive('vault.db')
  try {
    if (isRenamingCutOff(folder)) putExchangedNamesBack(folder, keys)
    if (isFirstRun) return upgraded(parts, openEncrypted(path, key))
    const rebuild = (error: AppError): void => {
      if (!isKeyOfProfile(folder, keys)) throw error.code === 'database-damaged' ? new AppError('keys-mismatch') : error
      log.warn('vault.damaged', { kind: errorKind(error) })
      rebuildVault({ ...parts, path, key })
    }
    return openRepaired(
      () => openWhole(parts, path, key),
      [() => putExchangedNamesBack(folder, keys), () => setForeignJournalAside(path, key, clock), rebuild],
    )
  } catch (error) {
    const converted = convert(error)
    throw diskFailure(converted) ?? converted
  } finally {
    key.fill(0)
  }
}

function openWhole(parts: Parts, path: string, key: Uint8Array): Sqlite {
  return upgraded(parts, openChecked(path, key))
}

function upgraded({ folder, migrations }: Parts, database: Sqlite): Sqlite {
  try {
    upgrade(database, folder, migrations)
    checkpointOften(database)
    return database
  } catch (error) {
    database.close()
    throw convert(error)
  }
}

/**
 * Snapshots go as soon as the records are proven whole, those of an upgrade that was killed too: they hold the wrapped
 * keys of recordings, and one that stayed would outlive their deletion.
 */
function upgrade(database: Sqlite, folder: string, migrations: readonly Named<Migration>[]): void {
  migrate(database, migrations, (version) => snapshot(database, vaultSnapshot(folder, version)))
  const copies = vaultSnapshots(folder)
  if (copies.length === 0) return
  if (!isIntact(database)) throw new AppError('database-damaged')
  for (const copy of copies) rmSync(copy)
  syncFolder(folder)
}
