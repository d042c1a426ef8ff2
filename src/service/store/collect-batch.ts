import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Resolves when a turn of the event loop adds no more entries, or when `most` are waiting. Requests that arrive together take
 * several turns, and one that misses the batch waits for a whole commit. A single caller waits one turn.
 */
export async function collectBatch(waiting: readonly unknown[], most: number): Promise<void> {
  for (let known = 0; known < waiting.length && waiting.length < most;) {
    known = waiting.length
    await nextTurn()
  }
}
