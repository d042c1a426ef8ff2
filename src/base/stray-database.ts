import { constants, copyFileSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { Clock } from './clock.ts'
import { putInPlace, rename, syncFolder } from './durable-file.ts'
import { openEncryptedPages, type Pages } from './encrypted-pages.ts'
import { PAGE_BYTES } from './page-format.ts'
import { countUnreadable, lastRowOf, rowsOf } from './read-out.ts'
import { asideName, ends } from './set-aside.ts'
import { openEncrypted } from './sqlite.ts'
import { filesBelow, isPackedFile, unpackFile } from './stray-files.ts'
import { attempt } from './control.ts'

const ownNames = /\.(damaged|older)-|\.rebuil|\.renaming|\.schema-|\.check$|-(wal|shm|journal)(\.\w+)?$/i

interface Restore {
  readonly path: string
  readonly key: Uint8Array
  readonly clock: Clock
  readonly position: string
  isKeyProven(): boolean
}

/**
 * If the database is missing or the key decrypts none of its pages, restores it from the newest file in or below its folder
 * that the key decrypts. Replaces an existing database with another file only if `isKeyProven`. Does nothing during an
 * unfinished rebuild. Can be repeated after a crash.
 * @returns the path of the copied file, relative to the folder, or null if nothing was restored
 */
export function restoreRenamed(restore: Restore): string | null {
  const { path, key, clock, isKeyProven } = restore
  const folder = dirname(path)
  if (readdirSync(folder).some((name) => name.startsWith(`${basename(path)}.rebuilt.`))) return null
  const isHere = existsSync(path)
  const own = isHere ? openEncryptedPages(path, key) : null
  const isOwnReadable = own?.opensFile() === true
  own?.[Symbol.dispose]()
  if (isOwnReadable) return null
  const found = newestCopy(restore)
  if (found === undefined || (isHere && found !== path && !isKeyProven()) || !stage(found, `${path}.rebuilding`)) return null
  const journal = journalOf(found)
  if (journal !== undefined) stage(journal, `${path}.rebuilding-wal`)
  let source = found
  if (isHere) {
    const aside = join(folder, asideName(path, clock, 'unreadable'))
    rename(path, aside)
    // The copy may be inside a folder with the database's name.
    if (found.startsWith(path + sep)) source = aside + found.slice(path.length)
    if (own?.isJournalForeign === true) rename(`${path}-wal`, `${aside}-wal`)
    syncFolder(folder)
  }
  // Put the WAL in place first: once the database exists, a call after a crash would not copy the WAL.
  if (existsSync(`${path}.rebuilding-wal`) && !existsSync(`${path}-wal`)) putInPlace(`${path}.rebuilding-wal`, `${path}-wal`)
  putInPlace(`${path}.rebuilding`, path)
  rmSync(`${path}.rebuilding-wal`, { force: true })
  return nameIn(folder, source)
}

export function copiesOf({ path, key, open }: Pick<Restore, 'path' | 'key'> & { readonly open: readonly string[] }): string[] {
  const identity = (file: string): string | undefined => {
    const found = statSync(file, { throwIfNoEntry: false })
    return found && `${found.dev} ${found.ino}`
  }
  const inUse = new Set(open.map(identity))
  return filesBelow(dirname(path))
    .filter((found) => !ownNames.test(basename(found)) && !inUse.has(identity(found)) && opens(found, { path, key }))
    .map((found) => nameIn(dirname(path), found))
}

const nameIn = (folder: string, file: string): string => relative(folder, file).split(sep).join('/')

function newestCopy(restore: Restore): string | undefined {
  const { path } = restore
  const copies = filesBelow(dirname(path)).filter((found) => !ownNames.test(basename(found)) && opens(found, restore))
  if (copies.length < 2) return copies[0]
  const ranked = copies.map((found) => ({ found, position: positionIn(found, restore), changed: statSync(found).mtimeMs }))
  return ranked.toSorted((left, right) => right.position - left.position || right.changed - left.changed)[0]!.found
}

function opens(found: string, { path, key }: Pick<Restore, 'path' | 'key'>): boolean {
  const isOpened = attempt(() => {
    const isPacked = isPackedFile(found)
    if (isPacked ? !stage(found, `${path}.rebuilding`) : found === path) return false
    return opensAny(isPacked ? `${path}.rebuilding` : found, key)
  })
  rmSync(`${path}.rebuilding`, { force: true })
  return isOpened ?? false
}

function opensAny(file: string, key: Uint8Array): boolean {
  using pages = openEncryptedPages(file, key, { triesSalts: false })
  const { count, isReadable } = pages.ofFile
  // Half of the file may be damaged.
  return [1, 2, 3, Math.ceil(count / 2), count - 1, count].some((number) => number > 0 && isReadable(number))
}

/** Opens a copy, because SQLite writes to the folder of a file that it opens. Returns -1 if the position cannot be read. */
function positionIn(found: string, { path, key, position }: Restore): number {
  const working = `${path}.rebuilding`
  try {
    stage(found, working)
    const journal = journalOf(found)
    if (journal !== undefined) stage(journal, `${working}-wal`)
    const db = openEncrypted(working, key)
    try {
      return (db.prepare(position).pluck().get() as number | null) ?? 0
    } finally {
      db.close()
    }
  } catch {
    return -1
  } finally {
    for (const end of ['-wal', '-shm']) rmSync(working + end, { force: true })
  }
}

/** Finds the WAL even if both were renamed, e.g. to `VAULT.DB` and `VAULT.DB-WAL`, or `vault.db.txt` and `vault.db-wal.txt`. */
export function journalOf(found: string): string | undefined {
  const [folder, name] = [dirname(found), basename(found).toLowerCase()]
  const journal = readdirSync(folder).find((other) => /-wal/i.test(other) && other.toLowerCase().replace('-wal', '') === name)
  return journal === undefined ? undefined : join(folder, journal)
}

/** Copies the file to `working`, unpacked if it is compressed. */
function stage(found: string, working: string): boolean {
  const unpacked = isPackedFile(found) ? unpackFile(found) : undefined
  if (unpacked === null) return false
  if (unpacked === undefined) copyFileSync(found, working, constants.COPYFILE_FICLONE)
  else writeFileSync(working, unpacked, { mode: 0o600 })
  return true
}

type Later = Pick<Restore, 'path' | 'key' | 'clock'> & { readonly grows: string }

/**
 * Restores a later state of the database from a moved WAL or a file in or below its folder. A state is later if the table named
 * by `grows` has all current rows and more. Call before SQLite opens the database; can be repeated after a crash.
 */
export function restoreLater(later: Later): void {
  if (!existsSync(later.path)) return
  restoreJournal(later)
  restoreCopy(later)
}

function restoreJournal({ path, key, grows }: Later): void {
  if (existsSync(`${path}-wal`)) return
  const [names, journal] = [[`${basename(path)}-wal`, `${basename(path)}-wal.gz`], `${path}.rebuilding-wal`]
  for (const found of filesBelow(dirname(path)).filter((file) => names.includes(basename(file).toLowerCase()))) {
    if (!stage(found, journal)) continue
    using pages = openEncryptedPages(path, key, { journal, triesSalts: false })
    const isApplicable = pages.opensJournal && !pages.isJournalDamaged && !pages.isJournalOfOtherState
    if (isApplicable && continues(pages, rowsOf(pages.ofFile, grows), grows)) return putInPlace(journal, `${path}-wal`)
    rmSync(journal)
  }
}

function restoreCopy({ path, key, clock, grows }: Later): void {
  const copies = copiesBeside(path, key)
  if (copies.length === 0) return
  let [newest, rows] = [null as string | null, rowsIn(path, key, grows)]
  for (const file of copies) {
    using pages = openEncryptedPages(file, key, { triesSalts: false, journal: journalOf(file) ?? '' })
    const last = lastRowOf(pages, grows)
    if (rows.size === 0 || last === null || rows.has(last) || countUnreadable(pages) > 0) continue
    if (continues(pages, rows, grows)) [newest, rows] = [file, rowsOf(pages, grows)]
  }
  if (newest === null) return
  const [aside, journal] = [join(dirname(path), asideName(path, clock, 'older')), journalOf(newest)]
  copyFileSync(newest, `${path}.rebuilding`)
  if (journal !== undefined) copyFileSync(journal, `${path}.rebuilding-wal`)
  // Rename the WAL before the database: after a crash, a WAL left in place would be applied to the later file.
  for (const end of ends.toReversed()) if (existsSync(path + end)) rename(path + end, aside + end)
  if (journal !== undefined) putInPlace(`${path}.rebuilding-wal`, `${path}-wal`)
  putInPlace(`${path}.rebuilding`, path)
}

export function copiesBeside(path: string, key: Uint8Array): string[] {
  return filesBelow(dirname(path)).filter((file) => isCandidate(path, file) && attempt(() => opensAny(file, key)) === true)
}

function isCandidate(path: string, file: string): boolean {
  // `vault.db` and `service.db` in the folder of `path` may be in use, and reading them would drop their locks.
  const isInUse = dirname(file) === dirname(path) && /^(vault|service)\.db$/.test(basename(file))
  const { size } = statSync(file)
  return !isInUse && !ownNames.test(basename(file)) && size > PAGE_BYTES && size % PAGE_BYTES === 0
}

function rowsIn(path: string, key: Uint8Array, table: string): ReadonlySet<string> {
  using pages = openEncryptedPages(path, key, { triesSalts: false })
  return rowsOf(pages, table)
}

function continues(later: Pages, earlier: ReadonlySet<string>, grows: string): boolean {
  const rows = rowsOf(later, grows)
  return rows.size > earlier.size && [...earlier].every((row) => rows.has(row))
}
