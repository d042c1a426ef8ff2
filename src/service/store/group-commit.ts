import { sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Write } from './tables.ts'

const MAX_BATCH = 32
const PESSIMISTIC_BATCHES = 8

/** `isPessimistic` is false on the optimistic path, where a failure leads to a retry on the pessimistic path. */
export type Work<Result = unknown> = (write: Write, isPessimistic: boolean) => Promise<Result>

interface Waiting {
  readonly work: Work
  readonly mayRetry: boolean
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly result: unknown } | { readonly error: unknown }

export interface GroupCommit {
  /** `mayRetry`: `work` has no effects outside the transaction, so it can be retried on the pessimistic path. */
  add<Result>(work: Work<Result>, mayRetry?: boolean): Promise<Result>
}

interface Rules {
  /** Begins a transaction, runs `work`, and commits. May run `work` again. */
  readonly transaction: (work: (write: Write) => Promise<Outcome[]>, isPessimistic: boolean) => Promise<Outcome[]>
  readonly endsTransaction: (error: unknown) => boolean
  readonly onRollback?: (write: Write) => void
  readonly isPermanent?: (error: unknown) => boolean
  /** For an error that the calls of the next batch would only repeat, such as a lock timeout. */
  readonly endsQueue?: (error: unknown) => boolean
}

/**
 * Group commit: calls that arrive together run in one transaction and share its fsync. A pessimistic batch puts each call behind
 * a savepoint, so a failure undoes only that call.
 */
export function openGroupCommit(rules: Rules): GroupCommit {
  const waiting: Waiting[] = []
  let isDraining = false
  let pessimisticLeft = 0
  return {
    add: (work, mayRetry = false) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, mayRetry, resolve: resolve as (result: unknown) => void, reject })
        if (!isDraining) void drain()
      }),
  }

  async function drain(): Promise<void> {
    isDraining = true
    while (waiting.length > 0) {
      await collectBatch(waiting, MAX_BATCH)
      await commitBatch(waiting.splice(0, MAX_BATCH))
    }
    isDraining = false
  }

  async function commitBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = (await tryOptimistic(batch)) ?? (await runPessimistic(batch, rules))
      for (const [index, outcome] of outcomes.entries()) {
        if ('error' in outcome) batch[index]!.reject(outcome.error)
        else batch[index]!.resolve(outcome.result)
      }
    } catch (error) {
      const queued = rules.endsQueue?.(error) === true ? waiting.splice(0) : []
      for (const { reject } of [...batch, ...queued]) reject(error)
    }
  }

  async function tryOptimistic(batch: readonly Waiting[]): Promise<Outcome[] | null> {
    if (!batch.every(({ mayRetry }) => mayRetry)) return null
    if (pessimisticLeft > 0) {
      pessimisticLeft -= 1
      return null
    }
    try {
      return await rules.transaction(async (write) => {
        const outcomes: Outcome[] = []
        for (const { work } of batch) outcomes.push({ result: await orRetry(work(write, false), rules) })
        return outcomes
      }, false)
    } catch (error) {
      if (!(error instanceof RetryPessimistic)) throw error
      pessimisticLeft = PESSIMISTIC_BATCHES
      return null
    }
  }
}

async function orRetry(result: Promise<unknown>, { endsTransaction, isPermanent }: Rules): Promise<unknown> {
  try {
    return await result
  } catch (error) {
    throw endsTransaction(error) || isPermanent?.(error) ? error : new RetryPessimistic()
  }
}

function runPessimistic(batch: readonly Waiting[], rules: Rules): Promise<Outcome[]> {
  const [first] = batch
  return rules.transaction(async (write) => {
    if (first !== undefined && batch.length === 1) return [{ result: await first.work(write, true) }]
    const outcomes: Outcome[] = []
    for (const { work } of batch) outcomes.push(await withSavepoint(write, work, rules))
    return outcomes
  }, true)
}

async function withSavepoint(write: Write, work: Work, { endsTransaction, onRollback }: Rules): Promise<Outcome> {
  await sql`savepoint one_of_many`.execute(write)
  try {
    const result = await work(write, true)
    await sql`release savepoint one_of_many`.execute(write)
    return { result }
  } catch (error) {
    if (endsTransaction(error)) throw error
    // If the whole transaction has failed, this throws too, and so does every call of the batch.
    await sql`rollback to savepoint one_of_many`.execute(write)
    await sql`release savepoint one_of_many`.execute(write)
    onRollback?.(write)
    return { error }
  }
}

/** Makes an optimistic batch roll back and run pessimistically. Also thrown by calls and by the PostgreSQL driver. */
export class RetryPessimistic extends Error {
  override readonly name = 'CareNeeded'
}

/** Resolves when a turn of the event loop adds no more entries: requests that arrive together take several turns. */
export async function collectBatch(waiting: readonly unknown[], most: number): Promise<void> {
  for (let known = 0; known < waiting.length && waiting.length < most;) {
    known = waiting.length
    await nextTurn()
  }
}
