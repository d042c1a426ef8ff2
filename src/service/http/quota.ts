import { AppError, errorKinds } from '#contract/errors.ts'
import { dailyQuota } from '#contract/model/me.ts'
import type { Route } from '#contract/rest/route.ts'
import type { Caller } from '#service/kernel/caller.ts'
import { RefusedReplay } from '#service/access/replays.ts'
import { countCall, type DayUse, endOfDay, useToday } from '#service/store/call-counts.ts'
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

const uncounted = new Set([401, 403, 404, 405, 415, 429])

export function countsAsFailed(route: Route, error: Error): boolean {
  if (!route.counted) return false
  if (error instanceof RefusedReplay) return false
  if (!(error instanceof AppError)) return true
  return error.code !== 'still-running' && !uncounted.has(errorKinds[error.code].status)
}

/** On plans with a quota, sets the headers of draft-ietf-httpapi-ratelimit-headers for counted and quota-refused calls. */
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

export type Ledger = ReturnType<typeof openLedger>

const MAX_REMEMBERED = 10_000
const MINUTE = 60_000

/** Counts calls toward the daily quotas. Records the last use of a key about once a minute while the key is in use. */
export function openLedger(clock: Clock) {
  const full = new Map<string, { readonly limit: number | null; readonly use: DayUse }>()
  const noted = new Map<string, number>()
  const isNoted = (key: string, now: number): boolean => Math.abs(now - (noted.get(key) ?? -Infinity)) < MINUTE
  return {
    requireRoom: ({ counted }: Route, { practice_id, plan }: Caller): void => {
      const known = full.get(practice_id)
      if (!counted || known === undefined || known.limit !== dailyQuota[plan]) return
      const now = clock.now()
      const state = stateOf(known.limit, known.use, now)
      if (state.resetSeconds > 2 * DAY_SECONDS || endOfDay(known.use.day) <= now) full.delete(practice_id)
      else throw new QuotaExceeded(state)
    },
    enter: async (write: Write, { counted }: Route, { key_id, practice_id, plan }: Caller) => {
      const now = clock.now()
      if (key_id !== null && !isNoted(key_id, now)) await keyUsed(write, key_id, new Date(now).toISOString())
      if (!counted) return undefined
      const limit = dailyQuota[plan]
      const used = await countCall(write, practice_id, limit, now)
      if (used !== null) return stateOf(limit, used, now)
      const use = await useToday(write, practice_id, now)
      remember(full, practice_id, { limit, use })
      throw new QuotaExceeded(stateOf(limit, use, now))
    },
    /** Call after the transaction has committed. */
    stands: ({ key_id }: Caller): void => {
      const now = clock.now()
      if (key_id !== null && !isNoted(key_id, now)) remember(noted, key_id, now)
    },
  }
}

function remember<Value>(cache: Map<string, Value>, key: string, value: Value): void {
  if (cache.size >= MAX_REMEMBERED) cache.clear()
  cache.set(key, value)
}
