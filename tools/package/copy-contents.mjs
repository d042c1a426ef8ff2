import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** `from/=to` copies a folder's contents, `from=to` one file. Makes files readable for all users. */
export function copyContents(pairs, root) {
  for (const pair of pairs) {
    const middle = pair.indexOf('=')
    const from = pair.slice(0, middle)
    const to = path.join(root, pair.slice(middle + 1))
    mkdirSync(path.dirname(to), { recursive: true })
    cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  }
  chmodSync(root, 0o755)
  for (const entry of contentsOf(root)) {
    if (entry.isDirectory()) chmodSync(entry.file, 0o755)
    else if (entry.isFile()) chmodSync(entry.file, lstatSync(entry.file).mode & 0o100 ? 0o755 : 0o644)
  }
}

export function contentsOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => Object.assign(entry, { file: path.join(entry.parentPath, entry.name) }))
    .toSorted((left, right) => (left.file < right.file ? -1 : 1))
}
