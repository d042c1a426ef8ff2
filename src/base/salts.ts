import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile } from './durable-file.ts'

/** Per folder. More than a profile needs, because salts of files set aside stay in the list. */
const MAX_SALTS = 32
const saltFormat = /^[0-9a-f]{32}$/
const copiesIn = (folder: string): string[] => ['salts.json', 'salts.json.bak'].map((name) => join(folder, name))

/**
 * Saved salts of the databases in this folder, newest first. A salt is not secret, but no page can be authenticated without it,
 * and the database holds it only in its first 16 bytes.
 */
export function keptSalts(path: string): Buffer[] {
  return hexIn(dirname(path)).map((hex) => Buffer.from(hex, 'hex'))
}

/** Writes both copies. A failed write does not block opening; the next opening tries again. */
export function keepSalt(path: string, salt: Buffer): void {
  const folder = dirname(path)
  const [kept, hex] = [hexIn(folder), salt.toString('hex')]
  const text = `${JSON.stringify((kept.includes(hex) ? kept : [hex, ...kept]).slice(0, MAX_SALTS))}\n`
  for (const copy of copiesIn(folder)) {
    try {
      if (textOf(copy) !== text) replaceFile(copy, text)
    } catch {
      continue
    }
  }
}

function hexIn(folder: string): string[] {
  return [...new Set(copiesIn(folder).flatMap((copy) => hexOf(textOf(copy))))]
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function hexOf(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string' && saltFormat.test(entry)) : []
  } catch {
    return []
  }
}
