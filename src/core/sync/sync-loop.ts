import { setImmediate } from 'node:timers/promises'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '#contract/errors.ts'
import { isWork, type StoredIntent } from './intents.ts'
import type { Outbox } from './outbox.ts'

export type Step =
  | { readonly state: 'done'; readonly apply: () => void }
  | { readonly state: 'polling'; readonly operation_id: string }
  /** A part of it is done, or it waits for what is no failure (`code` says what): others first, then it goes on. */
  | { readonly state: 'later'; readonly after_ms: number; readonly code: ErrorCode | null }
  /** Long work that ended without a result; asking again needs a new key. */
  | { readonly state: 'failed'; readonly code: ErrorCode }

export interface SyncPorts {
  readonly outbox: Outbox
  readonly log: Log
  readonly elapsed: () => number
  /** Resolves after the time, or as soon as the signal is aborted. */
  readonly wait: (ms: number | null, signal: AbortSignal) => Promise<void>
  readonly send: (intent: StoredIntent, signal: AbortSignal) => Promise<Step>
  /** Applies an answer and removes the intent, in one transaction. */
  readonly complete: (intent: StoredIntent, step: Step & { state: 'done' }) => void
  readonly giveUp: (intent: StoredIntent, code: ErrorCode) => void
}

const mostAttempts = 8
/** Somebody waits for it, and each attempt takes long. */
const mostWorkAttempts = 3
const noService: ReadonlySet<ErrorCode> = new Set(['service-unreachable', 'quota-exceeded', 'unauthenticated'])

const backoff = (attempts: number): number => Math.min(60_000, 1000 * 2 ** attempts)
const pollInterval = (polls: number): number => Math.min(2000, Math.round(200 * 1.5 ** polls))

/**
 *             added, retried, settings changed
 *        +---------------------------------------+
 *        v                                       |
 *   +---------+   nothing is due   +---------+   |
 *   | sending | -----------------> | waiting | --+
 *   +---------+ <----------------- +---------+
 *        |  ^      time is up
 *  empty |  | added
 *        v  |
 *   +---------+
 *   |  idle   |
 *   +---------+
 *
 * One intent at a time, in order. An answer and the end of its intent are one transaction; until then the intent stands
 * and is sent again, under the same idempotency key, also after a crash. How an attempt ends:
 *   answered          -> applied and removed
 *   a part of it      -> others first, then it goes on, or after the time it names
 *   long work         -> asked about again, at growing intervals; others go on meanwhile; failing at every answer, needs_you
 *   no service        -> the whole loop waits, longer each time
 *   may work later    -> this intent and what follows from it wait; others go on
 *   will never work   -> needs_you, with its code; others go on
 */
export class SyncLoop {
  readonly #ports: SyncPorts
  /** Intents that wait, until when (monotonic), how often their work was asked about and how often that failed in a row. */
  readonly #deferred = new Map<string, { until: number; polls: number; bugs: number }>()
  /** Did a part of it, and lets all others go first that are not of its kind. */
  #yielded: string | null = null
  #state: 'idle' | 'sending' | 'waiting' = 'idle'
  #pausedUntil = 0
  #failures = 0
  #isReachable = true
  #isStopping = false
  #sleeper = new AbortController()
  #attempt: { id: string; abort: AbortController } | null = null
  #running: Promise<void> | null = null

  constructor(ports: SyncPorts) {
    this.#ports = ports
    ports.outbox.onChange((isNew) => {
      if (isNew) this.#sleeper.abort()
    })
  }

  get state(): 'idle' | 'sending' | 'waiting' {
    return this.#state
  }

  get isReachable(): boolean {
    return this.#isReachable
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Ends after the attempt at hand, which is aborted. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#attempt?.abort.abort()
    this.#sleeper.abort()
    await this.#running
  }

  /** Forgets what it was waiting for. */
  wake(): void {
    this.#deferred.clear()
    this.#pausedUntil = 0
    this.#failures = 0
    this.#sleeper.abort()
  }

  /** Aborts the attempt at this intent, if it is the one at hand. */
  abandon(id: string): void {
    this.#deferred.delete(id)
    if (this.#attempt?.id === id) this.#attempt.abort.abort()
  }

  async #run(): Promise<void> {
    const { elapsed, wait } = this.#ports
    while (!this.#isStopping) {
      this.#sleeper = new AbortController()
      // Read once: what is due between two readings would be neither sent nor waited for.
      const now = elapsed()
      const held = this.#held(now)
      const intent = this.#pausedUntil > now ? null : this.#choose(held.map(({ id }) => id))
      if (intent !== null) {
        this.#state = 'sending'
        await this.#attemptOne(intent)
        // The embedded service answers without ever waiting; a window's calls must still get their turn.
        await setImmediate()
      } else {
        const times = [...held.map(({ until }) => until), this.#pausedUntil].filter((until) => until > now)
        this.#state = times.length === 0 ? 'idle' : 'waiting'
        await wait(times.length === 0 ? null : Math.min(...times) - now, this.#sleeper.signal)
      }
    }
  }

  #choose(held: readonly string[]): StoredIntent | null {
    const first = this.#ports.outbox.next(held)
    if (first === null || first.id !== this.#yielded) return first
    return this.#ports.outbox.next(held, first.kind) ?? first
  }

  /** What waits still; an intent whose time has come keeps its count until it is done. */
  #held(now: number): { id: string; until: number }[] {
    const { outbox } = this.#ports
    const held = []
    for (const [id, { until }] of this.#deferred) {
      if (until > now) held.push({ id, until })
      else if (outbox.find(id) === null) this.#deferred.delete(id)
    }
    return held
  }

  async #attemptOne(intent: StoredIntent): Promise<void> {
    const { outbox, send } = this.#ports
    const abort = new AbortController()
    this.#attempt = { id: intent.id, abort }
    if (this.#yielded === intent.id) this.#yielded = null
    outbox.begin(intent.id)
    try {
      this.#take(intent, await send(intent, abort.signal))
      this.#isReachable = true
      this.#failures = 0
    } catch (error) {
      // Cancelled meanwhile, or the core is closing: nobody waits for the outcome.
      if (!this.#isStopping && outbox.find(intent.id) !== null) this.#fail(intent, this.#codeOf(error))
    } finally {
      this.#attempt = null
      outbox.end()
    }
  }

  #take(intent: StoredIntent, step: Step): void {
    const { outbox, complete } = this.#ports
    if (step.state === 'done') {
      this.#deferred.delete(intent.id)
      complete(intent, step)
    } else if (step.state === 'polling') {
      this.#askLater(intent)
      if (intent.operation_id !== step.operation_id) outbox.poll(intent.id, step.operation_id)
    } else if (step.state === 'later') {
      this.#yielded = intent.id
      this.#deferred.set(intent.id, { until: this.#ports.elapsed() + step.after_ms, polls: -1, bugs: 0 })
      if (step.code !== intent.error) outbox.held(intent.id, step.code)
    } else {
      outbox.renew(intent.id)
      this.#fail(intent, step.code, true)
    }
  }

  /** Also after a question that failed: the work itself goes on. */
  #askLater(intent: StoredIntent): void {
    const polls = (this.#deferred.get(intent.id)?.polls ?? -1) + 1
    this.#deferred.set(intent.id, { until: this.#ports.elapsed() + pollInterval(polls), polls, bugs: 0 })
  }

  /** A bug on either side may be there at every answer: asked about less and less often, then no more. False: no more. */
  #askAfterBug(intent: StoredIntent): boolean {
    const before = this.#deferred.get(intent.id)
    const bugs = (before?.bugs ?? 0) + 1
    if (bugs >= mostAttempts) return false
    this.#deferred.set(intent.id, { until: this.#ports.elapsed() + backoff(bugs - 1), polls: before?.polls ?? 0, bugs })
    return true
  }

  #fail(intent: StoredIntent, code: ErrorCode, isOver = false): void {
    const { outbox, elapsed, giveUp } = this.#ports
    this.#isReachable = code !== 'service-unreachable'
    if (noService.has(code)) {
      outbox.unreached(intent.id, code)
      this.#pausedUntil = elapsed() + backoff(this.#failures)
      this.#failures += 1
      return
    }
    const mayWorkLater = code === 'internal' || new AppError(code).retryable
    const isAskedAbout = intent.state === 'polling' && !isOver
    if (isAskedAbout && code === 'internal' && this.#askAfterBug(intent)) return
    if (isAskedAbout && code !== 'internal' && mayWorkLater) return this.#askLater(intent)
    if (!isAskedAbout && mayWorkLater && intent.attempts + 1 < (isWork(intent) ? mostWorkAttempts : mostAttempts)) {
      outbox.attempted(intent.id, code)
      this.#deferred.set(intent.id, { until: elapsed() + backoff(intent.attempts), polls: -1, bugs: 0 })
      return
    }
    this.#deferred.delete(intent.id)
    giveUp(intent, code)
  }

  /** A bug in sending one intent must not stop the others. */
  #codeOf(error: unknown): ErrorCode {
    if (error instanceof AppError) return error.code
    this.#ports.log.error('sync.bug', { kind: errorKind(error) })
    return 'internal'
  }
}

/** Waiting in real time. */
export function waitInTime(ms: number | null, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = ms === null ? undefined : setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
