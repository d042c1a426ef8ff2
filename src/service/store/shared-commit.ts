import { sql } from 'kysely'
import { gathered } from './gathered.ts'
import type { Write } from './tables.ts'

/** More than this wait for a commit of their own, so that none waits long for the others. */
const MAX_TOGETHER = 32
/** After one that failed so many groups are careful, so that where many fail few are begun twice. */
const CAREFUL_GROUPS = 8

/** `isCareful` is false where a mistake costs no more than being called again, carefully. */
export type Work<Result = unknown> = (write: Write, isCareful: boolean) => Promise<Result>

interface Waiting {
  readonly work: Work
  readonly mayHurry: boolean
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly result: unknown } | { readonly error: unknown }

export interface SharedCommit {
  /**
   * As if alone in a transaction: what it did stands or falls by itself, and is durable when this settles.
   *
   * @param mayHurry it touches nothing but its transaction, so that it may run once more where something failed
   */
  add<Result>(work: Work<Result>, mayHurry?: boolean): Promise<Result>
}

interface Rules {
  /** Begins a transaction, runs what it is given and commits; it may run it again. */
  readonly transaction: (work: (write: Write) => Promise<Outcome[]>, isCareful: boolean) => Promise<Outcome[]>
  /** Such an error ends the whole transaction, not the one work that met it. */
  readonly isForAll: (error: unknown) => boolean
  /** Told where a work of a transaction that goes on was undone. */
  readonly onUndone?: (write: Write) => void
  /** Such an error is not worth another try, with care or without. */
  readonly isHopeless?: (error: unknown) => boolean
  /** Such an error is also the answer of those that wait for the next transaction: they would wait as long for the same. */
  readonly isForWaiting?: (error: unknown) => boolean
}

/**
 * What waits for the disk at the same time waits once: the works that are there go one after the other into one
 * transaction and are answered when it is committed. One that fails is undone alone.
 */
export function shareCommits(rules: Rules): SharedCommit {
  const waiting: Waiting[] = []
  let isWorking = false
  let careful = 0
  return {
    add: (work, mayHurry = false) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, mayHurry, resolve: resolve as (result: unknown) => void, reject })
        if (!isWorking) void goOn()
      }),
  }

  async function goOn(): Promise<void> {
    isWorking = true
    while (waiting.length > 0) {
      await gathered(waiting, MAX_TOGETHER)
      await commitTogether(waiting.splice(0, MAX_TOGETHER))
    }
    isWorking = false
  }

  async function commitTogether(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = (await inHaste(group)) ?? (await withCare(group, rules))
      for (const [index, outcome] of outcomes.entries()) {
        if ('error' in outcome) group[index]!.reject(outcome.error)
        else group[index]!.resolve(outcome.result)
      }
    } catch (error) {
      const behind = rules.isForWaiting?.(error) === true ? waiting.splice(0) : []
      for (const { reject } of [...group, ...behind]) reject(error)
    }
  }

  /** As nearly always none fails. Null where one did: nothing of it stands then. */
  async function inHaste(group: readonly Waiting[]): Promise<Outcome[] | null> {
    if (!group.every(({ mayHurry }) => mayHurry)) return null
    if (careful > 0) {
      careful -= 1
      return null
    }
    try {
      return await rules.transaction(async (write) => {
        const reached: Outcome[] = []
        for (const { work } of group) reached.push({ result: await orCarefully(work(write, false), rules) })
        return reached
      }, false)
    } catch (error) {
      if (!(error instanceof CareNeeded)) throw error
      careful = CAREFUL_GROUPS
      return null
    }
  }
}

async function orCarefully(result: Promise<unknown>, { isForAll, isHopeless }: Rules): Promise<unknown> {
  try {
    return await result
  } catch (error) {
    throw isForAll(error) || isHopeless?.(error) ? error : new CareNeeded()
  }
}

function withCare(group: readonly Waiting[], rules: Rules): Promise<Outcome[]> {
  const [first] = group
  return rules.transaction(async (write) => {
    if (first !== undefined && group.length === 1) return [{ result: await first.work(write, true) }]
    const reached: Outcome[] = []
    for (const { work } of group) reached.push(await behindSavepoint(write, work, rules))
    return reached
  }, true)
}

async function behindSavepoint(write: Write, work: Work, { isForAll, onUndone }: Rules): Promise<Outcome> {
  await sql`savepoint one_of_many`.execute(write)
  try {
    const result = await work(write, true)
    await sql`release savepoint one_of_many`.execute(write)
    return { result }
  } catch (error) {
    if (isForAll(error)) throw error
    // Where the transaction itself is gone this fails too, and everybody is told.
    await sql`rollback to savepoint one_of_many`.execute(write)
    await sql`release savepoint one_of_many`.execute(write)
    onUndone?.(write)
    return { error }
  }
}

/** Something failed in haste, and nothing was committed. Also thrown by the driver. */
export class CareNeeded extends Error {
  override readonly name = 'CareNeeded'
}
