import { randomBytes } from 'node:crypto'
import { type Clock, systemClock } from './clock.ts'

/** UUIDv7 (RFC 9562, section 5.7). */
export function newId(clock: Clock = systemClock): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(clock.now(), 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return uuidOf(bytes)
}

export function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
