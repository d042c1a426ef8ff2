import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile } from './durable-file.ts'

/** Limit per folder. It is more than a profile needs, because the list also has salts of files that were set aside. */
const MAX_SALTS = 32
const SALT_BYTES = 16
const SALT_DIGITS = 2 * SALT_BYTES
const copiesIn = (folder: string): string[] => ['salts.json', 'salts.json.bak'].map((name) => join(folder, name))

/**
 * Saved salts of the databases in this folder, newest first. A salt is not secret, but no page can be authenticated
 * without it, and the database holds it only in its first 16 bytes.
 *
 * @param stored those 16 bytes; if they and both copies are damaged in different places, two of the three still agree
 *   on each byte
 */
export function keptSalts(path: string, stored: Buffer | null): Buffer[] {
  const salts = hexIn(dirname(path)).map((hex) => Buffer.from(hex, 'hex'))
  if (stored === null) return salts
  const pairs = salts.flatMap((one, index) => salts.slice(index + 1).map((other) => [one, other] as const))
  const voted = pairs
    .filter(([one, other]) => one.filter((byte, at) => byte === other[at]).length >= SALT_BYTES / 2)
    .map(([one, other]) => Buffer.from(stored.map((byte, at) => (one[at] === other[at] ? one[at]! : byte))))
  return [...salts, ...voted]
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
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/**
 * Finds salts by their position in the file, because any character may be damaged. A byte that is not hexadecimal is
 * read as zero.
 */
function hexOf(text: string): string[] {
  const places = Array.from({ length: MAX_SALTS }, (_, index) => '["'.length + index * (SALT_DIGITS + '","'.length))
  return places.flatMap((place) => {
    const digits = text.slice(place, place + SALT_DIGITS)
    if (digits.length < SALT_DIGITS || digits.replaceAll(/[^0-9a-f]/g, '').length < SALT_DIGITS / 2) return []
    return [digits.replaceAll(/../gs, (pair) => (/[^0-9a-f]/.test(pair) ? '00' : pair))]
  })
}
