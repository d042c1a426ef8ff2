import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Clock, timestamp } from './clock.ts'
import { rename, syncFolder } from './durable-file.ts'
import { openEncryptedPages } from './encrypted-pages.ts'

/**
 * Endings of the names of a database, its WAL, and its WAL index, in the order for renaming: a WAL without its database
 * is never read.
 */
export const ends = ['', '-wal', '-shm'] as const

/**
 * `unreadable`: no page can be decrypted with this profile's key, for example because it is another profile's file. `older`: a
 * later state took its place.
 */
type Condition = 'damaged' | 'unreadable' | 'older'

export function asideName(path: string, clock: Clock, condition: Condition): string {
  const name = `${basename(path)}.${condition}-${timestamp(clock).slice(0, 19).replaceAll(':', '-')}`
  const isTaken = (tried: string): boolean => ends.some((end) => existsSync(join(dirname(path), tried + end)))
  let tried = name
  for (let count = 2; isTaken(tried); count += 1) tried = `${name}-${count}`
  return tried
}

export function setFileAside(path: string, clock: Clock, condition: Condition): void {
  rename(path, join(dirname(path), asideName(path, clock, condition)))
  syncFolder(dirname(path))
}

/**
 * Names of the set-aside files of this database. A WAL or rollback journal is listed only if it was set aside without a
 * database.
 */
export function setAsideOf(path: string): string[] {
  const begin = basename(path)
  const all = readdirSync(dirname(path)).filter((name) =>
    (['damaged', 'unreadable', 'older'] satisfies Condition[]).some((condition) => name.startsWith(`${begin}.${condition}-`)),
  )
  const isOfOther = (name: string): boolean => /-(wal|journal)$/.test(name) && all.includes(name.replace(/-(wal|journal)$/, ''))
  return all.filter((name) => !name.endsWith('-shm') && !isOfOther(name))
}

/**
 * Sets aside symbolic links that lead nowhere, because they can neither be read nor replaced. Other links are left in
 * place.
 */
export function setBrokenLinksAside(folder: string, isOurs: (name: string) => boolean, clock: Clock): void {
  if (!isFolder(folder)) return
  const names = readdirSync(folder).filter(
    (name) => isOurs(name) && !/\.unreadable-/.test(name) && isBrokenLink(join(folder, name)),
  )
  for (const name of names) {
    const [end = ''] = /-(wal|shm|journal)$/.exec(name) ?? []
    const path = join(folder, name.slice(0, name.length - end.length))
    rename(join(folder, name), join(folder, asideName(path, clock, 'unreadable') + end))
  }
  if (names.length > 0) syncFolder(folder)
}

/** False also for a missing path and for a link that leads nowhere. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (isNowhere(error)) return false
    throw error
  }
}

const isNowhere = (error: unknown): boolean =>
  ['ENOENT', 'ELOOP', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

export function isBrokenLink(path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false
  try {
    statSync(path)
    return false
  } catch (error) {
    return isNowhere(error)
  }
}

/**
 * Sets aside what makes SQLite refuse the database: a folder with the name of its WAL or WAL index, or, if the database
 * is not empty, a rollback journal, which the app never creates.
 */
export function setObstaclesAside(path: string, clock: Clock): void {
  const isObstacle = (end: string): boolean => {
    const found = statSync(path + end, { throwIfNoEntry: false })
    return found !== undefined && (end === '-journal' ? isFilled(path) : !found.isFile())
  }
  const obstacles = ['-wal', '-shm', '-journal'].filter(isObstacle)
  for (const end of obstacles) rename(path + end, join(dirname(path), asideName(path, clock, 'unreadable') + end))
  if (obstacles.length > 0) syncFolder(dirname(path))
}

const isFilled = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

/** If the key opens the database but nothing in its WAL, sets the WAL aside: SQLite would apply or overwrite it. */
export function setForeignJournalAside(path: string, key: Uint8Array, clock: Clock): void {
  const pages = openEncryptedPages(path, key, { triesSalts: false })
  const isAlone = pages.isJournalForeign && pages.opensFile()
  pages.close()
  if (!isAlone) return
  rename(`${path}-wal`, join(dirname(path), `${asideName(path, clock, 'unreadable')}-wal`))
  syncFolder(dirname(path))
}
