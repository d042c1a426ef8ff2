import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Guard } from './variables.ts'

/** Ours always: a caller's own could hold anything. */
export function requestId(clock: Clock): Guard {
  return async (c, next) => {
    const id = newId(clock)
    c.set('request_id', id)
    await next()
    // Into the answer as it is: `c.header` would make a new one around a stream of its body.
    const { headers } = c.res
    headers.set('X-Request-Id', id)
    headers.set('Cache-Control', 'no-store')
    headers.set('X-Content-Type-Options', 'nosniff')
  }
}
