import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import type { Guard } from './variables.ts'

/** Ours always: a caller's own could hold anything. */
export function requestId(clock: Clock): Guard {
  return async (c, next) => {
    const id = newId(clock)
    c.set('request_id', id)
    await next()
    c.header('X-Request-Id', id)
    c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
  }
}
