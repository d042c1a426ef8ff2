import type { Clock } from '#base/clock.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { Write } from '#service/store/tables.ts'
import { openKeyUse } from './key-use.ts'
import type { QuotaState } from './quota.ts'
import { openQuotas } from './quota.ts'

/** What a call leaves beside its effect and its audit entry: its count, and that its key was used. */
export interface Ledger {
  /** @throws QuotaExceeded */
  requireRoom(route: Route, caller: Caller): void
  /**
   * Inside the call's own transaction.
   *
   * @throws QuotaExceeded
   */
  enter(write: Write, route: Route, caller: Caller): Promise<QuotaState | undefined>
  /** The transaction it was entered in stands. */
  stands(caller: Caller): void
}

export function openLedger(clock: Clock): Ledger {
  const quotas = openQuotas()
  const keyUse = openKeyUse()
  return {
    requireRoom: (route, caller) => {
      if (route.counted) quotas.requireRoom(caller, clock.now())
    },
    enter: async (write, route, caller) => {
      await keyUse.note(write, caller, clock.now())
      return route.counted ? quotas.count(write, caller, clock.now()) : undefined
    },
    stands: (caller) => keyUse.stands(caller, clock.now()),
  }
}
