import { constants, copyFileSync, existsSync, openSync, closeSync, fsyncSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from './durable-file.ts'
import { openEncryptedPages, PAGE_BYTES } from './encrypted-pages.ts'
import { rename } from './rename.ts'

/** Names that the app gives itself: what is under them was read out or copied already. */
const ownNames = /\.(damaged|unreadable)-|\.rebuil|\.renaming|\.schema-|\.check$|-(wal|shm|journal)$/

/**
 * Where nothing has the name of a database, the newest file beside it that opens with its key is copied there: somebody
 * renamed it, or kept a copy. The file itself stays. Cut off, it can be repeated.
 *
 * @returns the name of the file that was copied; null: there was nothing to do
 */
export function restoreRenamed(path: string, key: Uint8Array): string | null {
  if (existsSync(path)) return null
  const folder = dirname(path)
  const name = readdirSync(folder)
    .filter((found) => !ownNames.test(found) && opens(join(folder, found), key))
    .toSorted((left, right) => changed(join(folder, right)) - changed(join(folder, left)))[0]
  if (name === undefined) return null
  // The journal first: a database that is there is not copied again.
  if (!existsSync(`${path}-wal`) && existsSync(join(folder, `${name}-wal`))) copy(join(folder, `${name}-wal`), `${path}-wal`)
  copy(join(folder, name), path)
  return name
}

const changed = (path: string): number => statSync(path).mtimeMs

/** One of its first pages is enough; most files beside a database are other things. */
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
