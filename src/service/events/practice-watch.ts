import type { PracticeState } from '../store/practices.ts'
import { practiceStates } from '../store/practices.ts'
import type { Database } from '../store/tables.ts'

export interface WatchTuning {
  /** Milliseconds between two looks at the store. */
  readonly lookMs: number
  /** Milliseconds after which a silent stream shows a sign of life. */
  readonly heartbeatMs: number
}

const usualTuning: WatchTuning = { lookMs: 500, heartbeatMs: 20_000 }

/**
 * What many streams wait for, found by one query of this process each half second for all their practices: an idle
 * stream costs the store nothing. The query takes no lock. The same timer counts the time of all streams, and those that
 * are due within a quarter of a heartbeat show their sign of life together: one after the other costs twice as much.
 */
export interface PracticeWatch {
  follow(practice: string): Follower
}

export interface Follower {
  /** As the last look found it; null before the first. */
  state(): PracticeState | null
  /** True once this holds of the practice's state; false where it does not for about the time of a heartbeat, never longer. Throws what `signal` does. */
  until(isMet: (state: PracticeState) => boolean, signal: AbortSignal): Promise<boolean>
  end(): void
}

interface Waiting {
  readonly isMet: (state: PracticeState) => boolean
  /** By `performance.now()`. */
  readonly dueAt: number
  readonly settle: (isMet: boolean) => void
}

interface Followed {
  state: PracticeState | null
  followers: number
  readonly waiting: Set<Waiting>
}

export function watchPractices(db: Database, tuning: Partial<WatchTuning> = {}): PracticeWatch {
  const { lookMs, heartbeatMs } = { ...usualTuning, ...tuning }
  const followed = new Map<string, Followed>()
  let timer: NodeJS.Timeout | null = null
  let isLooking = false
  /** By `performance.now()`. */
  let nextBeat = 0
  return {
    follow: (practice) => {
      const own = followed.get(practice) ?? { state: null, followers: 0, waiting: new Set() }
      followed.set(practice, own)
      own.followers += 1
      timer ??= setInterval(tick, lookMs).unref()
      let isOver = false
      return {
        state: () => own.state,
        until: (isMet, signal) => waitIn(own, isMet, heartbeatMs, signal),
        end: () => {
          if (isOver) return
          isOver = true
          own.followers -= 1
          if (own.followers === 0) followed.delete(practice)
          if (followed.size > 0 || timer === null) return
          clearInterval(timer)
          timer = null
        },
      }
    },
  }

  function tick(): void {
    const now = performance.now()
    if (now >= nextBeat) {
      nextBeat = now + heartbeatMs / 4
      for (const { waiting } of followed.values()) for (const one of waiting) if (one.dueAt <= nextBeat) one.settle(false)
    }
    if (!isLooking) void look()
  }

  async function look(): Promise<void> {
    isLooking = true
    // A store that is out of reach is looked at again.
    const states = await practiceStates(db, [...followed.keys()]).catch(() => [])
    isLooking = false
    for (const state of states) {
      const own = followed.get(state.id)
      if (own === undefined) continue
      own.state = state
      for (const one of own.waiting) if (one.isMet(state)) one.settle(true)
    }
  }
}

function waitIn(own: Followed, isMet: Waiting['isMet'], heartbeatMs: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.reject(signal.reason as Error)
  if (own.state !== null && isMet(own.state)) return Promise.resolve(true)
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      own.waiting.delete(one)
      reject(signal.reason as Error)
    }
    const one: Waiting = {
      isMet,
      dueAt: performance.now() + heartbeatMs,
      settle: (isMetNow) => {
        own.waiting.delete(one)
        signal.removeEventListener('abort', stop)
        resolve(isMetNow)
      },
    }
    own.waiting.add(one)
    signal.addEventListener('abort', stop)
  })
}
