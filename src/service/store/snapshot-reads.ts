import { collectBatch } from './group-commit.ts'
import type { Write } from './tables.ts'

const MAX_BATCH = 32

interface Waiting {
  readonly work: (read: Write) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

export interface SnapshotReads {
  add<Result>(work: (read: Write) => Promise<Result>): Promise<Result>
}

interface Rules {
  readonly transaction: (work: (read: Write) => Promise<void>) => Promise<void>
  readonly isRetryable: (error: unknown) => boolean
  readonly isUnreachable: (error: unknown) => boolean
}

const MAX_TRIES = 4

/** A failed statement aborts the transaction for the whole batch; each unanswered read then retries in its own transaction. */
export function openSnapshotReads(rules: Rules): SnapshotReads {
  const waiting: Waiting[] = []
  let isDraining = false
  return {
    add: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (result: unknown) => void, reject })
        if (!isDraining) void drain()
      }),
  }

  async function drain(): Promise<void> {
    isDraining = true
    while (waiting.length > 0) {
      await collectBatch(waiting, MAX_BATCH)
      await readBatch(waiting.splice(0, MAX_BATCH), rules)
    }
    isDraining = false
  }
}

async function readBatch(batch: readonly Waiting[], rules: Rules, tries = 1): Promise<void> {
  const open = new Map<Waiting, unknown>(batch.map((one) => [one, null]))
  const settle = async (one: Waiting, read: Write): Promise<void> => {
    try {
      one.resolve(await one.work(read))
      open.delete(one)
    } catch (error) {
      open.set(one, error)
    }
  }
  try {
    await rules.transaction(async (read) => void (await Promise.all(batch.map((one) => settle(one, read)))))
    // No statement failed, so the callers' own code threw the remaining errors.
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
