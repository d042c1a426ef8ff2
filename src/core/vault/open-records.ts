import { rmSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { VaultPorts } from './vault.ts'
import { diskFailure, rename, syncFolder } from '#base/durable-file.ts'
import { errorKind } from '#base/log.ts'
import { type Migration, type Named, migrate } from '#base/migrate.ts'
import { openChecked, openRepaired, type Rebuild, rebuildDatabase } from '#base/rebuild-database.ts'
import { copiesOf, restoreLater, restoreRenamed } from '#base/stray-database.ts'
import { setForeignJournalAside, setObstaclesAside } from '#base/set-aside.ts'
import { type Sqlite, checkpointOften, convert, isIntact, openEncrypted, snapshot } from '#base/sqlite.ts'
import { AppError } from '#contract/errors.ts'
import { type VaultKeys, withKey } from '#core/keys/vault-keys.ts'
import { openEncryptedPages } from '#base/encrypted-pages.ts'
import { isKeyOfProfile, opensInventory } from './unlock-keys.ts'
import { vaultDatabase, vaultSnapshot, vaultSnapshots } from './profile-files.ts'
import { lostRecords, wantedIndexes } from './lost-records.ts'
import { reportRecovery } from './recovery-report.ts'

type Parts = Pick<VaultPorts, 'folder' | 'clock' | 'log' | 'migrations'> & { readonly profile_id: string }

/** `hadJournal`: the database had a WAL, after moved files were restored. */
export function openRecords(parts: Parts, keys: VaultKeys, isFirstRun: boolean): { db: Sqlite; hadJournal: boolean } {
  const { folder, clock, log } = parts
  const path = vaultDatabase(folder)
  const key = keys.derive('vault.db')
  try {
    setObstaclesAside(path, clock)
    if (isRenameInterrupted(folder)) swapNamesBack(folder, keys)
    if (isFirstRun) return { db: upgraded(parts, openEncrypted(path, key)), hadJournal: false }
    restoreLater({ path, key, clock, grows: 'audit' })
    let renamed: string | null = null
    const rebuild = (error: AppError): void => {
      if (!isKeyOfProfile(folder, keys)) throw error.code === 'database-damaged' ? new AppError('keys-mismatch') : error
      log.warn('vault.damaged', { kind: errorKind(error) })
      rebuildVault({ ...parts, path, key, other: join(folder, 'service.db') }, renamed)
    }
    let hadJournal = false
    const open = (): Sqlite => {
      hadJournal ||= existsSync(`${path}-wal`)
      return upgraded(parts, openChecked(path, key))
    }
    const db = openRepaired(open, [
      () => swapNamesBack(folder, keys),
      () =>
        void (renamed = restoreRenamed({
          path,
          key,
          clock,
          position,
          isKeyProven: () => isKeyOfProfile(folder, keys) || opensInventory(parts, keys),
        })),
      () => setForeignJournalAside(path, key, clock),
      rebuild,
    ])
    return { db, hadJournal }
  } catch (error) {
    const converted = convert(error)
    throw diskFailure(converted) ?? converted
  } finally {
    key.fill(0)
  }
}

const position = 'select max(sequence) from audit'

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
 * Deletes all snapshots after the migration, because the wrapped recording keys in them must not outlive an erased recording.
 */
function upgrade(database: Sqlite, folder: string, migrations: readonly Named<Migration>[]): void {
  migrate(database, migrations, (version) => snapshot(database, vaultSnapshot(folder, version)))
  const copies = vaultSnapshots(folder)
  if (copies.length === 0) return
  if (!isIntact(database)) throw new AppError('database-damaged')
  for (const copy of copies) rmSync(copy)
  syncFolder(folder)
}

/** After segments were lost, transcripts are fetched again, except those with outbox entries. */
const refetchTranscripts = `
  update transcripts set service_version = null
  where not exists (select 1 from outbox where subject_id = transcripts.id or session_id = transcripts.session_id)`

function rebuildVault(rebuild: Omit<Rebuild, 'grows'>, renamed: string | null): void {
  rebuildDatabase({
    ...rebuild,
    indexes: wantedIndexes,
    grows: 'audit',
    onRead: (db, found, aside) => {
      db.exec('delete from pull_service; delete from pull_lists;')
      // Its triggers put the words of the notes into the index of search, which has no rows in the old file.
      db.exec('update notes set sections = sections')
      if (found.incomplete.includes('segments')) db.exec(refetchTranscripts)
      const { pages, unreadable_pages } = found
      const set_aside = [aside, renamed].filter((name) => name !== null)
      const cause = aside === null ? ({ cause: 'missing' } as const) : ({ cause: 'damaged', set_aside } as const)
      reportRecovery(db, rebuild.clock, { file: 'vault', ...cause, pages, unreadable_pages }, lostRecords(db, found))
    },
  })
}

type Name = 'vault.db' | 'service.db'

export function databaseCopies(folder: string, keys: VaultKeys): string[] {
  const names: readonly Name[] = ['vault.db', 'service.db']
  const open = names.map((name) => join(folder, name))
  return names.flatMap((name) => withKey(keys, name, (key) => copiesOf({ path: join(folder, name), key, open })))
}

type IsOf = (file: string, owner: Name) => boolean

/** Corrects swapped names of vault.db and service.db, or of their WALs. The next opening completes an interrupted swap. */
function swapNamesBack(folder: string, keys: VaultKeys): void {
  restoreNames(folder, '', (file, owner) =>
    withKey(keys, owner, (key) => {
      using pages = openEncryptedPages(file, key, { triesSalts: false })
      return pages.opensFile()
    }),
  )
  restoreNames(folder, '-wal', (file, owner) =>
    withKey(keys, owner, (key) => {
      using pages = openEncryptedPages(join(folder, owner), key, { journal: file, triesSalts: false })
      return pages.opensJournal
    }),
  )
}

const isRenameInterrupted = (folder: string): boolean =>
  ['', '-wal'].some((end) => existsSync(join(folder, `service.db.renaming${end}`)))

function restoreNames(folder: string, end: '' | '-wal', isOf: IsOf): void {
  const [vault, service] = [join(folder, `vault.db${end}`), join(folder, `service.db${end}`)]
  const parked = join(folder, `service.db.renaming${end}`)
  const isThere = existsSync(parked)
  if (!isThere && existsSync(vault) && isOf(vault, 'service.db')) {
    if (existsSync(service) && !isOf(service, 'vault.db')) return
    rename(vault, parked)
  }
  if (!existsSync(vault) && existsSync(service) && isOf(service, 'vault.db')) rename(service, vault)
  if (existsSync(parked) && !existsSync(service)) rename(parked, service)
  syncFolder(folder)
}
