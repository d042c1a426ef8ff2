import { AppError } from '#contract/errors.ts'
import type { Route } from '#contract/rest/route.ts'
import { reachOf } from '../caller.ts'
import type { Guard } from './variables.ts'

/** A role the contract's table does not name may not. */
export function roleReach(route: Route): Guard {
  return async (c, next) => {
    if (reachOf(c.get('caller'), route) === 'none') throw new AppError('forbidden')
    await next()
  }
}
