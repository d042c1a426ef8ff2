import type { Context } from 'hono'
import { AppError } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import { bearerToken } from './bearer-authentication.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { Refusals } from '#service/access/refusals.ts'
import type { Env, Guard } from './variables.ts'

/**
 * @param isFresh as the records say now, nothing remembered
 * @param from the address of the other end, whose refused calls are limited; left out where none is
 * @throws AppError `unauthenticated`, `sign-in-unavailable`, `too-many-refusals`
 */
export type Authenticate = (request: Request, isFresh?: boolean, from?: string) => Promise<Caller>

/** A stream goes on for long, so it begins with what holds now. */
export function authentication(route: Route, authenticate: Authenticate, refusals: Refusals): Guard {
  return async (c, next) => {
    await identify(c, authenticate, refusals, route.stream !== undefined)
    await next()
  }
}

/** @throws AppError `unauthenticated`, `sign-in-unavailable` */
export async function identify(c: Context<Env>, authenticate: Authenticate, refusals: Refusals, isFresh: boolean): Promise<void> {
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
