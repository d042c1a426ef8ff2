import { copyFileSync, existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Clock } from './clock.ts'
import { openEncryptedPages, type Pages } from './encrypted-pages.ts'
import { filesBelow } from './stray-files.ts'
import { PAGE_BYTES } from './page-format.ts'
import { countUnreadable, lastRowOf, rowsOf } from './read-out.ts'
import { journalOf, opensAny, ownNames, putInPlace } from './renamed-database.ts'
import { asideName, ends } from './set-aside.ts'
import { rename } from './durable-file.ts'

interface Later {
  readonly path: string
  readonly key: Uint8Array
  readonly clock: Clock
  /** A table that only grows, and whose rows never change. */
  readonly grows: string
}

/**
 * Puts a later state of an intact database in its place, if one is in the folder or a subfolder: a backup or a sync program may
 * have put back an older file beside the newer one, and a cleanup may have moved the WAL. Later means that the table that only
 * grows has all rows of the current state and more. The older file is set aside. Call it before SQLite opens the database; can
 * be repeated after a crash.
 */
export function restoreLater(later: Later): void {
  if (!existsSync(later.path)) return
  restoreJournal(later)
  restoreCopy(later)
}

function restoreJournal({ path, key, grows }: Later): void {
  if (existsSync(`${path}-wal`)) return
  const name = `${basename(path)}-wal`
  for (const journal of filesBelow(dirname(path)).filter((file) => basename(file).toLowerCase() === name)) {
    const pages = openEncryptedPages(path, key, { journal, triesSalts: false })
    try {
      const isApplicable = pages.opensJournal && !pages.isJournalDamaged && !pages.isJournalOfOtherState
      if (!isApplicable || !continues(pages, rowsOf(pages.ofFile, grows), grows)) continue
      copyFileSync(journal, `${path}.rebuilding-wal`)
      return putInPlace(`${path}.rebuilding-wal`, `${path}-wal`)
    } finally {
      pages.close()
    }
  }
}

function restoreCopy({ path, key, clock, grows }: Later): void {
  const copies = filesBelow(dirname(path)).filter((file) => isCandidate(path, file) && isReadable(() => opensAny(file, key)))
  if (copies.length === 0) return
  let [newest, rows] = [null as string | null, rowsIn(path, key, grows)]
  for (const file of copies) {
    const pages = openEncryptedPages(file, key, { triesSalts: false, journal: journalOf(file) ?? '' })
    try {
      const last = lastRowOf(pages, grows)
      if (rows.size === 0 || last === null || rows.has(last) || countUnreadable(pages) > 0) continue
      if (continues(pages, rows, grows)) [newest, rows] = [file, rowsOf(pages, grows)]
    } finally {
      pages.close()
    }
  }
  if (newest === null) return
  const [aside, journal] = [join(dirname(path), asideName(path, clock, 'older')), journalOf(newest)]
  copyFileSync(newest, `${path}.rebuilding`)
  if (journal !== undefined) copyFileSync(journal, `${path}.rebuilding-wal`)
  // The WAL first: left alone after a crash, it would be applied to the later file.
  for (const end of ends.toReversed()) if (existsSync(path + end)) rename(path + end, aside + end)
  if (journal !== undefined) putInPlace(`${path}.rebuilding-wal`, `${path}-wal`)
  putInPlace(`${path}.rebuilding`, path)
}

/** Databases in use are beside `path` under their own names, and reading them would drop their locks. */
function isCandidate(path: string, file: string): boolean {
  const isInUse = dirname(file) === dirname(path) && /^(vault|service)\.db$/.test(basename(file))
  const { size } = statSync(file)
  return !isInUse && !ownNames.test(basename(file)) && size > PAGE_BYTES && size % PAGE_BYTES === 0
}

/** A file that cannot be opened is no reason not to open the records. */
function isReadable(opens: () => boolean): boolean {
  try {
    return opens()
  } catch {
    return false
  }
}

function rowsIn(path: string, key: Uint8Array, table: string): ReadonlySet<string> {
  const pages = openEncryptedPages(path, key, { triesSalts: false })
  try {
    return rowsOf(pages, table)
  } finally {
    pages.close()
  }
}

function continues(later: Pages, earlier: ReadonlySet<string>, grows: string): boolean {
  const rows = rowsOf(later, grows)
  return rows.size > earlier.size && [...earlier].every((row) => rows.has(row))
}
