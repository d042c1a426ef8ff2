import { AppError } from '#contract/errors.ts'
import type { ApiKey } from '#contract/model/api-key.ts'
import type { Role, Route } from '#contract/rest/route.ts'
import { roles } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { reachOf } from '#service/kernel/caller.ts'

interface KeysWithin {
  /** Whose keys; null: everyone's. */
  readonly person_id: string | null
  /** A key is within reach if all of its roles are among these. */
  readonly roles: readonly Role[]
}

/** Who manages the practice's keys reaches all of them; others their own, as far as they could have made them. */
export function keysWithin(caller: Caller, route: Route): KeysWithin {
  if (reachOf(caller, route) === 'all') return { person_id: null, roles }
  return { person_id: caller.person_id, roles: caller.roles }
}

export function reachesKey(caller: Caller, route: Route, key: Pick<ApiKey, 'person_id' | 'roles'>): boolean {
  const within = keysWithin(caller, route)
  const isTheirs = within.person_id === null || within.person_id === key.person_id
  return isTheirs && key.roles.every((role) => within.roles.includes(role))
}

/**
 * Neither a test key nor the secret from before a rotation may change what other credentials can do.
 *
 * @throws AppError `forbidden`
 */
export function requireMayGrant(caller: Caller): void {
  requireCurrentSecret(caller)
  if (caller.is_test) throw new AppError('forbidden', 'A test key changes no roles. Use a live key.')
}

/** @throws AppError `forbidden` */
export function requireCurrentSecret({ has_former_secret = false }: Caller): void {
  if (has_former_secret) throw new AppError('forbidden', 'This key was rotated. Only its new secret can change keys and roles.')
}
