import type { Context } from 'hono'
import type { Route } from '#contract/rest/route.ts'
import { keyScopeOf, requestHash } from '#service/access/replays.ts'
import type { Env } from './variables.ts'
import type { Call } from '#service/access/call.ts'
import type { KeyScope } from '#service/store/idempotency.ts'

/** A call as far as its being done once is concerned. */
export interface Request {
  readonly call: Call
  readonly scope: KeyScope | null
  readonly hash: string
  /** `Prefer: respond-async`. */
  readonly isAsync: boolean
}

export function callOf(c: Context<Env>, now: string): Call {
  const { params, query, body } = c.get('input')
  const caller = c.get('caller')
  const ifMatch = c.req.header('if-match') ?? null
  const authority = { caller, practice: caller.practice_id, scope: c.get('scope'), purpose: c.get('purpose') }
  return { params, query, body, ...authority, requestId: c.get('request_id'), ifMatch, now } as Call
}

export function requestOf(c: Context<Env>, operation: string, route: Route, now: string): Request {
  const { params, raw } = c.get('input')
  const call = callOf(c, now)
  const { caller } = call
  const scope = route.method === 'POST' ? keyScopeOf(c.req.header('idempotency-key'), caller) : null
  // RFC 7240: preferences are separated by commas and may have parameters.
  const preferences = (c.req.header('prefer') ?? '')
    .split(',')
    .map((preference) => preference.split(';')[0]?.trim().toLowerCase())
  const isAsync = route.longRunning === true && preferences.includes('respond-async')
  return { call, scope, hash: scope === null ? '' : requestHash(operation, params, raw), isAsync }
}
