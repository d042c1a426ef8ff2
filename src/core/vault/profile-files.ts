import { chmodSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const vaultDatabase = (folder: string): string => join(folder, 'vault.db')
/** The vault before a migration; there only while one is under way or after one failed. */
export const vaultSnapshot = (folder: string, version: number): string => join(folder, `vault.db.schema-${version}`)

export function vaultSnapshots(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^vault\.db\.schema-\d+(\.new)?(-journal)?$/.test(name))
  return names.map((name) => join(folder, name))
}

/** Sealed by a key that some vault held: their presence forbids making another. */
export function hasRecords(folder: string): boolean {
  return namesIn(join(folder, 'recordings')).length > 0 || namesIn(folder).some((name) => name.startsWith('service.db'))
}

/** Also what was set aside of one, or is left of its rebuilding. */
export function hasVaultDatabase(folder: string): boolean {
  return namesIn(folder).some((name) => name.startsWith('vault.db'))
}

/**
 * Backup and sync programs can leave files that their owner can't read or write, and SQLite copies the mode of a database to
 * its journals. Files of another user stay as they are; opening them fails with an error.
 */
export function openToOwner(folder: string): void {
  if (process.platform === 'win32') return
  for (const place of [folder, join(folder, 'recordings')])
    for (const path of namesIn(place).map((name) => join(place, name))) {
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (found?.isFile() !== true || (found.mode & 0o600) === 0o600 || found.uid !== process.getuid?.()) continue
      chmodSync(path, 0o600)
    }
}

function namesIn(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : []
}

/** What a first run that broke off has left: no therapist has ever seen this vault open. */
export function removeUnfinished(folder: string): void {
  for (const suffix of ['', '-wal', '-shm', '.new', '.new-wal', '.new-shm'])
    rmSync(vaultDatabase(folder) + suffix, { force: true })
}
