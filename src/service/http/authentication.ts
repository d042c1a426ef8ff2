import type { Context } from 'hono'
import { AppError } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import { roles } from '#contract/rest/route.ts'
import { createSecretKey } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import { callerOfKey } from '#service/access/api-key.ts'
import type { KnownCallers } from '#service/access/facts.ts'
import { scopeFor, asOfNow } from '#service/access/facts.ts'
import { purposeOf } from '#service/access/scope.ts'
import type { VerifyToken } from '#service/oauth/access-token.ts'
import { callerOfToken } from '#service/oauth/access-token.ts'
import type { Database } from '#service/store/tables.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { reachOf } from '#service/kernel/caller.ts'
import type { Refusals } from '#service/access/refusals.ts'
import type { Env, Guard } from './request.ts'

/** `isFresh` bypasses the authorization cache; `from` is the remote address, for the rate limit. */
export type Authenticate = (request: Request, isFresh?: boolean, from?: string) => Promise<Caller>

/** Streams are long-lived, so they bypass the authorization cache. */
export function authentication(route: Route, authenticate: Authenticate, refusals: Refusals): Guard {
  return async (c, next) => {
    await identify(c, authenticate, refusals, route.stream !== undefined)
    await next()
  }
}

async function identify(c: Context<Env>, authenticate: Authenticate, refusals: Refusals, isFresh: boolean): Promise<void> {
  const { from } = c.env
  try {
    const caller = await authenticate(c.req.raw, isFresh, from)
    c.set('caller', from === undefined ? caller : { ...caller, source: from })
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === 'unauthenticated'
    if (isRefused) refusals.refused(from, bearerToken(c.req.header('authorization') ?? null) === null ? 'none' : 'wrong')
    throw error
  }
}

interface Parts {
  readonly db: Database
  readonly pepper: Uint8Array
  readonly clock: Clock
  readonly known: KnownCallers
  readonly refusals: Refusals
  readonly verifyToken: VerifyToken | null
}

/** `Authorization: Bearer` with an API key or an access token (RFC 6750). */
export function bearerAuthentication({ verifyToken, pepper, refusals, ...rest }: Parts): Authenticate {
  const keys = { ...rest, pepper: createSecretKey(pepper) }
  return async (request, isFresh, from) => {
    const token = bearerToken(request.headers.get('authorization'))
    if (token === null) throw new AppError('unauthenticated')
    if (verifyToken === null || token.startsWith('aw_'))
      return callerOfKey({ ...keys, requireRoom: () => refusals.requireRoom(from) }, token, isFresh)
    return callerOfToken(keys.db, await verifyToken(token))
  }
}

export function bearerToken(header: string | null): string | null {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null
}

interface ReachParts {
  readonly db: Database
  readonly clock: Clock
  readonly known: KnownCallers
  readonly refusals: Refusals
}

export type LetInAgain = (c: Context<Env>) => Promise<void>

export function roleReach(route: Route, parts: ReachParts, letInAgain: LetInAgain): Guard {
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

export function lettingInAgain(route: Route, authenticate: Authenticate, parts: ReachParts): LetInAgain {
  return async (c) => {
    await identify(c, authenticate, parts.refusals, true)
    await admit(c, route, parts)
  }
}

async function admit(c: Context<Env>, route: Route, { db, clock, known }: ReachParts): Promise<void> {
  const caller = c.get('caller')
  if (reachOf(caller, route) === 'none') {
    const named = roles.filter((role) => route.reach[role] !== 'none').join(', ')
    throw new AppError('forbidden', `This needs one of these roles: ${named}.`)
  }
  const purpose = purposeOf(c.req.header('purpose-of-use'))
  c.set('purpose', purpose)
  c.set('scope', await scopeFor(db, caller, route, purpose, timestamp(clock), known))
}
