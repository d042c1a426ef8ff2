import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

const MAX_DEPTH = 5
const MAX_ENTRIES = 20_000

/** Files in a folder and its subfolders, nearest first. Symbolic links are not followed. */
export function filesBelow(folder: string): string[] {
  const files: string[] = []
  const waiting = [{ path: folder, depth: 0 }]
  // The loop appends to this list while it runs.
  for (const { path, depth } of waiting) {
    if (files.length + waiting.length > MAX_ENTRIES) break
    for (const entry of entriesOf(path)) {
      if (entry.isFile()) files.push(join(path, entry.name))
      else if (entry.isDirectory() && depth < MAX_DEPTH) waiting.push({ path: join(path, entry.name), depth: depth + 1 })
    }
  }
  return files
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
