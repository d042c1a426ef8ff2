import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError } from '#contract/errors.ts'
import type { Clock } from './clock.ts'
import { timestamp } from './clock.ts'
import { syncFolder } from './durable-file.ts'
import { openEncryptedPages } from './encrypted-pages.ts'
import type { Migration, Named } from './migrate.ts'
import { migrate } from './migrate.ts'
import { type ReadOut, readOut, schemaVersionOf } from './read-out.ts'
import { rename } from './rename.ts'
import type { Sqlite } from './sqlite.ts'
import { isIntact, openEncrypted } from './sqlite.ts'

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
  const db = openEncrypted(path, key)
  try {
    const isRead = existsSync(checkMark(path)) || statSync(path).size <= READ_WHOLE_BYTES
    if (isRead && !isIntact(db)) throw new AppError('database-damaged')
    rmSync(checkMark(path), { force: true })
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** SQLite would drop commits behind the damage, and the journal with its next checkpoint. */
function isJournalDamaged(path: string, key: Uint8Array): boolean {
  if (!existsSync(`${path}-wal`)) return false
  const pages = openEncryptedPages(path, key)
  pages.close()
  return pages.isJournalDamaged
}

/** Neither a database nor anything that is left of one, or of its rebuilding. */
export const isNew = (path: string): boolean =>
  ends.every((end) => !existsSync(path + end)) &&
  !readdirSync(dirname(path)).some((name) => name.startsWith(`${basename(path)}.rebuilt.`))

/** A database, its journal, and the journal's index. In this order: without its database a journal is read by nothing. */
const ends = ['', '-wal', '-shm'] as const

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
  const aside = asideName(path, clock)
  const working = `${path}.rebuilding`
  for (const name of leftovers(path)) rmSync(join(dirname(path), name), { force: true })
  fill(rebuild, working, aside)
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

/** Damaged files of this database that were set aside. */
export function setAsideOf(path: string): string[] {
  const begin = `${basename(path)}.damaged-`
  return readdirSync(dirname(path)).filter((name) => name.startsWith(begin) && !/-(wal|shm)$/.test(name))
}

/** With the date; of two in one second the later has a number. */
function asideName(path: string, clock: Clock): string {
  const name = `${basename(path)}.damaged-${timestamp(clock).slice(0, 19).replaceAll(':', '-')}`
  const isTaken = (tried: string): boolean => ends.some((end) => existsSync(join(dirname(path), tried + end)))
  let tried = name
  for (let count = 2; isTaken(tried); count += 1) tried = `${name}-${count}`
  return tried
}

/** Unfinished new files; the damaged one is still in its place. */
function leftovers(path: string): string[] {
  const begin = basename(path)
  return readdirSync(dirname(path)).filter(
    (name) => name.startsWith(`${begin}.rebuilding`) || name.startsWith(`${begin}.rebuilt.`),
  )
}

function fill({ path, key, migrations, indexes, onRead }: Rebuild, working: string, aside: string): void {
  const isMissing = !ends.some((end) => existsSync(path + end))
  const pages = openEncryptedPages(path, key)
  try {
    const version = schemaVersionOf(pages) ?? Number.POSITIVE_INFINITY
    const newest = migrations.at(-1)?.version ?? 0
    if (version > newest && version !== Number.POSITIVE_INFINITY) throw new AppError('database-newer')
    const db = openEncrypted(working, key)
    try {
      // Rows come in as they were written, and are then brought up to date like any others.
      const known = migrations.filter((step) => step.version <= version)
      migrate(db, known)
      const found = readOut(pages, db, indexes)
      migrate(db, migrations)
      onRead?.(db, found, isMissing ? null : aside)
      db.pragma('wal_checkpoint(TRUNCATE)')
    } finally {
      db.close()
    }
  } finally {
    pages.close()
  }
}
