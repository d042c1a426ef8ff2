import { AppError } from '#contract/errors.ts'
import { bearerToken } from '../bearer-authentication.ts'
import type { Caller } from '../caller.ts'
import type { Refusals } from './refusals.ts'
import type { Guard } from './variables.ts'

/** @throws AppError `unauthenticated`, `sign-in-unavailable` */
export type Authenticate = (request: Request) => Promise<Caller>

export function authentication(authenticate: Authenticate, refusals: Refusals): Guard {
  return async (c, next) => {
    const { from } = c.env
    try {
      const caller = await authenticate(c.req.raw)
      c.set('caller', from === undefined ? caller : { ...caller, source: from })
    } catch (error) {
      const isRefused = error instanceof AppError && error.code === 'unauthenticated'
      if (isRefused) refusals.refused(from, bearerToken(c.req.header('authorization') ?? null) === null ? 'none' : 'wrong')
      throw error
    }
    await next()
  }
}
