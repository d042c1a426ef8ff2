import { AppError } from '#contract/errors.ts'
import type { ApiKey } from '#contract/model/api-key.ts'
import { apiKeyRoutes } from '#contract/rest/access.ts'
import type { Route } from '#contract/rest/route.ts'
import { readSecret } from '#base/api-key-secret.ts'
import { digestOf, mintKey, keysWithin, reachesKey, requireCurrentSecret } from '#service/access/api-key.ts'
import { requirePeople } from '#service/access/people.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { type HandlersOf, pageReply } from '#service/access/call.ts'
import type { Services } from './services.ts'
import { findApiKey, hasOtherOwnerKey, insertKey, listApiKeys, revokeKey, rotateKey } from '../store/api-keys.ts'
import { findStaff } from '../store/staff.ts'
import type { Database } from '../store/tables.ts'
import { invalid, NotFound } from '#service/kernel/problem.ts'

type Operations = 'listApiKeys' | 'createApiKey' | 'rotateApiKey' | 'revokeApiKey'

export function apiKeyHandlers({ keyPepper }: Services): HandlersOf<Operations> {
  const requirePepper = (): Uint8Array => {
    if (keyPepper === null) throw new AppError('conflict', 'The service inside the app takes no keys.')
    return keyPepper
  }
  return {
    listApiKeys: (call) => async (db) => {
      const { practice, caller, query } = call
      const within = keysWithin(caller, apiKeyRoutes.listApiKeys)
      const person_id = within.person_id ?? query.person_id
      const isOther = query.person_id !== undefined && query.person_id !== person_id
      const none = { data: [], next_cursor: null }
      const data = isOther ? none : await listApiKeys(db, practice, { ...query, person_id, roles: within.roles })
      return pageReply(data)
    },
    createApiKey: (call) => async (db) => {
      const { practice, caller, body, now } = call
      const { name, mode, person_id = caller.person_id, renews_for_days = null } = body
      const expires_at = body.expires_at ?? daysFrom(now, renews_for_days)
      const roles = [...new Set(body.roles)]
      requireMayLend(caller, person_id, roles)
      await requirePeople(db, caller, [{ pointer: '/person_id', id: person_id }])
      if ((await findStaff(db, practice, person_id))?.status === 'left')
        throw new AppError('conflict', 'This person works here no more.')
      if (expires_at !== null && Date.parse(expires_at) <= Date.parse(now))
        throw invalid('/expires_at', 'in_the_past', 'must be in the future')
      requireWithin(caller, { mode, expires_at, renews_for_days })
      const { id, secret, digest } = mintKey(requirePepper(), mode)
      await insertKey(db, { id, practice_id: practice, person_id, roles, digest, name, mode, expires_at, renews_for_days }, now)
      const data = { ...(await keyFor(db, practice, caller, id, apiKeyRoutes.createApiKey)), secret }
      return { status: 201, data, record: { kind: 'api-key', id, version: 1 }, touched: [id, person_id] }
    },
    rotateApiKey: rotation(requirePepper),
    revokeApiKey: (call) => async (db) => {
      const { practice, caller, params, now } = call
      const route = apiKeyRoutes.revokeApiKey
      const key = await keyFor(db, practice, caller, params.id, route)
      requireSameMode(caller, key)
      const isLast = key.revoked_at === null && key.roles.includes('owner') && key.mode === 'live'
      if (isLast && !(await hasOtherOwnerKey(db, practice, params.id, now)))
        throw new AppError('conflict', 'This is the last key of an owner. Make another one first, or rotate this one.')
      await revokeKey(db, params.id, now)
      return { status: 200, data: await keyFor(db, practice, caller, params.id, route), touched: [params.id] }
    },
  }
}

function rotation(requirePepper: () => Uint8Array): HandlersOf<'rotateApiKey'>['rotateApiKey'] {
  return ({ practice, caller, params, body, now }) =>
    async (db) => {
      const route = apiKeyRoutes.rotateApiKey
      const before = await keyFor(db, practice, caller, params.id, route)
      const { mode, revoked_at, renews_for_days = null } = before
      // A self-renewing key may rotate itself, although rotation extends its expiry.
      requireWithin(caller, caller.key_id === params.id ? { ...before, renews_for_days: null } : before)
      if (revoked_at !== null) throw new AppError('conflict', 'This key was revoked. Make a new one.')
      const pepper = requirePepper()
      const { secret, digest } =
        body.secret === undefined ? mintKey(pepper, mode, params.id) : ownSecret(pepper, { mode, id: params.id }, body.secret)
      const grace = body.grace_minutes * 60_000
      const grace_until = grace === 0 ? null : new Date(Date.parse(now) + grace).toISOString()
      const expires_at = daysFrom(now, renews_for_days) ?? before.expires_at
      await rotateKey(db, params.id, { digest, rotated_at: now, grace_until, expires_at })
      const data = { ...(await keyFor(db, practice, caller, params.id, route)), secret }
      return { status: 200, data, record: { kind: 'api-key', id: params.id, version: 1 }, touched: [params.id] }
    }
}

async function keyFor(db: Database, practice: string, caller: Caller, id: string, route: Route): Promise<ApiKey> {
  const key = await findApiKey(db, practice, id)
  if (key === null || !reachesKey(caller, route, key)) throw new NotFound(id)
  return key
}

function requireMayLend(caller: Caller, person_id: string, roles: ApiKey['roles']): void {
  if (reachesKey(caller, apiKeyRoutes.createApiKey, { person_id, roles })) return
  if (person_id !== caller.person_id) throw new AppError('forbidden', 'You can create keys only for yourself.')
  throw new AppError('forbidden', 'A key can have only roles that you call with yourself.')
}

function requireSameMode(caller: Caller, { mode }: Pick<ApiKey, 'mode'>): void {
  requireCurrentSecret(caller)
  if (caller.is_test && mode !== 'test')
    throw new AppError('forbidden', 'A test key creates, rotates and revokes only test keys.')
}

/** Test credentials must not create or rotate live keys. Expiring credentials must not do so with keys that last longer. */
function requireWithin(caller: Caller, key: Pick<ApiKey, 'mode' | 'expires_at' | 'renews_for_days'>): void {
  requireSameMode(caller, key)
  const { ends_at = null } = caller
  const isLonger =
    key.expires_at === null || key.renews_for_days != null || Date.parse(key.expires_at) > Date.parse(ends_at ?? '')
  if (ends_at !== null && isLonger)
    throw new AppError('forbidden', 'It would be good for longer than what you call with. Make one that expires no later.')
}

function ownSecret(pepper: Uint8Array, key: Pick<ApiKey, 'mode' | 'id'>, secret: string): { secret: null; digest: string } {
  const read = readSecret(secret)
  if (read !== null && read.id === key.id && read.mode === key.mode) return { secret: null, digest: digestOf(pepper, secret) }
  throw invalid('/secret', 'invalid_format', 'must be a secret of this key, in the form of one')
}

function daysFrom(now: string, days: number | null): string | null {
  return days === null ? null : new Date(Date.parse(now) + days * 86_400_000).toISOString()
}
