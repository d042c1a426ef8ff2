import { setTimeout as later } from 'node:timers/promises'
import { inPractice } from '../store/in-practice.ts'
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

/** `lookAgainMs`: where being told may fail. */
export function createWaiters(db: Database, lookAgainMs: number | null): Waiters {
  const waiting = new Map<string, Set<() => void>>()
  let isDismissed = false
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
        if (lookAgainMs === null) await Promise.race([ended.promise, late])
        else await Promise.race([ended.promise, late, endSeen(practice, operation, lookAgainMs, timer.signal)])
        return await isEnded(practice, operation)
      } finally {
        timer.abort()
        listeners.delete(ended.resolve)
        if (listeners.size === 0) waiting.delete(operation)
      }
    },
  }

  async function endSeen(practice: string, operation: string, everyMs: number, signal: AbortSignal): Promise<void> {
    do await later(everyMs, undefined, { ref: false })
    while (!signal.aborted && !(await isEnded(practice, operation).catch(() => false)))
  }

  async function isEnded(practice: string, operation: string): Promise<boolean> {
    const row = await inPractice(db, practice, (read) =>
      read.selectFrom('operations').select('status').where('id', '=', operation).executeTakeFirst(),
    )
    return row !== undefined && isOver(row.status)
  }
}
