import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { Guard } from './variables.ts'

/** One call as logs and metrics may know it: ids and codes of ours, nothing that was sent or answered. */
export interface ObservedCall {
  /** Operation id of the contract; null where the address is none of ours. */
  readonly operation: string | null
  readonly status: number
  readonly duration_ms: number
  readonly request_id: string
  readonly practice: string | null
  /** Why it failed; null where it did not. */
  readonly code: string | null
}

export type Observe = (call: ObservedCall) => void

/** Tells of each call when its answer is ready. Stands before every other guard. */
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
