import { setTimeout as later } from 'node:timers/promises'
import { inPractice, lookInPractice } from '../store/in-practice.ts'
import type { PracticeWatch } from '../events/practice-watch.ts'
import { isOver } from '../store/operations.ts'
import type { Database } from '../store/tables.ts'

/** Calls that wait for an operation to be over. */
export interface Waiters {
  /** It may be over: look. */
  tell(operation: string): void
  /** True once it is over; false when `waitMs` have passed before. */
  settled(practice: string, operation: string, waitMs: number): Promise<boolean>
  /** Nobody waits any longer. */
  dismiss(): void
}

/** `watch`: where being told may fail; null where it cannot. */
export function createWaiters(db: Database, watch: PracticeWatch | null): Waiters {
  const waiting = new Map<string, Set<() => void>>()
  let isDismissed = false
  const isEnded = (practice: string, operation: string): Promise<boolean> =>
    lookInPractice(db, practice, (read) => isEndedIn(read, operation))
  return {
    tell: (operation) => {
      for (const listener of waiting.get(operation) ?? []) listener()
    },
    dismiss: () => {
      isDismissed = true
      for (const listeners of waiting.values()) for (const listener of listeners) listener()
    },
    async settled(practice, operation, waitMs) {
      const ended = Promise.withResolvers<void>()
      const listeners = waiting.get(operation) ?? new Set()
      waiting.set(operation, listeners.add(ended.resolve))
      const timer = new AbortController()
      try {
        // Told before it listened: what counts is what is stored.
        if (await isEnded(practice, operation)) return true
        if (isDismissed) return false
        const late = later(waitMs, undefined, { signal: timer.signal, ref: false }).catch(() => {})
        if (watch === null) await Promise.race([ended.promise, late])
        else await Promise.race([ended.promise, late, endSeen(watch, practice, operation, timer.signal)])
        // Behind what is being committed: its end may be told a moment before.
        return await inPractice(db, practice, (read) => isEndedIn(read, operation))
      } finally {
        timer.abort()
        listeners.delete(ended.resolve)
        if (listeners.size === 0) waiting.delete(operation)
      }
    },
  }

  /** Looks again after each step of the practice's work, whichever process made it. */
  async function endSeen(watch: PracticeWatch, practice: string, operation: string, signal: AbortSignal): Promise<void> {
    const follower = watch.follow(practice)
    try {
      for (let seen: number | null = null; !signal.aborted;) {
        if (!(await follower.until(({ work_steps }) => work_steps !== seen, signal))) continue
        seen = follower.state()?.work_steps ?? null
        if (await isEnded(practice, operation).catch(() => false)) return
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      follower.end()
    }
  }
}

async function isEndedIn(read: Database, operation: string): Promise<boolean> {
  const row = await read.selectFrom('operations').select('status').where('id', '=', operation).executeTakeFirst()
  return row !== undefined && isOver(row.status)
}
