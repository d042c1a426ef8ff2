import { setTimeout as later } from 'node:timers/promises'
import type { Log } from '#base/log.ts'
import type { Listener } from './listen.ts'

interface Draining {
  readonly service: { drain(): Promise<void>; close(): Promise<void> }
  readonly listener: Listener
  readonly delayMs: number
  readonly limitMs: number
  readonly log: Log
}

/**
 * An end in good order:
 *
 *   asked -> /readyz says no, connections still taken (delay: the balancer looks away)
 *         -> no new connection; waiting calls and event streams are ended, work is handed back
 *         -> calls under way are answered, at most so long; what is left is cut off
 *         -> the store is closed
 */
export async function drain({ service, listener, delayMs, limitMs, log }: Draining): Promise<void> {
  log.info('service.draining')
  if (delayMs > 0) await later(delayMs)
  const closed = listener.close()
  const answered = service.drain().then(() => closed)
  const limit = new AbortController()
  const late = later(limitMs, true, { signal: limit.signal }).catch(() => false)
  if (await Promise.race([answered.then(() => false), late])) {
    log.warn('service.cut-off')
    listener.cutOff()
  }
  limit.abort()
  await closed
  await service.close()
  log.info('service.closed')
}
