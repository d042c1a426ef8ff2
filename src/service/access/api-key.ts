import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { AppError } from '#contract/errors.ts'
import { type KeyMode, newKeyId, newSecret, readSecret } from '#base/api-key-secret.ts'
import type { Clock } from '#base/clock.ts'
import type { KnownCallers } from './authorization.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { findKey, type KeyRow } from '#service/store/api-keys.ts'
import { requireServed } from '#service/store/practices.ts'
import type { Database } from '#service/store/tables.ts'
import type { ApiKey } from '#contract/model/api-key.ts'
import { roles, type Route } from '#contract/rest/route.ts'
import { reachOf } from '#service/access/authorization.ts'

export function mintKey(pepper: Uint8Array, mode: KeyMode = 'live', id: string = newKeyId()) {
  const secret = newSecret(mode, id)
  return { id, secret, digest: digestOf(pepper, secret) }
}

export function keyIdOf(secret: string): string | null {
  return readSecret(secret)?.id ?? null
}

interface Keys {
  readonly db: Database
  readonly pepper: Uint8Array | KeyObject
  readonly clock: Clock
  readonly known: KnownCallers
  readonly requireRoom: () => void
}

export async function callerOfKey({ db, pepper, clock, known, requireRoom }: Keys, secret: string, isFresh = false) {
  const id = keyIdOf(secret)
  if (id === null) throw new AppError('unauthenticated')
  const own = digestOf(pepper, secret)
  const remembered = isFresh ? null : (known.find(id)?.key ?? null)
  const asRemembered = remembered === null ? null : rightDigest(remembered, secret, own, clock.now())
  if (remembered !== null && asRemembered !== null) return callerOf(remembered, asRemembered)
  if (!isSame(known.lastDigest(id), own)) requireRoom()
  const key = await findKey(db, id)
  const digest = rightDigest(key, secret, own, clock.now())
  if (key === null || digest === null) throw new AppError('unauthenticated')
  requireServed(key.placement)
  known.keep(key, own)
  return callerOf(key, digest)
}

/** The digest that matches the key, made with the pepper of this store or of a store the practice came from; else null. */
function rightDigest(key: KeyRow | null, secret: string, own: string, now: number): string | null {
  if (isRight(key, own, now)) return own
  return key?.peppers.map((pepper) => digestOf(pepper, secret)).find((digest) => isRight(key, digest, now)) ?? null
}

function callerOf(key: KeyRow, digest: string): Caller {
  return {
    practice_id: key.practice_id,
    person_id: key.person_id,
    key_id: key.id,
    roles: key.roles,
    plan: key.plan,
    is_test: key.mode === 'test',
    has_former_secret: !isSame(key.digest, digest),
    ends_at: key.expires_at,
    authority_version: key.authority_version,
    source: 'http',
  }
}

/** Compares in constant time, even for an unknown key. */
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

export function digestOf(pepper: Uint8Array | KeyObject, secret: string): string {
  return createHmac('sha256', pepper).update(secret).digest('hex')
}

export function keysWithin(caller: Caller, route: Route) {
  const isAll = reachOf(caller, route) === 'all'
  return { person_id: isAll ? null : caller.person_id, roles: isAll ? roles : caller.roles }
}

export function reachesKey(caller: Caller, route: Route, key: Pick<ApiKey, 'person_id' | 'roles'>): boolean {
  const within = keysWithin(caller, route)
  const isTheirs = within.person_id === null || within.person_id === key.person_id
  return isTheirs && key.roles.every((role) => within.roles.includes(role))
}

/** Test keys and former secrets must not change what other credentials can do. @throws AppError `forbidden` */
export function requireMayGrant(caller: Caller): void {
  requireCurrentSecret(caller)
  if (caller.is_test) throw new AppError('forbidden', 'A test key changes no roles. Use a live key.')
}

export function requireCurrentSecret({ has_former_secret = false }: Caller): void {
  if (has_former_secret) throw new AppError('forbidden', 'This key was rotated. Only its new secret can change keys and roles.')
}
