import { setImmediate } from 'node:timers/promises'

/** Time that stands still until it is moved: weeks pass at once, and nothing waits for real. */
export interface VirtualTime {
  /** Milliseconds since the beginning. */
  now(): number
  /** Resolves after the time, or as soon as the signal is aborted; null: only then. */
  wait(ms: number | null, signal: AbortSignal | null): Promise<void>
  /** Something is under way that time must not overtake; called once it is over. */
  begin(what: string): () => void
  /** Resolves once nothing goes on any more but waiting. Fails where something is done again and again without waiting. */
  quiet(): Promise<void>
  /** Moves on, from one waiter to the next. After many of them the rest is slept through, and then all are woken. */
  pass(ms: number): Promise<void>
}

const mostWaitersPassed = 60
/** In the event loop: a loop yields once between two of its attempts. */
const turnsOfQuiet = 4
/** In which something begins, ends or waits. */
const mostTurnsOfDoing = 50_000
/** One after the other in which nothing does: a disk is slow, or a module is read for the first time. */
const mostTurnsOfAwaiting = 20_000_000

export function virtualTime(): VirtualTime {
  let now = 0
  const underWay = new Set<{ readonly what: string }>()
  let events = 0
  const waiters = new Set<{ until: number; wake: () => void }>()

  const quiet = async (): Promise<void> => {
    let seen = events
    let [still, doing] = [0, 0]
    while (doing < mostTurnsOfDoing && still < mostTurnsOfAwaiting) {
      await setImmediate()
      if (seen === events) still += 1
      else [still, doing] = [0, doing + 1]
      if (still >= turnsOfQuiet && underWay.size === 0) return
      seen = events
    }
    const what = [...underWay].map((one) => one.what).join(', ')
    throw new Error(doing < mostTurnsOfDoing ? `it is never answered: ${what}` : `it never comes to rest: ${what}`)
  }
  const due = (end: number) => [...waiters].filter(({ until }) => until <= end).toSorted((one, other) => one.until - other.until)

  return {
    now: () => now,
    begin(what) {
      const begun = { what }
      underWay.add(begun)
      events += 1
      return () => {
        underWay.delete(begun)
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
