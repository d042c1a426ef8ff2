import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { AppError } from '#contract/errors.ts'
import type { Clock } from '#base/clock.ts'
import type { Caller } from './caller.ts'
import type { Authenticate } from './guards/authentication.ts'
import { findKey } from './store/api-keys.ts'
import type { Database } from './store/tables.ts'

/** `aw_live_<id>_<32 random bytes><CRC32>`, the last two in base62 of fixed length. */
const pattern = /^aw_live_([0-9A-Za-z]{16})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export interface NewKey {
  readonly id: string
  /** Shown once, kept nowhere. */
  readonly secret: string
  readonly digest: string
}

export function mintKey(pepper: Uint8Array): NewKey {
  const id = base62(randomBytes(11), 16)
  const body = `aw_live_${id}_${base62(randomBytes(32), 43)}`
  const secret = body + checksum(body)
  return { id, secret, digest: digestOf(pepper, secret) }
}

/** A typing error is told apart from a wrong key without asking the database. */
export function keyIdOf(secret: string): string | null {
  const id = pattern.exec(secret)?.[1]
  return id !== undefined && checksum(secret.slice(0, -6)) === secret.slice(-6) ? id : null
}

export function keyAuthentication(db: Database, pepper: Uint8Array, clock: Clock): Authenticate {
  return async (request): Promise<Caller> => {
    const secret = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    const id = secret === undefined ? null : keyIdOf(secret)
    if (secret === undefined || id === null) throw new AppError('unauthenticated')
    const key = await findKey(db, id)
    const digest = Buffer.from(digestOf(pepper, secret), 'hex')
    // Compared in constant time, also where there is no such key.
    const isRight = timingSafeEqual(Buffer.from(key?.digest ?? '00'.repeat(32), 'hex'), digest)
    const isOver = key?.expires_at !== null && key !== null && Date.parse(key.expires_at) <= clock.now()
    if (key === null || !isRight || key.revoked_at !== null || isOver) throw new AppError('unauthenticated')
    return { practice_id: key.practice_id, person_id: key.person_id, key_id: key.id, roles: key.roles, source: 'http' }
  }
}

function digestOf(pepper: Uint8Array, secret: string): string {
  return createHmac('sha256', pepper).update(secret).digest('hex')
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return base62(bytes, 6)
}

/** Big-endian, with leading zeros to a fixed length. */
function base62(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 62n) text = alphabet[Number(value % 62n)]! + text
  return text.padStart(length, '0')
}
