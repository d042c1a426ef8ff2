import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '#contract/errors.ts'

/** A recovery code has 160 random bits and a 40-bit checksum: 40 characters in 8 groups of 5. */
const SECRET_BYTES = 20
const CHECK_BYTES = 5
const GROUP = 5
/** Crockford's base 32: no I, L, O or U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export function newRecoverySecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

export function writeRecoveryCode(secret: Uint8Array): string {
  const letters = encode(Buffer.concat([secret, checksum(secret)]))
  return letters.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-')
}

/**
 * Accepts upper and lower case, spaces, hyphens, O for 0, and I or L for 1.
 * @throws AppError `wrong-recovery-code` if the length, a character, or the checksum is wrong
 */
export function readRecoveryCode(typed: string): Buffer {
  const letters = typed
    .toUpperCase()
    .replace(/[\s\u2010-\u2015-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  const bytes = decode(letters)
  if (bytes === null || bytes.length !== SECRET_BYTES + CHECK_BYTES) throw new AppError('wrong-recovery-code')
  const secret = bytes.subarray(0, SECRET_BYTES)
  if (!checksum(secret).equals(bytes.subarray(SECRET_BYTES))) {
    bytes.fill(0)
    throw new AppError('wrong-recovery-code')
  }
  return secret
}

function checksum(secret: Uint8Array): Buffer {
  return createHash('sha256').update('afterword recovery code\0').update(secret).digest().subarray(0, CHECK_BYTES)
}

function encode(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(held >> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return text
}

function decode(letters: string): Buffer | null {
  const bytes = Buffer.alloc(Math.floor((letters.length * 5) / 8))
  let length = 0
  let bits = 0
  let held = 0
  for (const letter of letters) {
    const value = alphabet.indexOf(letter)
    if (value < 0) return null
    held = (held << 5) | value
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[length++] = held >> bits
    held &= (1 << bits) - 1
  }
  return bytes
}
