import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Write } from './tables.ts'

/** More than this wait for a commit of their own, so that none waits long for the others. */
const mostTogether = 32

interface Waiting {
  readonly work: (write: Write) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly result: unknown } | { readonly error: unknown }

export interface SharedCommit {
  /** As if alone in a transaction: what it did stands or falls by itself, and is durable when this settles. */
  add<Result>(work: (write: Write) => Promise<Result>): Promise<Result>
}

/**
 * What waits for the disk at the same time waits once: the works that are there go one after the other into one
 * transaction, each behind a savepoint, and are answered when it is committed. One that fails is undone alone.
 *
 * `transaction` begins one, runs what it is given and commits; it may run it again. An error that `isForAll` ends the
 * whole transaction, not the one work that met it. `onUndone` is told where a work of a transaction that goes on was
 * undone.
 */
export function shareCommits(
  transaction: (work: (write: Write) => Promise<Outcome[]>) => Promise<Outcome[]>,
  isForAll: (error: unknown) => boolean,
  onUndone: (write: Write) => void = () => {},
): SharedCommit {
  const waiting: Waiting[] = []
  let isWorking = false
  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
        if (!isWorking) void goOn()
      }),
  }

  async function goOn(): Promise<void> {
    isWorking = true
    // Calls that arrived in the same turn of the event loop are all here by then.
    await nextTurn()
    while (waiting.length > 0) await commitTogether(waiting.splice(0, mostTogether))
    isWorking = false
  }

  async function commitTogether(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await transaction(async (write) => {
        if (group.length === 1) return [{ result: await group[0]!.work(write) }]
        const reached: Outcome[] = []
        for (const { work } of group) reached.push(await behindSavepoint(write, work))
        return reached
      })
      for (const [index, outcome] of outcomes.entries()) {
        if ('error' in outcome) group[index]!.reject(outcome.error)
        else group[index]!.resolve(outcome.result)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async function behindSavepoint(write: Write, work: Waiting['work']): Promise<Outcome> {
    await sql`savepoint one_of_many`.execute(write)
    try {
      const result = await work(write)
      await sql`release savepoint one_of_many`.execute(write)
      return { result }
    } catch (error) {
      if (isForAll(error)) throw error
      // Where the transaction itself is gone this fails too, and everybody is told.
      await sql`rollback to savepoint one_of_many`.execute(write)
      await sql`release savepoint one_of_many`.execute(write)
      onUndone(write)
      return { error }
    }
  }
}
