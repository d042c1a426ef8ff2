import type { MiddlewareHandler } from 'hono'
import type { Route } from '#contract/rest/route.ts'
import type { PurposeOfUse } from '#contract/model/audit-event.ts'
import type { Scope } from '#service/access/authorization.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { QuotaState } from './quota.ts'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'

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

export interface ObservedCall {
  readonly operation: string | null
  readonly status: number
  readonly duration_ms: number
  readonly request_id: string
  readonly practice: string | null
  readonly code: string | null
}

export type Observe = (call: ObservedCall) => void

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
