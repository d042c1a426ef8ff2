import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { roles } from '#contract/rest/route.ts'
import type { Route } from '#contract/rest/route.ts'
import { scopeFor } from '../authority/facts.ts'
import { purposeOf } from '../authority/purpose.ts'
import { reachOf } from '../caller.ts'
import type { Database } from '../store/tables.ts'
import type { Guard } from './variables.ts'

/** A role the contract's table does not name may not; for the others it is found out how far they reach. */
export function roleReach(route: Route, { db, clock }: { db: Database; clock: Clock }): Guard {
  const named = roles.filter((role) => route.reach[role] !== 'none').join(', ')
  return async (c, next) => {
    const caller = c.get('caller')
    if (reachOf(caller, route) === 'none') throw new AppError('forbidden', `This needs one of these roles: ${named}.`)
    const purpose = purposeOf(c.req.header('purpose-of-use'))
    c.set('purpose', purpose)
    c.set('scope', await scopeFor(db, caller, route, purpose, timestamp(clock)))
    await next()
  }
}
