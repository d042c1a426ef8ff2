import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { AppError } from '#contract/errors.ts'
import type { Clock } from '#base/clock.ts'
import type { Caller } from './caller.ts'
import type { KeyRow } from './store/api-keys.ts'
import { findKey } from './store/api-keys.ts'
import type { Database } from './store/tables.ts'

/** `aw_live_<id>_<32 random bytes><CRC32>`, the last two in base62 of fixed length; `aw_test_` for sandboxes. */
const pattern = /^aw_(live|test)_([0-9A-Za-z]{16})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export type KeyMode = 'live' | 'test'

export interface NewKey {
  readonly id: string
  /** Shown once, kept nowhere. */
  readonly secret: string
  readonly digest: string
}

/** A new key, or a new secret of the key that `id` names. */
export function mintKey(pepper: Uint8Array, mode: KeyMode = 'live', id: string = base62(randomBytes(11), 16)): NewKey {
  const body = `aw_${mode}_${id}_${base62(randomBytes(32), 43)}`
  const secret = body + checksum(body)
  return { id, secret, digest: digestOf(pepper, secret) }
}

/** A typing error is told apart from a wrong key without asking the database. */
export function keyIdOf(secret: string): string | null {
  const id = pattern.exec(secret)?.[2]
  return id !== undefined && checksum(secret.slice(0, -6)) === secret.slice(-6) ? id : null
}

/**
 * Whose key this is.
 *
 * @throws AppError `unauthenticated`
 */
export async function callerOfKey(db: Database, pepper: Uint8Array, clock: Clock, secret: string): Promise<Caller> {
  const id = keyIdOf(secret)
  if (id === null) throw new AppError('unauthenticated')
  const key = await findKey(db, id)
  const digest = digestOf(pepper, secret)
  if (!isRight(key, digest, clock.now()) || key === null) throw new AppError('unauthenticated')
  return {
    practice_id: key.practice_id,
    person_id: key.person_id,
    key_id: key.id,
    roles: key.roles,
    plan: key.plan,
    is_test: key.mode === 'test',
    has_former_secret: !isSame(key.digest, digest),
    ends_at: key.expires_at,
    source: 'http',
  }
}

/** Compared in constant time, also where there is no such key. */
function isRight(key: KeyRow | null, digest: string, now: number): boolean {
  const isCurrent = isSame(key?.digest, digest)
  const isPrevious = isSame(key?.previous_digest, digest)
  if (key === null || key.revoked_at !== null) return false
  if (key.expires_at !== null && Date.parse(key.expires_at) <= now) return false
  return isCurrent || (isPrevious && key.grace_until !== null && Date.parse(key.grace_until) > now)
}

function isSame(kept: string | null | undefined, digest: string): boolean {
  return timingSafeEqual(Buffer.from(kept ?? '00'.repeat(32), 'hex'), Buffer.from(digest, 'hex'))
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
