import type { Clock } from './clock.ts'

/** Rate limiter. It saves at most one second of unused tokens, and overdrawn tokens delay later calls. */
export interface TokenBucket {
  waitMs(): number
  take(amount: number): void
}

export function tokenBucket(perSecond: number, clock: Pick<Clock, 'elapsed'>): TokenBucket {
  let held = perSecond
  let at = clock.elapsed()
  const fill = (): void => {
    const now = clock.elapsed()
    held = Math.min(perSecond, held + ((now - at) / 1000) * perSecond)
    at = now
  }
  return {
    waitMs() {
      fill()
      return held > 0 ? 0 : Math.max(1, Math.ceil((-held / perSecond) * 1000))
    },
    take(amount) {
      fill()
      held -= amount
    },
  }
}
