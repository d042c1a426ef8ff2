import { setTimeout as later } from 'node:timers/promises'
import { errorKind } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { createTurns } from '#service/kernel/turns.ts'
import type { PracticeWatch } from '../events/practice-watch.ts'
import { type OperationKind, type OperationRow, isOver } from '../store/operations.ts'
import { type CleanUp, type JobPort, type JobPorts, runOperation, type Worker } from './run.ts'
import { inPractice, readSnapshot } from '../store/in-practice.ts'
import type { Database } from '../store/tables.ts'

const RETRY_MS = 5_000

const pause = (ms: number): Promise<void> => later(ms, undefined, { ref: false })

export interface Lane {
  readonly kind: OperationKind
  readonly worker: Worker
  readonly cleanUp: CleanUp
  readonly width?: number
  readonly isOnePerPractice?: boolean
}

export type Jobs = Awaited<ReturnType<typeof startJobs>>

type Ports = JobPorts & { readonly watch: PracticeWatch }

/** Runs operations in separate lanes for each kind, so that a draft does not wait behind a long transcription. */
export async function startJobs(ports: Ports, port: JobPort, lanes: readonly Lane[]) {
  const { db, log } = ports
  const closing = new AbortController()
  const running = new Map<string, Running>()
  const waiters = createWaiters(db, port.lookAgainMs === null ? null : ports.watch)
  const take = takerOf(port, running)
  let bell = Promise.withResolvers<void>()

  port.listen({ work: wake, over: told })
  const loops = lanes.flatMap((lane) => Array.from({ length: lane.width ?? 1 }, () => loop(lane)))
  return {
    wake,
    settled: waiters.settled,
    abort: told,
    close: async () => {
      closing.abort(new Error('closing'))
      wake()
      waiters.dismiss()
      await Promise.all(loops)
    },
    disconnect: port.close,
  }

  function told(operation: string): void {
    running.get(operation)?.control.abort(new AppError('cancelled'))
    waiters.tell(operation)
  }

  function wake(): void {
    bell.resolve()
    bell = Promise.withResolvers<void>()
  }

  async function loop(lane: Lane): Promise<void> {
    while (!closing.signal.aborted) {
      const rung = bell.promise
      try {
        const operation = await take(lane)
        if (operation === null) await (port.lookAgainMs === null ? rung : Promise.race([rung, pause(port.lookAgainMs)]))
        else await run(operation, lane)
      } catch (error) {
        log.error('jobs.store', { kind: lane.kind, error: errorKind(error) })
        await Promise.race([rung, pause(RETRY_MS)])
      }
    }
  }

  async function run(operation: OperationRow, lane: Lane): Promise<void> {
    const control = running.get(operation.id)?.control ?? new AbortController()
    try {
      await runOperation(ports, operation, lane, { control, closing: closing.signal, port })
    } finally {
      running.delete(operation.id)
      waiters.tell(operation.id)
    }
  }
}

interface Running {
  readonly control: AbortController
  readonly kind: OperationKind
  readonly practice: string
}

/** Claims one operation at a time per kind, so that the next claim counts this one as running. Practices take turns. */
function takerOf(port: JobPort, running: Map<string, Running>) {
  const inTurn = createTurns()
  const served = new Map<OperationKind, Set<string>>()

  return ({ kind, isOnePerPractice = false }: Lane): Promise<OperationRow | null> =>
    inTurn(kind, async () => {
      const busy = new Set(running.keys())
      const here = isOnePerPractice ? [...running.values()].filter((each) => each.kind === kind) : []
      const atWork = here.map(({ practice }) => practice)
      const round = served.get(kind) ?? new Set<string>()
      const claim = (except: Iterable<string>) => port.claim(kind, { busy, except: new Set(except), isOnePerPractice })
      let operation = await claim([...round, ...atWork])
      if (operation === null && round.size > 0) {
        round.clear()
        operation = await claim(atWork)
      }
      if (operation === null) return null
      served.set(kind, round.add(operation.practice_id))
      running.set(operation.id, { control: new AbortController(), kind, practice: operation.practice_id })
      return operation
    })
}

/** @param watch fallback for lost notifications; null if none can be lost */
function createWaiters(db: Database, watch: PracticeWatch | null) {
  const waiting = new Map<string, Set<() => void>>()
  let isDismissed = false
  const isEnded = (practice: string, operation: string): Promise<boolean> =>
    readSnapshot(db, practice, (read) => isEndedIn(read, operation))
  return {
    tell: (operation: string) => {
      for (const listener of waiting.get(operation) ?? []) listener()
    },
    dismiss: () => {
      isDismissed = true
      for (const listeners of waiting.values()) for (const listener of listeners) listener()
    },
    async settled(practice: string, operation: string, waitMs: number) {
      const ended = Promise.withResolvers<void>()
      const listeners = waiting.get(operation) ?? new Set()
      waiting.set(operation, listeners.add(ended.resolve))
      const timer = new AbortController()
      try {
        if (await isEnded(practice, operation)) return true
        if (isDismissed) return false
        const late = later(waitMs, undefined, { signal: timer.signal, ref: false }).catch(() => {})
        if (watch === null) await Promise.race([ended.promise, late])
        else await Promise.race([ended.promise, late, endSeen(watch, practice, operation, timer.signal)])
        return await inPractice(db, practice, (read) => isEndedIn(read, operation))
      } finally {
        timer.abort()
        listeners.delete(ended.resolve)
        if (listeners.size === 0) waiting.delete(operation)
      }
    },
  }

  async function endSeen(watch: PracticeWatch, practice: string, operation: string, signal: AbortSignal): Promise<void> {
    const follower = watch.follow(practice)
    try {
      for (let seen: number | null = null; !signal.aborted;) {
        if (!(await follower.until(({ work_steps }) => work_steps !== seen, signal))) continue
        seen = follower.state()?.work_steps ?? null
        if (await isEnded(practice, operation).catch(() => false)) return
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      follower.end()
    }
  }
}

async function isEndedIn(read: Database, operation: string): Promise<boolean> {
  const row = await read.selectFrom('operations').select('status').where('id', '=', operation).executeTakeFirst()
  return row !== undefined && isOver(row.status)
}
