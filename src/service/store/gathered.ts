import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Settles when a turn of the event loop brought no more calls, or enough are there: those of many callers arrive over
 * several turns, and who comes too late waits for a whole commit. Who is alone waits for one turn.
 */
export async function gathered(waiting: readonly unknown[], most: number): Promise<void> {
  for (let known = 0; known < waiting.length && waiting.length < most;) {
    known = waiting.length
    await nextTurn()
  }
}
