import { setTimeout as later } from 'node:timers/promises'
import type { PracticeState } from '../store/practices.ts'
import { practiceStates } from '../store/practices.ts'
import type { Database } from '../store/tables.ts'

export interface WatchTuning {
  /** Milliseconds between two looks at the store. */
  readonly lookMs: number
  /** Milliseconds after which a silent stream shows a sign of life. */
  readonly heartbeatMs: number
}

const usualTuning: WatchTuning = { lookMs: 500, heartbeatMs: 15_000 }

/**
 * What many streams wait for, found by one query of this process each half second for all their practices: an idle
 * stream costs the store nothing. The query takes no lock.
 */
export interface PracticeWatch {
  follow(practice: string): Follower
}

export interface Follower {
  /** As the last look found it; null before the first. */
  state(): PracticeState | null
  /** True once this holds of the practice's state; false where it does not for the time of a heartbeat. Throws what `signal` does. */
  until(isMet: (state: PracticeState) => boolean, signal: AbortSignal): Promise<boolean>
  end(): void
}

interface Followed {
  state: PracticeState | null
  followers: number
  readonly waiting: Set<(state: PracticeState) => void>
}

export function watchPractices(db: Database, tuning: Partial<WatchTuning> = {}): PracticeWatch {
  const { lookMs, heartbeatMs } = { ...usualTuning, ...tuning }
  const followed = new Map<string, Followed>()
  let isLooking = false
  return {
    follow: (practice) => {
      const own = followed.get(practice) ?? { state: null, followers: 0, waiting: new Set() }
      followed.set(practice, own)
      own.followers += 1
      if (!isLooking) void lookAgainAndAgain()
      let isOver = false
      return {
        state: () => own.state,
        until: (isMet, signal) => waitIn(own, isMet, heartbeatMs, signal),
        end: () => {
          if (isOver) return
          isOver = true
          own.followers -= 1
          if (own.followers === 0) followed.delete(practice)
        },
      }
    },
  }

  async function lookAgainAndAgain(): Promise<void> {
    isLooking = true
    while (followed.size > 0) {
      await later(lookMs, undefined, { ref: false })
      // A store that is out of reach is looked at again.
      for (const found of await practiceStates(db, [...followed.keys()]).catch(() => [])) show(found)
    }
    isLooking = false
  }

  function show(found: PracticeState): void {
    const own = followed.get(found.id)
    if (own === undefined) return
    own.state = found
    for (const listener of own.waiting) listener(found)
  }
}

function waitIn(
  own: Followed,
  isMet: (state: PracticeState) => boolean,
  heartbeatMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  if (signal.aborted) return Promise.reject(signal.reason as Error)
  if (own.state !== null && isMet(own.state)) return Promise.resolve(true)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => resolve(false)), heartbeatMs).unref()
    const listener = (state: PracticeState): void => {
      if (isMet(state)) settle(() => resolve(true))
    }
    const stop = (): void => settle(() => reject(signal.reason as Error))
    own.waiting.add(listener)
    signal.addEventListener('abort', stop)

    function settle(answer: () => void): void {
      clearTimeout(timer)
      own.waiting.delete(listener)
      signal.removeEventListener('abort', stop)
      answer()
    }
  })
}
