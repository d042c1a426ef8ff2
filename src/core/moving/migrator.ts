import { setImmediate } from 'node:timers/promises'
import type { MovingState } from '#contract/bridge/moving.ts'
import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import type { Passed } from './pass.ts'
import type { MovingRepository } from './moving-repository.ts'

interface Parts {
  readonly moving: MovingRepository
  readonly clock: Clock
  readonly log: Log
  readonly wait: SyncPorts['wait']
  readonly pass: (signal: AbortSignal) => Promise<Passed>
  readonly onChanged: () => void
}

type Waiting = MovingState['waiting']

/** Longest sleep: after system sleep the timer is unreliable. */
const MAX_NAP_MS = 60_000

/**
 * Migration phases:
 *
 *    looked ----> sending ----> checked ----> confirmed
 *                   |  ^           |
 *                   |  +-----------+  something changed here
 *                   v
 *                 undone             (from any phase before `confirmed`)
 *
 * Local changes during the migration are sent too. Each sent record is stored in the vault, so an interrupted
 * migration resumes. An exhausted quota, no network or a rejected key only pause it.
 */
export class Migrator {
  readonly #parts: Parts
  #isStopping = false
  #isThrough = false
  #waiting: Waiting = null
  #failures = 0
  #sleeper = new AbortController()
  #attempt = new AbortController()
  #running: Promise<void> | null = null
  #listeners: Pick<PromiseWithResolvers<Waiting>, 'resolve' | 'reject'>[] = []

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get waiting(): Waiting {
    return this.#waiting
  }

  start(): void {
    this.#running ??= this.#run()
  }

  wake(): void {
    this.#isThrough = false
    this.#failures = 0
    this.#sleeper.abort()
  }

  halt(): void {
    this.#attempt.abort()
    this.wake()
  }

  /**
   * Resolves when everything is sent and checked, with null or the reason for waiting.
   * @throws AppError `cancelled` if the vault closes first
   */
  caughtUp(): Promise<Waiting> {
    const { promise, resolve, reject } = Promise.withResolvers<Waiting>()
    if (this.#isStopping) reject(closed())
    else this.#listeners.push({ resolve, reject })
    this.wake()
    return promise
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#attempt.abort()
    this.#sleeper.abort()
    for (const { reject } of this.#listeners.splice(0)) reject(closed())
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#sleeper = new AbortController()
      const nap = await this.#turn()
      if (this.#isStopping) return
      if (nap === null || this.#waiting !== null) this.#tell()
      if (nap === 0) await setImmediate()
      else await this.#parts.wait(nap === null ? null : Math.min(nap, MAX_NAP_MS), this.#sleeper.signal)
    }
  }

  /** Milliseconds until the next turn; null: wait for a change. */
  async #turn(): Promise<number | null> {
    const { moving, clock, pass } = this.#parts
    const phase = moving.get()?.phase
    if ((phase !== 'sending' && phase !== 'checked') || this.#isThrough) return null
    this.#attempt = new AbortController()
    try {
      const { more, until } = await pass(this.#attempt.signal)
      this.#failures = 0
      if (until !== null) return this.#waitFor({ reason: 'quota', until: new Date(until).toISOString() }, until - clock.now())
      this.#waiting = null
      if (more) return 0
      this.#through()
      return null
    } catch (error) {
      if (this.#attempt.signal.aborted) return this.#isStopping ? null : 0
      return this.#afterFailure(error)
    }
  }

  #through(): void {
    const { moving, clock, onChanged } = this.#parts
    this.#isThrough = true
    // Skip if it was undone or confirmed during the last request.
    if (moving.get()?.phase === 'sending') moving.put({ phase: 'checked', again: 'new', changed_at: timestamp(clock) })
    onChanged()
  }

  #afterFailure(error: unknown): number | null {
    const isKnown = error instanceof AppError
    if (!isKnown) this.#parts.log.error('moving.bug', { kind: errorKind(error) })
    this.#failures += 1
    if (isKnown && error.code === 'unauthenticated') {
      this.#waitFor({ reason: 'key', until: null }, 0)
      return null
    }
    const asked = isKnown ? (error.retrySeconds ?? 0) * 1000 : 0
    const backoff = Math.min(MAX_NAP_MS, 1000 * 2 ** Math.min(this.#failures, 6))
    return this.#waitFor({ reason: 'network', until: null }, Math.max(asked, backoff))
  }

  #waitFor(why: NonNullable<Waiting>, ms: number): number {
    this.#waiting = why
    this.#parts.onChanged()
    return Math.max(1, ms)
  }

  #tell(): void {
    for (const { resolve } of this.#listeners.splice(0)) resolve(this.#waiting)
  }
}

const closed = (): AppError => new AppError('cancelled', 'The records are being closed.')
