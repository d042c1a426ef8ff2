import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '#contract/errors.ts'
import type { Clock } from './clock.ts'
import { isFile, rename, syncFolder } from './durable-file.ts'
import { type EncryptedPages, openEncryptedPages } from './encrypted-pages.ts'
import { migrate, type Migration, type Named } from './migrate.ts'
import { addFrom, countUnreadable, type ReadOut, readOut, rowsOf, schemaVersionOf } from './read-out.ts'
import { asideName, ends } from './set-aside.ts'
import { copiesBeside, journalOf } from './stray-database.ts'
import { openEncrypted, proveReadable, type Sqlite } from './sqlite.ts'

export interface Rebuild {
  readonly path: string
  readonly key: Uint8Array
  readonly clock: Clock
  readonly migrations: readonly Named<Migration>[]
  readonly indexes?: readonly string[]
  /** Name of a table that only grows. Of two states with the same schema version, the one with more rows in it is newer. */
  readonly grows: string
  /** Another database that may have pages of this one. It must not be open in SQLite. */
  readonly other?: string
  readonly onRead?: (db: Sqlite, found: ReadOut, aside: string | null) => void
}

export const READ_WHOLE_BYTES = 16 * 1024 * 1024

/** If this file exists, the database may be damaged, and the next opening reads every page. */
export const checkMark = (path: string): string => `${path}.check`

export function openChecked(path: string, key: Uint8Array): Sqlite {
  if (!isFile(path) || isDamaged(path, key)) throw new AppError('database-damaged')
  proveReadable(path, key, existsSync(checkMark(path)) || statSync(path).size <= READ_WHOLE_BYTES)
  const db = openEncrypted(path, key)
  rmSync(checkMark(path), { force: true })
  return db
}

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

function isDamaged(path: string, key: Uint8Array): boolean {
  using pages = openEncryptedPages(path, key, { triesSalts: false })
  const { isJournalDamaged, isJournalForeign, isJournalOfOtherState, isOfOtherSize, behind } = pages
  return isJournalDamaged || isJournalForeign || isJournalOfOtherState || isOfOtherSize || behind !== null
}

export const isNew = (path: string): boolean =>
  ends.every((end) => !existsSync(path + end)) &&
  !readdirSync(dirname(path)).some((name) => name.startsWith(`${basename(path)}.rebuilt.`))

/**
 * Copies readable rows into a new file, renames the old files, and renames the new file into place. After a crash, the next
 * call finishes the rebuild or starts it again.
 */
export function rebuildDatabase(rebuild: Rebuild): void {
  const { path, clock } = rebuild
  if (!existsSync(path) && finishRebuild(path)) return
  const working = `${path}.rebuilding`
  for (const name of leftovers(path)) rmSync(join(dirname(path), name), { force: true })
  using opened = new DisposableStack()
  const states = openStates(rebuild).map((pages) => opened.use(pages))
  const opensAnything = states.some((pages) => pages.count === 0 || pages.opensJournal || pages.opensFile())
  const aside = asideName(path, clock, opensAnything ? 'damaged' : 'unreadable')
  fill(rebuild, states, working, aside)
  opened.dispose()
  rename(working, `${path}.rebuilt.${aside}`)
  syncFolder(dirname(path))
  finishRebuild(path)
}

function openStates({ path, key, other }: Rebuild): EncryptedPages[] {
  const others = [...(other === undefined ? [] : [other]), ...damagedOthers(path)]
  const states: EncryptedPages[] = []
  for (let from: number | null = 0; from !== null; from = states.at(-1)!.behind)
    states.push(openEncryptedPages(path, key, { from, repairs: true, others }))
  return states
}

/** Set-aside files of other databases in the folder: a file system that was repaired may have exchanged the ends of files. */
const damagedOthers = (path: string): string[] =>
  readdirSync(dirname(path))
    .filter((name) => /\.db\.damaged-[\d-T]+$/.test(name) && !name.startsWith(basename(path)))
    .map((name) => join(dirname(path), name))

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
  readonly rows: ReadonlySet<string>
}

const newestFirst = (states: readonly EncryptedPages[], grows: string): State[] =>
  states
    .map((pages) => ({ pages, version: schemaVersionOf(pages), rows: rowsOf(pages, grows) }))
    .toSorted((left, right) => (right.version ?? 0) - (left.version ?? 0) || right.rows.size - left.rows.size)

/**
 * Adds rows from older states. If the newest state contains all rows of an older one in the table that only grows, rows are
 * added only to incomplete tables: rows missing elsewhere were deleted later.
 */
function addOlder(into: Sqlite, [newest, ...older]: readonly State[], incomplete: readonly string[]): void {
  for (const { pages, rows } of older) {
    const isEarlier = [...rows].every((row) => newest!.rows.has(row))
    addFrom(pages, into, isEarlier ? incomplete : undefined)
  }
}

function addCopies(
  { path, key, grows }: Pick<Rebuild, 'path' | 'key' | 'grows'>,
  into: Sqlite,
  incomplete: readonly string[],
  version: number,
): void {
  if (incomplete.length === 0) return
  using opened = new DisposableStack()
  const copies = copiesBeside(path, key).map((file) =>
    opened.use(openEncryptedPages(file, key, { triesSalts: false, journal: journalOf(file) ?? '' })),
  )
  for (const state of newestFirst(copies, grows)) if (state.version === version) addFrom(state.pages, into, incomplete)
}

const withPagesOf = (older: readonly State[], found: ReadOut): ReadOut => ({
  ...found,
  pages: older.reduce((sum, { pages }) => sum + pages.count, found.pages),
  unreadable_pages: older.reduce((sum, { pages }) => sum + countUnreadable(pages), found.unreadable_pages),
})
