import { AppError, errorKinds } from '#contract/errors.ts'
import { dailyQuota } from '#contract/model/me.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { RefusedReplay } from './replay.ts'
import type { DayUse } from '#service/store/call-counts.ts'
import { countCall, endOfDay, useToday } from '#service/store/call-counts.ts'
import type { Write } from '#service/store/tables.ts'
import type { Guard } from './request.ts'
import type { Clock } from '#base/clock.ts'
import { keyUsed } from '#service/store/api-keys.ts'

const DAY_SECONDS = 86_400

export interface QuotaState {
  readonly limit: number | null
  readonly used: number
  readonly resetSeconds: number
}

export class QuotaExceeded extends AppError {
  readonly state: QuotaState

  constructor(state: QuotaState) {
    super('quota-exceeded', 'The practice’s calls of this day are used up. They begin anew at midnight UTC, or on a larger plan.')
    this.state = state
  }
}

export interface Quotas {
  /** Early check with the counts this process knows; `count` decides. @throws QuotaExceeded */
  requireRoom(caller: Caller, now: number): void
  count(write: Write, caller: Caller, now: number): Promise<QuotaState>
}

const MAX_REMEMBERED = 10_000

function openQuotas(): Quotas {
  const full = new Map<string, { readonly limit: number | null; readonly use: DayUse }>()
  return {
    requireRoom: ({ practice_id, plan }, now) => {
      const known = full.get(practice_id)
      if (known === undefined || known.limit !== dailyQuota[plan]) return
      const state = stateOf(known.limit, known.use, now)
      // The day is over, or the clock was set back by more than a day.
      if (state.resetSeconds > 2 * DAY_SECONDS || endOfDay(known.use.day) <= now) full.delete(practice_id)
      else throw new QuotaExceeded(state)
    },
    count: async (write, { practice_id, plan }, now) => {
      const limit = dailyQuota[plan]
      const counted = await countCall(write, practice_id, limit, now)
      if (counted !== null) return stateOf(limit, counted, now)
      const use = await useToday(write, practice_id, now)
      if (full.size >= MAX_REMEMBERED) full.clear()
      full.set(practice_id, { limit, use })
      throw new QuotaExceeded(stateOf(limit, use, now))
    },
  }
}

/** Statuses of refusals that do not count toward the quota. */
const uncounted = new Set([401, 403, 404, 405, 415, 429])

export function countsAsFailed(route: Route, error: Error): boolean {
  if (!route.counted) return false
  if (error instanceof RefusedReplay) return false
  if (!(error instanceof AppError)) return true
  return error.code !== 'still-running' && !uncounted.has(errorKinds[error.code].status)
}

/** draft-ietf-httpapi-ratelimit-headers, on every counted or quota-refused answer except on plans without a quota. */
export const quotaFields: Guard = async (c, next) => {
  await next()
  const state = c.error instanceof QuotaExceeded ? c.error.state : c.get('quota')
  if (state === undefined || state.limit === null) return
  const { headers } = c.res
  headers.set('RateLimit-Policy', `"daily";q=${state.limit};w=${DAY_SECONDS}`)
  headers.set('RateLimit', `"daily";r=${Math.max(0, state.limit - state.used)};t=${state.resetSeconds}`)
  if (c.error instanceof QuotaExceeded) headers.set('Retry-After', String(state.resetSeconds))
}

function stateOf(limit: number | null, { day, used }: DayUse, now: number): QuotaState {
  return { limit, used, resetSeconds: Math.max(1, Math.ceil((endOfDay(day) - now) / 1000)) }
}

export interface Ledger {
  requireRoom(route: Route, caller: Caller): void
  enter(write: Write, route: Route, caller: Caller): Promise<QuotaState | undefined>
  /** Call after the transaction has committed. */
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

const MINUTE = 60_000

interface KeyUse {
  /** Runs in the call's own transaction. Writes at most once a minute per key. */
  note(write: Write, caller: Caller, now: number): Promise<void>
  stands(caller: Caller, now: number): void
}

function openKeyUse(): KeyUse {
  const noted = new Map<string, number>()
  const isNoted = (key: string, now: number): boolean => Math.abs(now - (noted.get(key) ?? -Infinity)) < MINUTE
  return {
    note: async (write, { key_id }, now) => {
      if (key_id !== null && !isNoted(key_id, now)) await keyUsed(write, key_id, new Date(now).toISOString())
    },
    stands: ({ key_id }, now) => {
      if (key_id === null || isNoted(key_id, now)) return
      if (noted.size >= MAX_REMEMBERED) noted.clear()
      noted.set(key_id, now)
    },
  }
}
