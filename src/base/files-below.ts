import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

const MAX_DEPTH = 5
const MAX_FILES = 20_000

/** Files in a folder and its subfolders, nearest first. Follows no links. */
export function filesBelow(folder: string): string[] {
  const files: string[] = []
  let folders = [folder]
  for (let depth = 0; depth <= MAX_DEPTH && files.length < MAX_FILES; depth += 1) {
    const entries = folders.flatMap(entriesOf)
    files.push(...entries.filter((entry) => entry.isFile()).map(pathOf))
    folders = entries.filter((entry) => entry.isDirectory()).map(pathOf)
  }
  return files.slice(0, MAX_FILES)
}

const pathOf = (entry: Dirent): string => join(entry.parentPath, entry.name)

/** Nothing of a folder that cannot be read. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
