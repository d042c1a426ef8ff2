import type { Caller } from '../caller.ts'
import type { Guard } from './variables.ts'

/** @throws AppError `unauthenticated` */
export type Authenticate = (request: Request) => Promise<Caller>

export function authentication(authenticate: Authenticate): Guard {
  return async (c, next) => {
    c.set('caller', await authenticate(c.req.raw))
    await next()
  }
}
