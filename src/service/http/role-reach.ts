import type { Context } from 'hono'
import { type Clock, timestamp } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { roles, type Route } from '#contract/rest/route.ts'
import { scopeFor, asOfNow } from '#service/access/facts.ts'
import type { KnownCallers } from '#service/access/facts.ts'
import { purposeOf } from '#service/access/scope.ts'
import { reachOf } from '#service/kernel/caller.ts'
import type { Database } from '#service/store/tables.ts'
import type { Authenticate } from './authentication.ts'
import { identify } from './authentication.ts'
import type { Refusals } from '#service/access/refusals.ts'
import type { Env, Guard } from './request.ts'

interface Parts {
  readonly db: Database
  readonly clock: Clock
  readonly known: KnownCallers
  readonly refusals: Refusals
}

/** Reauthenticates the caller without the authorization cache. @throws AppError as `authentication` and `roleReach` do */
export type LetInAgain = (c: Context<Env>) => Promise<void>

export function roleReach(route: Route, parts: Parts, letInAgain: LetInAgain): Guard {
  return async (c, next) => {
    await asOfNow(
      parts.db,
      () => c.get('caller'),
      () => letInAgain(c),
      () => admit(c, route, parts),
    )
    await next()
  }
}

export function lettingInAgain(route: Route, authenticate: Authenticate, parts: Parts): LetInAgain {
  return async (c) => {
    await identify(c, authenticate, parts.refusals, true)
    await admit(c, route, parts)
  }
}

/** @throws AppError `forbidden`; `unauthenticated` for a person who left; StaleAuthority */
async function admit(c: Context<Env>, route: Route, { db, clock, known }: Parts): Promise<void> {
  const caller = c.get('caller')
  if (reachOf(caller, route) === 'none') {
    const named = roles.filter((role) => route.reach[role] !== 'none').join(', ')
    throw new AppError('forbidden', `This needs one of these roles: ${named}.`)
  }
  const purpose = purposeOf(c.req.header('purpose-of-use'))
  c.set('purpose', purpose)
  c.set('scope', await scopeFor(db, caller, route, purpose, timestamp(clock), known))
}
