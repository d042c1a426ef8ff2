import { AppError } from '#contract/errors.ts'
import { roles } from '#contract/rest/route.ts'
import type { Route } from '#contract/rest/route.ts'
import { purposeOf } from '../authority/purpose.ts'
import { noFacts, scopeOf } from '../authority/scope.ts'
import { reachOf } from '../caller.ts'
import type { Guard } from './variables.ts'

/** A role the contract's table does not name may not; for the others it is found out how far they reach. */
export function roleReach(route: Route): Guard {
  const named = roles.filter((role) => route.reach[role] !== 'none').join(', ')
  return async (c, next) => {
    const caller = c.get('caller')
    if (reachOf(caller, route) === 'none') throw new AppError('forbidden', `This needs one of these roles: ${named}.`)
    const purpose = purposeOf(c.req.header('purpose-of-use'))
    c.set('purpose', purpose)
    c.set('scope', scopeOf(caller, route, noFacts, purpose))
    await next()
  }
}
