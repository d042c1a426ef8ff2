import { chmodSync, lstatSync, readdirSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isFile, withFile } from '#base/durable-file.ts'
import type { Clock } from '#base/clock.ts'
import { isZip } from '#base/stray-files.ts'
import { AppError } from '#contract/errors.ts'
import { isBrokenLink, isFolder, setAsideOf, setBrokenLinksAside } from '#base/set-aside.ts'

export const vaultDatabase = (folder: string): string => join(folder, 'vault.db')
export const inventory = (folder: string): string => join(folder, 'inventory.aw')
export const inventoryContext = (profileId: string): Buffer => Buffer.from(`afterword/1/inventory/${profileId}`)
export const vaultSnapshot = (folder: string, version: number): string => join(folder, `vault.db.schema-${version}`)

export function vaultSnapshots(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^vault\.db\.schema-\d+(\.new)?(-journal)?$/.test(name))
  return names.map((name) => join(folder, name))
}

/** Another program may have changed file names to upper case, shortened them, or moved the files one folder down. */
export function hasRecords(folder: string): boolean {
  const names = namesIn(folder)
  return (
    namesIn(join(folder, 'recordings')).length > 0 ||
    names.some((name) => name.startsWith('service.db') || /^(?:VAULT|SERVICE)[.~]/.test(name)) ||
    names.some((name) => namesIn(join(folder, name)).some((inner) => inner === 'vault.json' || inner === 'vault.db'))
  )
}

export const hasVaultDatabase = (folder: string): boolean => namesIn(folder).some((name) => name.startsWith('vault.db'))

/** Restores the owner's permissions, which backup and sync programs can remove. Files of other users stay unchanged. */
export function openToOwner(folder: string): void {
  if (process.platform === 'win32') return
  for (const place of [folder, join(folder, 'recordings'), join(folder, 'dictations')])
    for (const path of namesIn(place).map((name) => join(place, name))) {
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (found?.isFile() !== true || (found.mode & 0o600) === 0o600 || found.uid !== process.getuid?.()) continue
      chmodSync(path, 0o600)
    }
}

/** Only broken links with these names are renamed, because the folder can contain other links. */
const ourNames = /^(vault|service)\.|^(salts|keys)\.json|^inventory\.aw|^recordings$|\.afr$/

export function setLinksAside(folder: string, clock: Clock): void {
  if (isBrokenLink(folder)) throw new AppError('disk-failed')
  for (const place of [folder, join(folder, 'recordings')]) setBrokenLinksAside(place, (name) => ourNames.test(name), clock)
}

export function recordingsSetAside(folder: string): string[] {
  const recordings = namesIn(join(folder, 'recordings')).filter((name) => name.includes('.afr.unreadable-'))
  return [...setAsideOf(join(folder, 'recordings')), ...recordings.map((name) => `recordings/${name}`)]
}

export function keyedFiles(folder: string): { readonly name: string; readonly is_zip: boolean }[] {
  const recordings = namesIn(join(folder, 'recordings')).filter((name) => name.endsWith('.afr'))
  const names = ['vault.db', 'service.db', ...recordings.map((name) => `recordings/${name}`)]
  return names.flatMap((name) => {
    const start = startOf(join(folder, name))
    return start.length === 0 ? [] : [{ name, is_zip: isZip(start) }]
  })
}

const START_BYTES = 4

function startOf(path: string): Buffer {
  if (!isFile(path)) return Buffer.alloc(0)
  return withFile(path, 'r', (file) => {
    const bytes = Buffer.alloc(START_BYTES)
    return bytes.subarray(0, readSync(file, bytes, 0, START_BYTES, 0))
  })
}

const namesIn = (folder: string): string[] => (isFolder(folder) ? readdirSync(folder) : [])

export function removeUnfinished(folder: string): void {
  for (const suffix of ['', '-wal', '-shm', '.new', '.new-wal', '.new-shm'])
    rmSync(vaultDatabase(folder) + suffix, { force: true })
}
