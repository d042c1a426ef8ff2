import { existsSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type Clock, timestamp } from './clock.ts'
import { rename, syncFolder } from './durable-file.ts'
import { openEncryptedPages } from './encrypted-pages.ts'

export const ends = ['', '-wal', '-shm'] as const

type Condition = 'damaged' | 'unreadable' | 'older'

export function asideName(path: string, clock: Clock, condition: Condition): string {
  const name = `${basename(path)}.${condition}-${timestamp(clock).slice(0, 19).replaceAll(':', '-')}`
  const isTaken = (tried: string): boolean => ends.some((end) => existsSync(join(dirname(path), tried + end)))
  let tried = name
  for (let count = 2; isTaken(tried); count += 1) tried = `${name}-${count}`
  return tried
}

export function setFileAside(path: string, clock: Clock, condition: Condition, end = ''): void {
  rename(path + end, join(dirname(path), asideName(path, clock, condition) + end))
  syncFolder(dirname(path))
}

export function setAsideOf(path: string): string[] {
  const begin = basename(path)
  const all = readdirSync(dirname(path)).filter((name) =>
    (['damaged', 'unreadable', 'older'] satisfies Condition[]).some((condition) => name.startsWith(`${begin}.${condition}-`)),
  )
  const isOfOther = (name: string): boolean => /-(wal|journal)$/.test(name) && all.includes(name.replace(/-(wal|journal)$/, ''))
  return all.filter((name) => !name.endsWith('-shm') && !isOfOther(name))
}

export function setBrokenLinksAside(folder: string, isOurs: (name: string) => boolean, clock: Clock): void {
  if (!isFolder(folder)) return
  const names = readdirSync(folder).filter(
    (name) => isOurs(name) && !/\.unreadable-/.test(name) && isBrokenLink(join(folder, name)),
  )
  for (const name of names) {
    const [end = ''] = /-(wal|shm|journal)$/.exec(name) ?? []
    setFileAside(join(folder, name.slice(0, name.length - end.length)), clock, 'unreadable', end)
  }
}

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

/** Renames what stops SQLite: a WAL or WAL index that is not a file, and a rollback journal beside a non-empty database. */
export function setObstaclesAside(path: string, clock: Clock): void {
  const isObstacle = (end: string): boolean => {
    const found = statSync(path + end, { throwIfNoEntry: false })
    return found !== undefined && (end === '-journal' ? isFilled(path) : !found.isFile())
  }
  for (const end of ['-wal', '-shm', '-journal'].filter(isObstacle)) setFileAside(path, clock, 'unreadable', end)
}

const isFilled = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0

export function setForeignJournalAside(path: string, key: Uint8Array, clock: Clock): void {
  if (isJournalForeign(path, key)) setFileAside(path, clock, 'unreadable', '-wal')
}

function isJournalForeign(path: string, key: Uint8Array): boolean {
  using pages = openEncryptedPages(path, key, { triesSalts: false })
  return pages.isJournalForeign && pages.opensFile()
}
