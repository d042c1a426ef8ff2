import type { Context, MiddlewareHandler } from 'hono'
import type { Route } from '#contract/rest/route.ts'
import { keyScopeOf, requestHash } from '#service/access/replays.ts'
import type { PurposeOfUse } from '#contract/model/audit-event.ts'
import type { Scope } from '#service/access/scope.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { QuotaState } from './quota.ts'
import type { Call } from '#service/access/call.ts'
import type { KeyScope } from '#service/store/idempotency.ts'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'

export interface Request {
  readonly call: Call
  readonly scope: KeyScope | null
  readonly hash: string
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

interface Variables {
  request_id: string
  route: { operation: string; route: Route } | undefined
  caller: Caller
  purpose: PurposeOfUse | null
  scope: Scope
  quota: QuotaState | undefined
  bytes: Uint8Array
  input: { params: unknown; query: unknown; body: unknown; raw: unknown }
}

export interface Env {
  Bindings: { from?: string }
  Variables: Variables
}

export type Guard = MiddlewareHandler<Env>

/** A call as logs and metrics see it: ids and codes of this service, no request or response content. */
export interface ObservedCall {
  readonly operation: string | null
  readonly status: number
  readonly duration_ms: number
  readonly request_id: string
  readonly practice: string | null
  readonly code: string | null
}

export type Observe = (call: ObservedCall) => void

/** Reports each call when its answer is ready. Must be the first middleware. */
export function observation(observe: Observe, clock: Clock): Guard {
  return async (c, next) => {
    const began = clock.elapsed()
    await next()
    observe({
      operation: c.get('route')?.operation ?? null,
      status: c.res.status,
      duration_ms: clock.elapsed() - began,
      request_id: c.get('request_id'),
      practice: (c.get('caller') as { practice_id: string } | undefined)?.practice_id ?? null,
      code: c.error === undefined ? null : c.error instanceof AppError ? c.error.code : 'internal',
    })
  }
}
