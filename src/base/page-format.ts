import { createDecipheriv, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto'
import { readSync } from 'node:fs'

/**
 * Format of SQLCipher 4 with a raw key: each page is encrypted with AES-256-CBC and ends with a 16-byte nonce and an
 * HMAC-SHA512.
 */
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

/** Offset of the first byte that the MAC covers. Page 1 starts with the salt, which the MAC does not cover. */
export const signedFrom = (number: number): number => (number === 1 ? SALT_BYTES : 0)

export const storedMac = (page: Buffer): Buffer => page.subarray(SIGNED_BYTES, PAGE_BYTES)

export function littleEndian(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}

export function isAuthentic(macKey: Buffer, page: Buffer, number: number): boolean {
  const signed = page.subarray(signedFrom(number), SIGNED_BYTES)
  const mac = createHmac('sha512', macKey).update(signed).update(littleEndian(number)).digest()
  return timingSafeEqual(mac, storedMac(page))
}

export function decrypt(key: Uint8Array, page: Buffer, number: number): Buffer {
  const decipher = createDecipheriv('aes-256-cbc', key, page.subarray(USABLE_BYTES, SIGNED_BYTES))
  decipher.setAutoPadding(false)
  const plain = decipher.update(page.subarray(signedFrom(number), USABLE_BYTES))
  return number === 1 ? Buffer.concat([plainHeader, plain]) : plain
}

interface Source {
  readonly file: number
  readonly at: number
}

export function readAt({ file, at }: Source, length: number): Buffer | null {
  const bytes = Buffer.alloc(length)
  return readSync(file, bytes, 0, length, at) === length ? bytes : null
}
