import { constants, copyFileSync, existsSync, openSync, closeSync, fsyncSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from './durable-file.ts'
import { openEncryptedPages } from './encrypted-pages.ts'
import { PAGE_BYTES } from './page-format.ts'
import { rename } from './rename.ts'

/** Names the app itself creates; their content was already rebuilt or copied. */
const ownNames = /\.(damaged|unreadable)-|\.rebuil|\.renaming|\.schema-|\.check$|-(wal|shm|journal)$/

/**
 * If the database is missing, copies the newest file in its folder that its key opens: a person may have renamed it or kept a
 * copy. The original stays. Can be repeated after a crash.
 *
 * @returns the name of the copied file, or null if nothing was done
 */
export function restoreRenamed(path: string, key: Uint8Array): string | null {
  if (existsSync(path)) return null
  const folder = dirname(path)
  const name = readdirSync(folder)
    .filter((found) => !ownNames.test(found) && opens(join(folder, found), key))
    .toSorted((left, right) => changed(join(folder, right)) - changed(join(folder, left)))[0]
  if (name === undefined) return null
  // Copy the WAL first: an existing database is not copied again.
  if (!existsSync(`${path}-wal`) && existsSync(join(folder, `${name}-wal`))) copy(join(folder, `${name}-wal`), `${path}-wal`)
  copy(join(folder, name), path)
  return name
}

const changed = (path: string): number => statSync(path).mtimeMs

function opens(path: string, key: Uint8Array): boolean {
  const found = statSync(path)
  if (!found.isFile() || found.size < PAGE_BYTES) return false
  const pages = openEncryptedPages(path, key, { triesSalts: false })
  try {
    return [1, 2, 3].some((number) => pages.ofFile.isReadable(number))
  } finally {
    pages.close()
  }
}

function copy(from: string, to: string): void {
  const working = join(dirname(to), `${basename(to)}.rebuilding`)
  copyFileSync(from, working, constants.COPYFILE_FICLONE)
  const file = openSync(working, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  rename(working, to)
  syncFolder(dirname(to))
}
