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
  /** @param aside what the damaged file will be called; null where there was none */
  readonly onRead?: (db: Sqlite, found: ReadOut, aside: string | null) => void
}

/** Up to here reading every page costs less than 70 ms; larger files are checked while they are in use. */
export const READ_WHOLE_BYTES = 16 * 1024 * 1024

/** A file beside the database: damage was noticed while it was in use, so the next opening reads every page. */
export const checkMark = (path: string): string => `${path}.check`

/**
 * Opens a database that is there, after a check for what SQLite would pass over without a word.
 *
 * @throws AppError `database-damaged` also where it is missing; what opening can fail with
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
 * Tries to open, and after each repair once more.
 *
 * @throws AppError why it does not open after all repairs, or what a repair can fail with
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

/** SQLite would drop the commits after the damage, or silently miss rows. */
function isJournalDamaged(path: string, key: Uint8Array): boolean {
  if (!existsSync(`${path}-wal`)) return false
  const pages = openEncryptedPages(path, key, { triesSalts: false })
  pages.close()
  return pages.isJournalDamaged || pages.isJournalForeign || pages.isJournalOfOtherState
}

/** Neither a database nor anything that is left of one, or of its rebuilding. */
export const isNew = (path: string): boolean =>
  ends.every((end) => !existsSync(path + end)) &&
  !readdirSync(dirname(path)).some((name) => name.startsWith(`${basename(path)}.rebuilt.`))

/**
 * Reads what is left of a damaged or missing database into a new one, row by row, sets the damaged files aside and puts the
 * new one in their place. A kill at any point leaves it repeatable: nothing is renamed until the new one is whole, and its
 * name then says what the damaged one is to be called.
 *
 * @throws AppError `database-newer`, disk troubles; nothing is changed then
 */
export function rebuildDatabase(rebuild: Rebuild): void {
  const { path, clock } = rebuild
  if (!existsSync(path) && finishRebuild(path)) return
  const working = `${path}.rebuilding`
  for (const name of leftovers(path)) rmSync(join(dirname(path), name), { force: true })
  const pages = openEncryptedPages(path, rebuild.key)
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

/** Does the renames that were left to do when a rebuild was cut off. False: there were none. */
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

/** Unfinished new files; the damaged one is still in its place. */
function leftovers(path: string): string[] {
  const begin = basename(path)
  return readdirSync(dirname(path)).filter(
    (name) => name.startsWith(`${begin}.rebuilding`) || name.startsWith(`${begin}.rebuilt.`),
  )
}

/** A file that is whole without its journal was restored from a copy. It has rows that the two together don't show. */
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
    // Rows come in as they were written, and are then brought up to date like any others.
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
