import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
export const SEAL_OVERHEAD = NONCE_BYTES + TAG_BYTES

const options = { authTagLength: TAG_BYTES }

export type AeadKey = Uint8Array | KeyObject

/** AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce. Returns nonce, ciphertext, and tag. */
export function seal(key: AeadKey, plaintext: Uint8Array, associated: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, options)
  cipher.setAAD(associated)
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

export function open(key: AeadKey, sealed: Uint8Array, associated: Uint8Array): Buffer | null {
  if (sealed.length < SEAL_OVERHEAD) return null
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), options)
  decipher.setAAD(associated)
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES))
  // GCM does not pad, so `update` returns the whole plaintext and `final` adds no bytes.
  const plaintext = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES))
  try {
    decipher.final()
    return plaintext
  } catch {
    plaintext.fill(0)
    return null
  }
}

export function deriveKey(key: AeadKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, new Uint8Array(0), purpose, KEY_BYTES))
}

export function newKey(): Buffer {
  return randomBytes(KEY_BYTES)
}
