import { setImmediate } from 'node:timers/promises'

/** Time that stands still until it is moved: weeks pass at once, and nothing waits for real. */
export interface VirtualTime {
  /** Milliseconds since the beginning. */
  now(): number
  /** Resolves after the time, or as soon as the signal is aborted; null: only then. */
  wait(ms: number | null, signal: AbortSignal | null): Promise<void>
  /** Something is under way that time must not overtake; called once it is over. */
  begin(): () => void
  /** Resolves once nothing goes on any more but waiting. */
  quiet(): Promise<void>
  /** Moves on, from one waiter to the next. After many of them the rest is slept through, and then all are woken. */
  pass(ms: number): Promise<void>
}

const mostWaitersPassed = 60
/** In the event loop: a loop yields once between two of its attempts. */
const turnsOfQuiet = 4
const mostTurns = 100_000

export function virtualTime(): VirtualTime {
  let now = 0
  let underWay = 0
  let events = 0
  const waiters = new Set<{ until: number; wake: () => void }>()

  const quiet = async (): Promise<void> => {
    let seen = events
    let still = 0
    for (let turn = 0; turn < mostTurns; turn += 1) {
      await setImmediate()
      still = underWay === 0 && seen === events ? still + 1 : 0
      if (still >= turnsOfQuiet) return
      seen = events
    }
    throw new Error('it never comes to rest')
  }
  const due = (end: number) => [...waiters].filter(({ until }) => until <= end).toSorted((one, other) => one.until - other.until)

  return {
    now: () => now,
    begin() {
      underWay += 1
      events += 1
      return () => {
        underWay -= 1
        events += 1
      }
    },
    wait: (ms, signal) =>
      new Promise((resolve) => {
        events += 1
        if (signal?.aborted) return resolve()
        const waiter = {
          until: ms === null ? Infinity : now + ms,
          wake() {
            waiters.delete(waiter)
            signal?.removeEventListener('abort', waiter.wake)
            events += 1
            resolve()
          },
        }
        waiters.add(waiter)
        signal?.addEventListener('abort', waiter.wake)
      }),
    quiet,
    async pass(ms) {
      const end = now + ms
      await quiet()
      for (let passed = 0; passed < mostWaitersPassed; passed += 1) {
        const next = due(end)[0]
        if (next === undefined) break
        now = Math.max(now, next.until)
        next.wake()
        await quiet()
      }
      now = end
      for (const waiter of due(end)) waiter.wake()
      await quiet()
    },
  }
}
