import type { MovingState } from '#contract/bridge/moving.ts'
import { timestamp } from '#base/clock.ts'
import { type Log, errorKind } from '#base/log.ts'
import { AppError } from '#contract/errors.ts'
import { repeat, type Repetition } from '#core/sync/repeat.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'
import { announced, backoff } from '#core/sync/waits.ts'
import { createPass, type PassParts } from './pass.ts'

type Parts = PassParts & { readonly log: Log; readonly wait: SyncPorts['wait']; readonly onChanged: () => void }

type Waiting = MovingState['waiting']

/** Longest sleep: a timer may be late after the computer slept. */
const MAX_SLEEP_MS = 60_000

/**
 * Sends the records of the vault to another service, then compares them. Local changes during the migration are sent
 * too. The vault stores what was sent, so an interrupted migration resumes.
 */
export class Migrator {
  readonly #parts: Parts
  readonly #pass: ReturnType<typeof createPass>
  readonly #loop: Repetition
  readonly #closing = new AbortController()
  #attempt = new AbortController()
  #isComplete = false
  #wakes = 0
  #waiting: Waiting = null
  #failures = 0
  #listeners: Pick<PromiseWithResolvers<Waiting>, 'resolve' | 'reject'>[] = []

  constructor(parts: Parts) {
    this.#parts = parts
    this.#pass = createPass(parts)
    this.#loop = repeat(parts.wait, () => this.#turn())
  }

  get waiting(): Waiting {
    return this.#waiting
  }

  start(): void {
    this.#loop.start()
  }

  wake(): void {
    this.#wakes += 1
    this.#isComplete = false
    this.#failures = 0
    this.#loop.wake()
  }

  halt(): void {
    this.#attempt.abort()
    this.wake()
  }

  caughtUp(): Promise<Waiting> {
    const { promise, resolve, reject } = Promise.withResolvers<Waiting>()
    if (this.#closing.signal.aborted) reject(closed())
    else this.#listeners.push({ resolve, reject })
    this.wake()
    return promise
  }

  stop(): Promise<void> {
    this.#closing.abort()
    for (const { reject } of this.#listeners.splice(0)) reject(closed())
    return this.#loop.stop()
  }

  async #turn(): Promise<number | null> {
    const rest = await this.#runPass()
    if (rest === null || this.#waiting !== null) for (const { resolve } of this.#listeners.splice(0)) resolve(this.#waiting)
    return rest === null ? null : Math.min(rest, MAX_SLEEP_MS)
  }

  async #runPass(): Promise<number | null> {
    const { migration, clock } = this.#parts
    const phase = migration.get()?.phase
    if ((phase !== 'sending' && phase !== 'checked') || this.#isComplete) return null
    this.#attempt = new AbortController()
    const signal = AbortSignal.any([this.#attempt.signal, this.#closing.signal])
    const wakes = this.#wakes
    try {
      const next = await this.#pass(signal)
      this.#failures = 0
      if (next !== null && next > 0) return this.#waitFor('quota', next - clock.now(), new Date(next).toISOString())
      this.#waiting = null
      // Run another pass for a request or change made during this one.
      if (next === null && wakes !== this.#wakes) return 0
      if (next === null) this.#complete()
      return next
    } catch (error) {
      return signal.aborted ? 0 : this.#afterFailure(error)
    }
  }

  #complete(): void {
    const { migration, clock, onChanged } = this.#parts
    this.#isComplete = true
    if (migration.get()?.phase === 'sending') migration.put({ phase: 'checked', again: 'new', changed_at: timestamp(clock) })
    onChanged()
  }

  #afterFailure(error: unknown): number | null {
    const known = error instanceof AppError ? error : null
    if (known === null) this.#parts.log.error('moving.bug', { kind: errorKind(error) })
    if (known?.code === 'unauthenticated') return this.#waitFor('key', null)
    const ms = Math.max(announced(known?.retrySeconds ?? 0, Math.random), backoff(this.#failures, Math.random))
    this.#failures += 1
    return this.#waitFor('network', ms)
  }

  #waitFor<Ms extends number | null>(reason: NonNullable<Waiting>['reason'], ms: Ms, until: string | null = null): Ms {
    this.#waiting = { reason, until }
    this.#parts.onChanged()
    return ms
  }
}

const closed = (): AppError => new AppError('cancelled', 'The records are being closed.')
