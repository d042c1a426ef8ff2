import type { Clock } from '#base/clock.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { Write } from '#service/store/tables.ts'
import { keyUsed } from '#service/store/api-keys.ts'
import { type QuotaState, openQuotas } from './quota.ts'

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

const minute = 60_000
/** More keys than this are hardly used within a minute; then some are written once more. */
const mostRemembered = 10_000

interface KeyUse {
  /** In a call's own transaction, once a minute at most. */
  note(write: Write, caller: Caller, now: number): Promise<void>
  /** That transaction stands. */
  stands(caller: Caller, now: number): void
}

function openKeyUse(): KeyUse {
  const noted = new Map<string, number>()
  const isNoted = (key: string, now: number): boolean => Math.abs(now - (noted.get(key) ?? -Infinity)) < minute
  return {
    note: async (write, { key_id }, now) => {
      if (key_id !== null && !isNoted(key_id, now)) await keyUsed(write, key_id, new Date(now).toISOString())
    },
    stands: ({ key_id }, now) => {
      if (key_id === null || isNoted(key_id, now)) return
      if (noted.size >= mostRemembered) noted.clear()
      noted.set(key_id, now)
    },
  }
}
