import { AppError } from '#contract/errors.ts'
import type { Clock } from '#base/clock.ts'
import { errorKind } from '#base/log.ts'
import { isWork, type StoredIntent } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import type { Step, SyncPorts } from './sync-loop.ts'
import { announced, backoff, type Waits } from './waits.ts'

export type Outcome = { readonly step: Step } | { readonly error: unknown }
export interface Attempt {
  readonly intent: StoredIntent
  readonly abort: AbortController
}

const MAX_ATTEMPTS = 8
/** Fewer attempts, because the therapist waits for the work and each attempt takes long. */
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
    // If the work itself failed, the service reported the failure, so the service is reachable.
    if (!isOver) {
      this.isReachable = code !== 'service-unreachable'
      if (this.#waits.accept(error, intent.kind)) {
        // Running work is polled even if its kind rests, so it needs the announced delay.
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

interface Wait {
  readonly until: number
  readonly polls: number
  readonly bugs: number
}

const pollInterval = (polls: number): number => Math.min(2000, Math.round(200 * 1.5 ** polls))

/** Retry times of individual intents. `polls` and `bugs` count until the intent is done, so an entry outlives its time. */
export class Deferred {
  readonly #clock: Clock
  readonly #random: () => number
  readonly #waits = new Map<string, Wait>()

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  retryIn(id: string, ms: number): void {
    this.#waits.set(id, { until: this.#clock.elapsed() + ms, polls: -1, bugs: 0 })
  }

  pollLater(id: string): void {
    const polls = (this.#waits.get(id)?.polls ?? -1) + 1
    this.#waits.set(id, { until: this.#clock.elapsed() + pollInterval(polls), polls, bugs: 0 })
  }

  pollIn(id: string, ms: number): void {
    const polls = this.#waits.get(id)?.polls ?? 0
    this.#waits.set(id, { until: this.#clock.elapsed() + ms, polls: Math.max(0, polls), bugs: 0 })
  }

  /** A bug may fail every poll, so back off. Returns false after `most` failures in a row. */
  pollAfterBug(id: string, most: number): boolean {
    const before = this.#waits.get(id)
    const bugs = (before?.bugs ?? 0) + 1
    if (bugs >= most) return false
    const until = this.#clock.elapsed() + backoff(bugs - 1, this.#random)
    this.#waits.set(id, { until, polls: before?.polls ?? 0, bugs })
    return true
  }

  held(now: number, outbox: Pick<Outbox, 'find'>): string[] {
    const held = []
    for (const [id, { until }] of this.#waits) {
      if (until > now) held.push(id)
      else if (outbox.find(id) === null) this.#waits.delete(id)
    }
    return held
  }

  nextEnd(now: number = this.#clock.elapsed()): number | null {
    const ends = [...this.#waits.values()].map(({ until }) => until).filter((until) => until > now)
    return ends.length === 0 ? null : Math.min(...ends)
  }

  endsIn(id: string): number | null {
    const wait = this.#waits.get(id)
    const ms = wait === undefined || wait.polls >= 0 ? 0 : wait.until - this.#clock.elapsed()
    return ms > 0 ? ms : null
  }

  get isPolling(): boolean {
    return [...this.#waits.values()].some(({ polls }) => polls >= 0)
  }

  delete(id: string): void {
    this.#waits.delete(id)
  }

  clear(): void {
    this.#waits.clear()
  }
}
