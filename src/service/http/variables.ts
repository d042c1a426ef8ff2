import type { MiddlewareHandler } from 'hono'
import type { Route } from '#contract/rest/route.ts'
import type { PurposeOfUse } from '#contract/model/purpose.ts'
import type { Scope } from '#service/access/scope.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { QuotaState } from './quota.ts'

/** What guards leave for those after them. */
export interface Variables {
  request_id: string
  /** Unset where the address or method is not one of ours. */
  route: { operation: string; route: Route } | undefined
  caller: Caller
  purpose: PurposeOfUse | null
  scope: Scope
  /** Unset where the call was not counted. */
  quota: QuotaState | undefined
  bytes: Uint8Array
  input: { params: unknown; query: unknown; body: unknown; raw: unknown }
}

export interface Env {
  /** The address of the other end; unset within this process. */
  Bindings: { from?: string }
  Variables: Variables
}

export type Guard = MiddlewareHandler<Env>
