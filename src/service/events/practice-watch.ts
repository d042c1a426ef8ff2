import { type PracticeState, practiceStates } from '../store/practices.ts'
import type { Database } from '../store/tables.ts'

export interface WatchTuning {
  readonly lookMs: number
  readonly heartbeatMs: number
}

const usualTuning: WatchTuning = { lookMs: 500, heartbeatMs: 20_000 }

export type PracticeWatch = ReturnType<typeof watchPractices>
export type Follower = ReturnType<PracticeWatch['follow']>

interface Waiting {
  readonly isMet: (state: PracticeState) => boolean
  readonly dueAt: number
  readonly settle: (isMet: boolean) => void
}

interface Followed {
  state: PracticeState | null
  followers: number
  readonly waiting: Set<Waiting>
}

export function watchPractices(db: Database, tuning: Partial<WatchTuning> = {}) {
  const { lookMs, heartbeatMs } = { ...usualTuning, ...tuning }
  const followed = new Map<string, Followed>()
  let timer: NodeJS.Timeout | null = null
  let isLooking = false
  let nextBeat = 0
  return {
    follow: (practice: string) => {
      const own = followed.get(practice) ?? { state: null, followers: 0, waiting: new Set() }
      followed.set(practice, own)
      own.followers += 1
      timer ??= setInterval(tick, lookMs).unref()
      let isOver = false
      return {
        state: () => own.state,
        until: (isMet: Waiting['isMet'], signal: AbortSignal) => waitIn(own, isMet, heartbeatMs, signal),
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
