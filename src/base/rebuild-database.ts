import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '#contract/errors.ts'
import type { Clock } from './clock.ts'
import { syncFolder } from './durable-file.ts'
import { type EncryptedPages, openEncryptedPages } from './encrypted-pages.ts'
import type { Migration, Named } from './migrate.ts'
import { migrate } from './migrate.ts'
import { addFrom, countUnreadable, type ReadOut, readOut, schemaVersionOf } from './read-out.ts'
import { rename } from './rename.ts'
import { asideName, ends } from './set-aside.ts'
import type { Sqlite } from './sqlite.ts'
import { openEncrypted, proveReadable } from './sqlite.ts'

export interface Rebuild {
  readonly path: string
  readonly key: Uint8Array
  readonly clock: Clock
  readonly migrations: readonly Named<Migration>[]
  readonly indexes?: readonly string[]
  /** @param aside name the damaged file will be set aside under; null if there was no file */
  readonly onRead?: (db: Sqlite, found: ReadOut, aside: string | null) => void
}

/** Below this size, reading every page takes less than 70 ms; larger files are checked while in use. */
export const READ_WHOLE_BYTES = 16 * 1024 * 1024

/** Marker file: damage was seen while the database was in use, so the next opening reads every page. */
export const checkMark = (path: string): string => `${path}.check`

/**
 * Opens an existing database after checking for damage that SQLite does not report.
 *
 * @throws AppError `database-damaged`, also if the file is missing; any error of opening
 */
export function openChecked(path: string, key: Uint8Array): Sqlite {
  if (!existsSync(path) || isJournalDamaged(path, key)) throw new AppError('database-damaged')
  if (!statSync(path).isFile()) throw new AppError('database-damaged')
  proveReadable(path, key, existsSync(checkMark(path)) || statSync(path).size <= READ_WHOLE_BYTES)
  const db = openEncrypted(path, key)
  rmSync(checkMark(path), { force: true })
  return db
}

/**
 * Tries to open, and retries after each repair.
 *
 * @throws AppError if it does not open after all repairs, or a repair fails
 */
export function openRepaired<Opened>(open: () => Opened, repairs: readonly ((error: AppError) => void)[]): Opened {
  for (const repair of repairs) {
    try {
      return open()
    } catch (error) {
      const isRepairable = error instanceof AppError && (error.code === 'database-damaged' || error.code === 'not-encrypted')
      if (!isRepairable) throw error
      repair(error)
    }
  }
  return open()
}

function isJournalDamaged(path: string, key: Uint8Array): boolean {
  if (!existsSync(`${path}-wal`)) return false
  const pages = openEncryptedPages(path, key, { triesSalts: false })
  pages.close()
  return pages.isJournalDamaged || pages.isJournalForeign || pages.isJournalOfOtherState
}

export const isNew = (path: string): boolean =>
  ends.every((end) => !existsSync(path + end)) &&
  !readdirSync(dirname(path)).some((name) => name.startsWith(`${basename(path)}.rebuilt.`))

/**
 * Rebuilds a damaged or missing database: copies every readable row into a new file, sets the damaged files aside, and renames
 * the new file into place. Crash-safe: nothing is renamed until the new file is complete, and its name then records where the
 * damaged file goes.
 *
 * @throws AppError `database-newer` or a disk error; nothing is changed then
 */
export function rebuildDatabase(rebuild: Rebuild): void {
  const { path, clock } = rebuild
  if (!existsSync(path) && finishRebuild(path)) return
  const working = `${path}.rebuilding`
  for (const name of leftovers(path)) rmSync(join(dirname(path), name), { force: true })
  const pages = openEncryptedPages(path, rebuild.key, { repairs: true })
  let aside: string
  try {
    const opensAnything = pages.count === 0 || pages.opensJournal || pages.opensFile()
    aside = asideName(path, clock, opensAnything ? 'damaged' : 'unreadable')
    fill(rebuild, pages, working, aside)
  } finally {
    pages.close()
  }
  rename(working, `${path}.rebuilt.${aside}`)
  syncFolder(dirname(path))
  finishRebuild(path)
}

function finishRebuild(path: string): boolean {
  const folder = dirname(path)
  const begin = `${basename(path)}.rebuilt.`
  const rebuilt = readdirSync(folder).find((name) => name.startsWith(begin))
  if (rebuilt === undefined) return false
  const aside = rebuilt.slice(begin.length)
  for (const end of ends) if (existsSync(path + end)) rename(path + end, join(folder, aside + end))
  syncFolder(folder)
  rename(join(folder, rebuilt), path)
  syncFolder(folder)
  return true
}

function leftovers(path: string): string[] {
  const begin = basename(path)
  return readdirSync(dirname(path)).filter(
    (name) => name.startsWith(`${begin}.rebuilding`) || name.startsWith(`${begin}.rebuilt.`),
  )
}

/** A file that is complete without its WAL was restored from a copy; together with the WAL some of its rows are hidden. */
function isFileOfOtherState(pages: EncryptedPages, found: ReadOut): boolean {
  if (!pages.opensJournal || pages.isJournalDamaged || pages.ofFile.count === 0) return false
  return (pages.isJournalOfOtherState || found.incomplete.length > 0) && countUnreadable(pages.ofFile) === 0
}

function fill({ path, key, migrations, indexes, onRead }: Rebuild, pages: EncryptedPages, working: string, aside: string): void {
  const isMissing = !ends.some((end) => existsSync(path + end))
  const version = schemaVersionOf(pages) ?? Number.POSITIVE_INFINITY
  const newest = migrations.at(-1)?.version ?? 0
  if (version > newest && version !== Number.POSITIVE_INFINITY) throw new AppError('database-newer')
  const db = openEncrypted(working, key)
  try {
    // Insert rows at their own schema version, then migrate them.
    const known = migrations.filter((step) => step.version <= version)
    migrate(db, known)
    const found = readOut(pages, db, indexes)
    if (isFileOfOtherState(pages, found)) addFrom(pages.ofFile, db)
    migrate(db, migrations)
    onRead?.(db, found, isMissing ? null : aside)
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
}
