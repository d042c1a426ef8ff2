import { sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Write } from './tables.ts'

const MAX_BATCH = 32
const PESSIMISTIC_BATCHES = 8

/** `isPessimistic` is false on the optimistic path, where most failures lead to a retry on the pessimistic path. */
export type Work<Result = unknown> = (write: Write, isPessimistic: boolean) => Promise<Result>

type Waiting = Queued<{ readonly work: Work; readonly mayRetry: boolean }>

type Outcome = { readonly result: unknown } | { readonly error: unknown }

export interface GroupCommit {
  /** `mayRetry`: `work` has no effects outside the transaction, so the optimistic path may run it first. */
  add<Result>(work: Work<Result>, mayRetry?: boolean): Promise<Result>
}

interface Rules {
  readonly transaction: (work: (write: Write) => Promise<Outcome[]>, isPessimistic: boolean) => Promise<Outcome[]>
  readonly endsTransaction: (error: unknown) => boolean
  readonly onRollback?: (write: Write) => void
  readonly isPermanent?: (error: unknown) => boolean
  readonly endsQueue?: (error: unknown) => boolean
}

/**
 * Group commit: calls that arrive together run in one transaction and share its fsync. A pessimistic batch of several calls puts
 * each one behind a savepoint, so that most failures undo only one call.
 */
export function openGroupCommit(rules: Rules): GroupCommit {
  let pessimisticLeft = 0
  const { waiting, add } = openBatches<{ work: Work; mayRetry: boolean }>(commitBatch)
  return { add: <Result>(work: Work<Result>, mayRetry = false) => add<Result>({ work, mayRetry }) }

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
    // If the whole transaction has failed, this rollback fails too, and so does every call of the batch.
    await sql`rollback to savepoint one_of_many`.execute(write)
    await sql`release savepoint one_of_many`.execute(write)
    onRollback?.(write)
    return { error }
  }
}

/** This error makes an optimistic batch roll back and run pessimistically. Calls and the PostgreSQL driver can throw it too. */
export class RetryPessimistic extends Error {
  override readonly name = 'RetryPessimistic'
}

type Queued<Item> = Item & {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

function openBatches<Item>(run: (batch: readonly Queued<Item>[]) => Promise<void>) {
  const waiting: Queued<Item>[] = []
  let isDraining = false
  const drain = async (): Promise<void> => {
    isDraining = true
    while (waiting.length > 0) {
      await collectBatch(waiting)
      await run(waiting.splice(0, MAX_BATCH))
    }
    isDraining = false
  }
  const add = <Result>(item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ ...item, resolve: resolve as (result: unknown) => void, reject })
      if (!isDraining) void drain()
    })
  return { waiting, add }
}

/** Resolves when a turn of the event loop adds no entries (requests that arrive together take several) or the batch is full. */
async function collectBatch(waiting: readonly unknown[]): Promise<void> {
  for (let known = 0; known < waiting.length && waiting.length < MAX_BATCH;) {
    known = waiting.length
    await nextTurn()
  }
}

type Read = (read: Write) => Promise<unknown>
type WaitingRead = Queued<{ readonly work: Read }>

export interface SnapshotReads {
  add<Result>(work: (read: Write) => Promise<Result>): Promise<Result>
}

interface ReadRules {
  readonly transaction: (work: (read: Write) => Promise<void>) => Promise<void>
  readonly isRetryable: (error: unknown) => boolean
  readonly isUnreachable: (error: unknown) => boolean
}

const MAX_TRIES = 4

/**
 * A failed statement aborts the transaction of the whole batch. Unanswered reads of the batch are then retried one by one, unless
 * the database is unreachable. A read that ran alone is retried only after a serialization failure.
 */
export function openSnapshotReads(rules: ReadRules): SnapshotReads {
  const { add } = openBatches<{ work: Read }>((batch) => readBatch(batch, rules))
  return { add: <Result>(work: (read: Write) => Promise<Result>) => add<Result>({ work }) }
}

async function readBatch(batch: readonly WaitingRead[], rules: ReadRules, tries = 1): Promise<void> {
  const open = new Map<WaitingRead, unknown>(batch.map((one) => [one, null]))
  const settle = async (one: WaitingRead, read: Write): Promise<void> => {
    try {
      one.resolve(await one.work(read))
      open.delete(one)
    } catch (error) {
      open.set(one, error)
    }
  }
  try {
    await rules.transaction(async (read) => void (await Promise.all(batch.map((one) => settle(one, read)))))
    for (const [{ reject }, error] of open) reject(error)
  } catch (ended) {
    const retries = [...open].filter(([, error]) => mayRetry(error ?? ended))
    for (const [one, error] of open) if (!retries.some(([other]) => other === one)) one.reject(error ?? ended)
    // Retry one at a time, so that a large batch does not take every connection.
    for (const [one] of retries) await readBatch([one], rules, batch.length > 1 ? 1 : tries + 1)
  }

  function mayRetry(error: unknown): boolean {
    if (batch.length === 1) return tries < MAX_TRIES && rules.isRetryable(error)
    return rules.isRetryable(error) || !rules.isUnreachable(error)
  }
}
