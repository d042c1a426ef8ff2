import { setTimeout as later } from 'node:timers/promises'
import { newId } from '#base/ids.ts'
import { errorKind } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { inEachPractice } from '../store/in-practice.ts'
import { claimOperation, freeLeases } from '../store/operations.ts'
import { dropKeptPieces, keptForMs } from '../store/pieces.ts'
import type { OperationKind, OperationRow } from '../store/operations.ts'
import type { CleanUp, JobPorts, Worker } from './run.ts'
import { leaseMs, runOperation } from './run.ts'
import { createWaiters } from './waiters.ts'

/** After the store itself failed, a full disk for one. */
const retryMs = 5_000

export interface Lane {
  readonly kind: OperationKind
  readonly worker: Worker
  readonly cleanUp: CleanUp
}

export interface Jobs {
  /** There is something new to do. */
  wake(): void
  /** True once the operation is over; false when `waitMs` have passed before. */
  settled(practice: string, operation: string, waitMs: number): Promise<boolean>
  /** Tells a running operation to stop. That it is cancelled is for the caller to store. */
  abort(operation: string): void
  close(): Promise<void>
}

/**
 * Long work. One lane per kind, so that a draft does not wait behind an hour of sound.
 *
 *   queued --claim--> running --finish--> succeeded | failed     (lease renewed while it runs)
 *      ^                 |  \--DELETE--> cancelled
 *      \---restart-------/   the lease of a process that is gone is free again; pieces already done are kept
 */
export async function startJobs(ports: JobPorts, lanes: readonly Lane[]): Promise<Jobs> {
  const { db, clock, log } = ports
  const owner = newId(clock)
  const closing = new AbortController()
  const running = new Map<string, AbortController>()
  const waiters = createWaiters(db)
  let bell = Promise.withResolvers<void>()

  await freeLeases(db)
  await inEachPractice(db, (write) => dropKeptPieces(write, new Date(clock.now() - keptForMs).toISOString()))
  const loops = lanes.map((lane) => loop(lane))
  return {
    wake,
    settled: waiters.settled,
    abort: (operation) => {
      running.get(operation)?.abort(new AppError('cancelled'))
      waiters.tell(operation)
    },
    close: async () => {
      closing.abort(new Error('closing'))
      wake()
      waiters.dismiss()
      await Promise.all(loops)
    },
  }

  function wake(): void {
    bell.resolve()
    bell = Promise.withResolvers<void>()
  }

  async function loop(lane: Lane): Promise<void> {
    while (!closing.signal.aborted) {
      const rung = bell.promise
      try {
        const operation = await db
          .transaction()
          .execute((write) => claimOperation(write, [lane.kind], owner, clock.now(), leaseMs))
        if (operation === null) await rung
        else await run(operation, lane)
      } catch (error) {
        log.error('jobs.store', { kind: lane.kind, error: errorKind(error) })
        await Promise.race([rung, later(retryMs, undefined, { ref: false })])
      }
    }
  }

  async function run(operation: OperationRow, lane: Lane): Promise<void> {
    const control = new AbortController()
    running.set(operation.id, control)
    try {
      await runOperation(ports, operation, lane, { cancel: control.signal, closing: closing.signal, owner })
    } finally {
      running.delete(operation.id)
      waiters.tell(operation.id)
    }
  }
}
