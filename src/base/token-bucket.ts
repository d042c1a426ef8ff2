import type { Clock } from './clock.ts'

/** So many a second on average; what was not used is kept for a second, what was taken too early is waited for. */
export interface TokenBucket {
  /** Milliseconds until something may be taken again; 0: now. */
  waitMs(): number
  /** May be more than there is: the next one waits for as much longer. */
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
