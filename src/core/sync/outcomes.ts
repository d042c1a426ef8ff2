import { AppError } from '#contract/errors.ts'
import { errorKind } from '#base/log.ts'
import { isWork, type StoredIntent } from '#core/outbox/intents.ts'
import type { Step, SyncPorts } from './sync-loop.ts'
import { announced, backoff, type Deferred, type Waits } from './waits.ts'

export type Outcome = { readonly step: Step } | { readonly error: unknown }
export interface Attempt {
  readonly intent: StoredIntent
  readonly abort: AbortController
}

const MAX_ATTEMPTS = 8
/** Fewer attempts for long-running work, because the therapist waits for it and each attempt takes long. */
const MAX_WORK_ATTEMPTS = 3

type Ports = Pick<SyncPorts, 'outbox' | 'log' | 'random' | 'complete' | 'giveUp'>

export class Outcomes {
  readonly #ports: Ports
  readonly #deferred: Deferred
  readonly #waits: Waits
  yielded: string | null = null
  isReachable = true

  constructor(ports: Ports, deferred: Deferred, waits: Waits) {
    this.#ports = ports
    this.#deferred = deferred
    this.#waits = waits
  }

  settle({ intent, abort }: Attempt, outcome: Outcome): void {
    const { outbox } = this.#ports
    try {
      if ('error' in outcome) throw outcome.error
      this.#accept(intent, outcome.step)
      this.isReachable = true
      this.#waits.answered()
    } catch (error) {
      if (!abort.signal.aborted && outbox.find(intent.id) !== null) this.#fail(intent, this.#errorOf(error))
    }
  }

  #accept(intent: StoredIntent, step: Step): void {
    const { outbox, complete } = this.#ports
    if (step.state === 'done') {
      this.#deferred.delete(intent.id)
      complete(intent, step)
    } else if (step.state === 'polling') {
      this.#deferred.pollLater(intent.id)
      if (intent.operation_id !== step.operation_id) outbox.poll(intent.id, step.operation_id)
    } else if (step.state === 'later') {
      this.yielded = intent.id
      this.#deferred.retryIn(intent.id, step.after_ms)
      if (step.code !== intent.error) outbox.held(intent.id, step.code)
    } else {
      outbox.renew(intent.id)
      this.#fail(intent, new AppError(step.code), true)
    }
  }

  #fail(intent: StoredIntent, error: AppError, isOver = false): void {
    const { outbox, giveUp, random } = this.#ports
    const { code, retrySeconds } = error
    const isPolled = intent.state === 'polling' && !isOver
    // If the work itself failed (`isOver`), the service reported the failure, so the service is reachable.
    if (!isOver) {
      this.isReachable = code !== 'service-unreachable'
      if (this.#waits.accept(error, intent.kind)) {
        // Running work is polled even while its kind waits for the quota, so use the announced delay.
        if (isPolled && retrySeconds !== undefined) this.#deferred.pollIn(intent.id, announced(retrySeconds, random))
        return outbox.unreached(intent.id, code)
      }
    }
    const mayWorkLater = code === 'internal' || error.retryable
    if (isPolled && code === 'internal' && this.#deferred.pollAfterBug(intent.id, MAX_ATTEMPTS)) return
    if (isPolled && code !== 'internal' && mayWorkLater) return this.#deferred.pollLater(intent.id)
    if (!isPolled && mayWorkLater && intent.attempts + 1 < (isWork(intent) ? MAX_WORK_ATTEMPTS : MAX_ATTEMPTS)) {
      const guessed = backoff(intent.attempts, random)
      outbox.attempted(intent.id, code)
      this.#deferred.retryIn(intent.id, retrySeconds === undefined ? guessed : Math.max(guessed, announced(retrySeconds, random)))
      return
    }
    this.#deferred.delete(intent.id)
    giveUp(intent, code)
  }

  #errorOf(error: unknown): AppError {
    if (error instanceof AppError) return error
    this.#ports.log.error('sync.bug', { kind: errorKind(error) })
    return new AppError('internal')
  }
}
