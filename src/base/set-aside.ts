import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Clock } from './clock.ts'
import { timestamp } from './clock.ts'
import { syncFolder } from './durable-file.ts'
import { openEncryptedPages } from './encrypted-pages.ts'
import { rename } from './rename.ts'

/** A database, its journal, and the journal's index. In this order: without its database a journal is read by nothing. */
export const ends = ['', '-wal', '-shm'] as const

/** `unreadable`: nothing of the file opens with the key of this profile, e.g. because it is another profile's. */
type Condition = 'damaged' | 'unreadable'

/** With the date; of two in one second the later has a number. */
export function asideName(path: string, clock: Clock, condition: Condition): string {
  const name = `${basename(path)}.${condition}-${timestamp(clock).slice(0, 19).replaceAll(':', '-')}`
  const isTaken = (tried: string): boolean => ends.some((end) => existsSync(join(dirname(path), tried + end)))
  let tried = name
  for (let count = 2; isTaken(tried); count += 1) tried = `${name}-${count}`
  return tried
}

/** For a file that is not a database: it is whole or of no use. */
export function setFileAside(path: string, clock: Clock, condition: Condition): void {
  rename(path, join(dirname(path), asideName(path, clock, condition)))
  syncFolder(dirname(path))
}

/** Files of this database that were set aside; a journal is named where it was set aside alone. */
export function setAsideOf(path: string): string[] {
  const begin = basename(path)
  const all = readdirSync(dirname(path)).filter((name) =>
    (['damaged', 'unreadable'] satisfies Condition[]).some((condition) => name.startsWith(`${begin}.${condition}-`)),
  )
  const isOfOther = (name: string): boolean => /-(wal|journal)$/.test(name) && all.includes(name.replace(/-(wal|journal)$/, ''))
  return all.filter((name) => !name.endsWith('-shm') && !isOfOther(name))
}

/**
 * Sets aside what SQLite would refuse the whole database for: a folder under the name of a journal, and a rollback journal,
 * which these databases never have.
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

/**
 * Sets a journal aside that SQLite would lay over the database, or overwrite, though nothing of it opens with the key. The
 * database is left as it is.
 */
export function setForeignJournalAside(path: string, key: Uint8Array, clock: Clock): void {
  const pages = openEncryptedPages(path, key, { triesSalts: false })
  const isAlone = pages.isJournalForeign && pages.opensFile()
  pages.close()
  if (!isAlone) return
  rename(`${path}-wal`, join(dirname(path), `${asideName(path, clock, 'unreadable')}-wal`))
  syncFolder(dirname(path))
}
