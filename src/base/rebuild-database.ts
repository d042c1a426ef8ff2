import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '#contract/errors.ts'
import type { Clock } from './clock.ts'
import { rename, syncFolder } from './durable-file.ts'
import { type EncryptedPages, openEncryptedPages } from './encrypted-pages.ts'
import type { Migration, Named } from './migrate.ts'
import { migrate } from './migrate.ts'
import { addFrom, countUnreadable, type ReadOut, readOut, rowsOf, schemaVersionOf } from './read-out.ts'
import { asideName, ends } from './set-aside.ts'
import { copiesBeside, journalOf } from './stray-database.ts'
import type { Sqlite } from './sqlite.ts'
import { openEncrypted, proveReadable } from './sqlite.ts'

export interface Rebuild {
  readonly path: string
  readonly key: Uint8Array
  readonly clock: Clock
  readonly migrations: readonly Named<Migration>[]
  readonly indexes?: readonly string[]
  /** Name of a table that only grows. It shows which of two states in one file is newer. */
  readonly grows: string
  /** @param aside name that the damaged file will get; null if there was no file */
  readonly onRead?: (db: Sqlite, found: ReadOut, aside: string | null) => void
}

/** Below this size, reading every page takes less than 70 ms; larger files are checked while in use. */
export const READ_WHOLE_BYTES = 16 * 1024 * 1024

/** Marker file: damage was seen while the database was in use, so the next opening reads every page. */
export const checkMark = (path: string): string => `${path}.check`

/**
 * Opens an existing database after checking for damage that SQLite does not report.
 *
 * @throws AppError `database-damaged`, also if the file is missing; any error of `openEncrypted`
 */
export function openChecked(path: string, key: Uint8Array): Sqlite {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw new AppError('database-damaged')
  if (isDamaged(path, key)) throw new AppError('database-damaged')
  proveReadable(path, key, existsSync(checkMark(path)) || statSync(path).size <= READ_WHOLE_BYTES)
  const db = openEncrypted(path, key)
  rmSync(checkMark(path), { force: true })
  return db
}

/**
 * Tries to open. After `database-damaged` or `not-encrypted`, runs the next repair and tries again.
 *
 * @throws the last error of `open` after all repairs; any other error of `open`, and any error of a repair, at once
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

/** True if the file's size or its WAL shows damage that SQLite does not report. */
function isDamaged(path: string, key: Uint8Array): boolean {
  const pages = openEncryptedPages(path, key, { triesSalts: false })
  pages.close()
  const { isJournalDamaged, isJournalForeign, isJournalOfOtherState, isOfOtherSize, behind } = pages
  return isJournalDamaged || isJournalForeign || isJournalOfOtherState || isOfOtherSize || behind !== null
}

export const isNew = (path: string): boolean =>
  ends.every((end) => !existsSync(path + end)) &&
  !readdirSync(dirname(path)).some((name) => name.startsWith(`${basename(path)}.rebuilt.`))

/**
 * Rebuilds a damaged or missing database: copies every readable row into a new file, sets the damaged files aside, and renames
 * the new file into place. Crash-safe: nothing is renamed until the new file is complete, and its name then records where the
 * damaged file goes. If the file is missing because a rebuild was interrupted, only finishes that rebuild.
 *
 * @throws AppError `database-newer`, before any file of the database is changed; any disk error
 */
export function rebuildDatabase(rebuild: Rebuild): void {
  const { path, clock } = rebuild
  if (!existsSync(path) && finishRebuild(path)) return
  const working = `${path}.rebuilding`
  for (const name of leftovers(path)) rmSync(join(dirname(path), name), { force: true })
  const states = openStates(path, rebuild.key)
  let aside: string
  try {
    const opensAnything = states.some((pages) => pages.count === 0 || pages.opensJournal || pages.opensFile())
    aside = asideName(path, clock, opensAnything ? 'damaged' : 'unreadable')
    fill(rebuild, states, working, aside)
  } finally {
    for (const pages of states) pages.close()
  }
  rename(working, `${path}.rebuilt.${aside}`)
  syncFolder(dirname(path))
  finishRebuild(path)
}

/** Usually one state; more if other databases were appended to the file. */
function openStates(path: string, key: Uint8Array): EncryptedPages[] {
  const states: EncryptedPages[] = []
  for (let from: number | null = 0; from !== null; from = states.at(-1)!.behind)
    states.push(openEncryptedPages(path, key, { from, repairs: true }))
  return states
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

/** True if the file is complete without its WAL: it was restored from a copy, and the WAL hides some of its rows. */
function isFileOfOtherState(pages: EncryptedPages, found: ReadOut): boolean {
  if (!pages.opensJournal || pages.isJournalDamaged || pages.ofFile.count === 0) return false
  return (pages.isJournalOfOtherState || found.incomplete.length > 0) && countUnreadable(pages.ofFile) === 0
}

function fill(
  { path, key, migrations, indexes, grows, onRead }: Rebuild,
  states: EncryptedPages[],
  working: string,
  aside: string,
): void {
  const isMissing = !ends.some((end) => existsSync(path + end))
  const ordered = newestFirst(states, grows)
  const { pages, version: stored } = ordered[0]!
  const version = stored ?? Number.POSITIVE_INFINITY
  const last = migrations.at(-1)?.version ?? 0
  if (version > last && version !== Number.POSITIVE_INFINITY) throw new AppError('database-newer')
  const db = openEncrypted(working, key)
  try {
    // Insert rows at their own schema version, then migrate them.
    const known = migrations.filter((step) => step.version <= version)
    migrate(db, known)
    const found = readOut(pages, db, indexes)
    if (isFileOfOtherState(pages, found)) addFrom(pages.ofFile, db)
    addOlder(db, ordered, found.incomplete)
    addCopies({ path, key, grows }, db, found.incomplete, known.at(-1)?.version ?? 0)
    migrate(db, migrations)
    onRead?.(db, withPagesOf(ordered.slice(1), found), isMissing ? null : aside)
    db.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    db.close()
  }
}

interface State {
  readonly pages: EncryptedPages
  readonly version: number | null
  /** Rows of the table named in `Rebuild.grows`. */
  readonly rows: ReadonlySet<string>
}

const newestFirst = (states: readonly EncryptedPages[], grows: string): State[] =>
  states
    .map((pages) => ({ pages, version: schemaVersionOf(pages), rows: rowsOf(pages, grows) }))
    .toSorted((left, right) => (right.version ?? 0) - (left.version ?? 0) || right.rows.size - left.rows.size)

/**
 * A row that only an earlier state has was deleted later, unless its table lost rows in the newest state. A state that
 * the newest did not grow from adds all its rows.
 */
function addOlder(into: Sqlite, [newest, ...older]: readonly State[], incomplete: readonly string[]): void {
  for (const { pages, rows } of older) {
    const isEarlier = [...rows].every((row) => newest!.rows.has(row))
    addFrom(pages, into, isEarlier ? incomplete : undefined)
  }
}

/**
 * Adds rows of incomplete tables from copies with the same schema version in the folder and its subfolders, such as a manual
 * backup. If copies differ, the newest copy's row is used.
 */
function addCopies(
  { path, key, grows }: Pick<Rebuild, 'path' | 'key' | 'grows'>,
  into: Sqlite,
  incomplete: readonly string[],
  version: number,
): void {
  if (incomplete.length === 0) return
  const copies = copiesBeside(path, key).map((file) =>
    openEncryptedPages(file, key, { triesSalts: false, journal: journalOf(file) ?? '' }),
  )
  try {
    for (const state of newestFirst(copies, grows)) if (state.version === version) addFrom(state.pages, into, incomplete)
  } finally {
    for (const pages of copies) pages.close()
  }
}

const withPagesOf = (older: readonly State[], found: ReadOut): ReadOut =>
  older.reduce(
    (sum, { pages }) => ({
      ...sum,
      pages: sum.pages + pages.count,
      unreadable_pages: sum.unreadable_pages + countUnreadable(pages),
    }),
    found,
  )
