import { createDecipheriv, createHash, createHmac, type Hash, pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { readdirSync, readFileSync, readSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { replaceFile } from './durable-file.ts'
import { attempt } from './control.ts'

/** Page format of SQLCipher 4 with a raw key: AES-256-CBC, with a nonce and an HMAC-SHA512 at the end of each page. */
export const PAGE_BYTES = 4096
export const SALT_BYTES = 16
const NONCE_BYTES = 16
const MAC_BYTES = 64
export const USABLE_BYTES = PAGE_BYTES - NONCE_BYTES - MAC_BYTES
export const SIGNED_BYTES = USABLE_BYTES + NONCE_BYTES
const SALT_MASK = 0x3a
const plainHeader = Buffer.from('SQLite format 3\0')

export const deriveMacKey = (key: Uint8Array, salt: Buffer): Buffer =>
  pbkdf2Sync(
    key,
    salt.map((byte) => byte ^ SALT_MASK),
    2,
    32,
    'sha512',
  )

const signedFrom = (number: number): number => (number === 1 ? SALT_BYTES : 0)

const storedMac = (page: Buffer): Buffer => page.subarray(SIGNED_BYTES, PAGE_BYTES)

function littleEndian(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}

export function isAuthentic(macKey: Buffer, page: Buffer, number: number): boolean {
  const signed = page.subarray(signedFrom(number), SIGNED_BYTES)
  const mac = createHmac('sha512', macKey).update(signed).update(littleEndian(number)).digest()
  return timingSafeEqual(mac, storedMac(page))
}

/** Finds the page's number by testing all of `numbers` but 1. Returns null if the page is authentic with none of them. */
export function numberOf(macKey: Buffer, page: Buffer, numbers: Iterable<number>): number | null {
  const [inner, outer] = [keyed(macKey, 0x36).update(page.subarray(0, SIGNED_BYTES)), keyed(macKey, 0x5c)]
  for (const number of numbers) {
    const mac = outer
      .copy()
      .update(inner.copy().update(littleEndian(number)).digest())
      .digest()
    if (mac.equals(storedMac(page))) return number
  }
  return null
}

export function decrypt(key: Uint8Array, page: Buffer, number: number): Buffer {
  const decipher = createDecipheriv('aes-256-cbc', key, page.subarray(USABLE_BYTES, SIGNED_BYTES))
  decipher.setAutoPadding(false)
  const plain = decipher.update(page.subarray(signedFrom(number), USABLE_BYTES))
  return number === 1 ? Buffer.concat([plainHeader, plain]) : plain
}

export function readAt({ file, at }: { readonly file: number; readonly at: number }, length: number): Buffer | null {
  const bytes = Buffer.alloc(length)
  return readSync(file, bytes, 0, length, at) === length ? bytes : null
}

/**
 * Repairs a page with one changed bit, a changed authentication tag, or inserted bytes. Returns null if this fails.
 * @param page `PAGE_BYTES` bytes from the start of the page
 * @param end if bytes were inserted into the page, the `PAGE_BYTES` bytes before its end; otherwise null
 */
export type Repair = (page: Buffer, number: number, end: Buffer | null) => Buffer | null

/** Maximum number of bits to test per opened database: all bits of 65 pages, about 20 s. */
const MAX_TRIED_BITS = 2 ** 21
/** The search for a changed bit stops after this many pages that could not be repaired. */
const MAX_FAILED_PAGES = 16
const BLOCK_BYTES = 128
const BLOCK_BITS = BLOCK_BYTES * 8
/** A tag has 512 bits. Unrelated tags differ in about 256 of them. */
const MAX_CHANGED_TAG_BITS = 64

export function createRepair(macKey: Buffer): Repair {
  const [inner, outer] = [keyed(macKey, 0x36), keyed(macKey, 0x5c)]
  let [triedBits, failedPages] = [0, 0]
  return (page, number, end) => {
    const joined = end === null ? null : joinedOf(macKey, page, end, number)
    if (joined !== null) return joined
    const mac = storedMac(page)
    const suffix = littleEndian(number)
    const macOf = (state: Hash, rest: Buffer): Buffer =>
      outer.copy().update(state.copy().update(rest).update(suffix).digest()).digest()
    const signed = page.subarray(signedFrom(number), SIGNED_BYTES)
    if (changedBits(macOf(inner, signed), mac) <= MAX_CHANGED_TAG_BITS) return page
    if (isOverwritten(page) || failedPages === MAX_FAILED_PAGES) return null
    let state = inner
    for (let start = 0; start < signed.length && triedBits < MAX_TRIED_BITS; start += BLOCK_BYTES) {
      const rest = Buffer.from(signed.subarray(start))
      const bits = Math.min(BLOCK_BITS, rest.length * 8)
      triedBits += bits
      for (let bit = 0; bit < bits; bit += 1) {
        rest[bit >> 3]! ^= 1 << (bit & 7)
        if (macOf(state, rest).equals(mac)) return withBit(page, (signedFrom(number) + start) * 8 + bit)
        rest[bit >> 3]! ^= 1 << (bit & 7)
      }
      state = state.copy().update(signed.subarray(start, start + BLOCK_BYTES))
    }
    failedPages += 1
    return null
  }
}

function joinedOf(macKey: Buffer, start: Buffer, end: Buffer, number: number): Buffer | null {
  for (let cut = 0; cut < PAGE_BYTES; cut += 1) {
    const page = Buffer.concat([start.subarray(0, cut), end.subarray(cut)])
    if (isAuthentic(macKey, page, number)) return page
  }
  return null
}

function keyed(macKey: Buffer, pad: number): Hash {
  const block = Buffer.alloc(BLOCK_BYTES, pad)
  for (const [index, byte] of macKey.entries()) block[index]! ^= byte
  return createHash('sha512').update(block)
}

export function changedBits(left: Buffer, right: Buffer): number {
  let count = 0
  for (const [index, byte] of left.entries()) for (let rest = byte ^ right[index]!; rest > 0; rest &= rest - 1) count += 1
  return count
}

/** Encrypted bytes look random, so 16 equal bytes in a row show that the page was overwritten. */
export function isOverwritten(page: Buffer): boolean {
  for (let at = 0; at < SIGNED_BYTES; at += 16) if (page.subarray(at, at + 16).every((byte) => byte === page[at])) return true
  return false
}

export function withBit(bytes: Buffer, bit: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[bit >> 3]! ^= 1 << (bit & 7)
  return changed
}

const MAX_SALTS = 32
const SALT_DIGITS = 2 * SALT_BYTES
const copiesIn = (folder: string): string[] => ['salts.json', 'salts.json.bak'].map((name) => join(folder, name))

/**
 * Salts recorded for the databases in the folder of `path`. If `stored` (the first 16 bytes of the file) is given, also salts
 * combined from two similar recorded ones: their common bytes and, where they differ, the bytes of `stored`.
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

export function keepSalt(path: string, salt: Buffer): void {
  const folder = dirname(path)
  const [kept, hex] = [hexIn(folder), salt.toString('hex')]
  const text = `${JSON.stringify((kept.includes(hex) ? kept : [hex, ...kept]).slice(0, MAX_SALTS))}\n`
  for (const copy of copiesIn(folder)) if (textOf(copy) !== text) attempt(() => replaceFile(copy, text))
}

const hexIn = (folder: string): string[] => [...new Set(copiesNamedLike(folder).flatMap((copy) => textsOf(copy).flatMap(hexOf)))]

/** Another program may have renamed a copy, such as to `salts.json.bak.txt`. */
const copiesNamedLike = (folder: string): string[] =>
  (attempt(() => readdirSync(folder)) ?? []).filter((name) => /^salts\.json/i.test(name)).map((name) => join(folder, name))

/** The text as it is, and as it was before another program added byte order marks, NUL bytes (UTF-16), or white space. */
function textsOf(path: string): string[] {
  const text = textOf(path)
  return [text, text.replace(/^[^[]+(?=\[)/, '').replaceAll(/[\0\s]/g, '')]
}

const textOf = (path: string): string => attempt(() => readFileSync(path, 'latin1')) ?? ''

/**
 * Reads salts by position, because any character may be damaged. Skips a salt with more than half of its digits damaged. In
 * other salts, a byte with a damaged digit becomes zero.
 */
function hexOf(text: string): string[] {
  const places = Array.from({ length: MAX_SALTS }, (_, index) => '["'.length + index * (SALT_DIGITS + '","'.length))
  return places.flatMap((place) => {
    const digits = text.slice(place, place + SALT_DIGITS)
    if (digits.length < SALT_DIGITS || digits.replaceAll(/[^0-9a-f]/g, '').length < SALT_DIGITS / 2) return []
    return [digits.replaceAll(/../gs, (pair) => (/[^0-9a-f]/.test(pair) ? '00' : pair))]
  })
}
