import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const pattern = /^aw_(live|test)_([0-9A-Za-z]{16})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export type KeyMode = 'live' | 'test'

export function newKeyId(): string {
  return base62(randomBytes(11), 16)
}

export function newSecret(mode: KeyMode, id: string): string {
  const body = `aw_${mode}_${id}_${base62(randomBytes(32), 43)}`
  return body + checksum(body)
}

export function readSecret(secret: string): { readonly mode: KeyMode; readonly id: string } | null {
  const [, mode, id] = pattern.exec(secret) ?? []
  if (mode === undefined || id === undefined || checksum(secret.slice(0, -6)) !== secret.slice(-6)) return null
  return { mode: mode as KeyMode, id }
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return base62(bytes, 6)
}

function base62(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 62n) text = alphabet[Number(value % 62n)]! + text
  return text.padStart(length, '0')
}
