import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Write } from './tables.ts'

/** More than this wait for the next look, so that none waits long for the others. */
const mostTogether = 32

interface Waiting {
  readonly work: (read: Write) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface SharedLook {
  /** As if alone: what is seen is at least what was committed when this was called. */
  add<Result>(work: (read: Write) => Promise<Result>): Promise<Result>
}

/**
 * What is to be read at the same time is read in one transaction, the works side by side. A statement that fails ends
 * the transaction for all of them, so whoever failed in company looks again alone and hears what is theirs.
 *
 * `look` begins one that writes nothing, gives it to the work, and ends it.
 */
export function shareLooks(look: (work: (read: Write) => Promise<void>) => Promise<void>): SharedLook {
  const waiting: Waiting[] = []
  let isLooking = false
  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
        if (!isLooking) void goOn()
      }),
  }

  async function goOn(): Promise<void> {
    isLooking = true
    // Calls that arrived in the same turn of the event loop are all here by then.
    await nextTurn()
    while (waiting.length > 0) await lookTogether(waiting.splice(0, mostTogether))
    isLooking = false
  }

  async function lookTogether(group: readonly Waiting[]): Promise<void> {
    const failed: Waiting[] = []
    const settle = async (one: Waiting, read: Write): Promise<void> => {
      try {
        one.resolve(await one.work(read))
      } catch (error) {
        if (group.length === 1) one.reject(error)
        else failed.push(one)
      }
    }
    try {
      await look(async (read) => void (await Promise.all(group.map((one) => settle(one, read)))))
    } catch (error) {
      // Settled ones hear nothing of it.
      if (group.length === 1) group[0]!.reject(error)
      else if (failed.length === 0) for (const one of group) one.reject(error)
    }
    await Promise.all(failed.map((one) => lookTogether([one])))
  }
}
