import { AppError } from '#contract/errors.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { SyncPorts } from '#core/sync/sync-loop.ts'

export interface PullPorts {
  readonly log: Log
  readonly elapsed: () => number
  readonly wait: SyncPorts['wait']
  /** 0 to 1. */
  readonly random: () => number
  /** Whether there is a practice's service, and nobody has stopped syncing. */
  readonly isWanted: () => boolean
  /** One turn: milliseconds until the next. While changes are followed as they happen it does not end. */
  readonly turn: (signal: AbortSignal, isFirst: boolean) => Promise<number>
}

const leastMs = 1000
const mostMs = 60_000
/** What a proxy asks for is not believed without bounds. */
const mostAskedMs = 60 * 60_000
/** A line that held for so long was not the trouble. */
const steadyMs = 30_000
/** Nothing mends these but somebody, who wakes the loop. */
const needsSomebody: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden', 'not-offered'])
const untilSomebodyMs = 15 * 60_000

/**
 *   +-------+  a practice's service   +---------+  line lost, nothing more to ask   +---------+
 *   | still | ----------------------> | pulling | --------------------------------> | resting |
 *   +-------+ <---------------------- +---------+ <-------------------------------- +---------+
 *              none, stopped, paused    |     ^     time is up, woken                 ^
 *                                       +-----|---------------------------------------+
 *                                             |   failed: longer each time, with jitter; as long as the service says
 *
 * Pulling is: what is offered, the lists that are still to be walked, what is known to have changed, the change feed up to
 * now, and from there on as it happens.
 */
export class PullLoop {
  readonly #ports: PullPorts
  #turn = new AbortController()
  #isStopping = false
  #isFirst = true
  #failures = 0
  #running: Promise<void> | null = null

  constructor(ports: PullPorts) {
    this.#ports = ports
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.#turn.abort()
    await this.#running
  }

  /** Another address or key; stopped by the person, or going on. */
  wake(): void {
    this.#failures = 0
    this.#isFirst = true
    this.#turn.abort()
  }

  async #run(): Promise<void> {
    const { isWanted, wait } = this.#ports
    while (!this.#isStopping) {
      this.#turn = new AbortController()
      const { signal } = this.#turn
      const rest = isWanted() ? await this.#pull(signal) : null
      if (!signal.aborted) await wait(rest, signal)
    }
  }

  async #pull(signal: AbortSignal): Promise<number> {
    const { turn, elapsed } = this.#ports
    const [began, isFirst] = [elapsed(), this.#isFirst]
    this.#isFirst = false
    try {
      const rest = await turn(signal, isFirst)
      if (elapsed() - began >= steadyMs) this.#failures = 0
      return this.#spread(rest)
    } catch (error) {
      this.#isFirst ||= isFirst
      return this.#restAfter(error, signal)
    }
  }

  #restAfter(error: unknown, signal: AbortSignal): number {
    const { log } = this.#ports
    if (signal.aborted) return 0
    if (!(error instanceof AppError)) log.error('pull.bug', { kind: errorKind(error) })
    const backoff = this.#spread(Math.min(mostMs, leastMs * 2 ** this.#failures))
    this.#failures += 1
    if (!(error instanceof AppError)) return backoff
    if (needsSomebody.has(error.code)) return this.#spread(untilSomebodyMs)
    return Math.max(backoff, Math.min(mostAskedMs, (error.retrySeconds ?? 0) * 1000))
  }

  /** Many laptops that lost the same service do not come back in the same moment. */
  #spread(ms: number): number {
    return Math.round(ms * (0.5 + this.#ports.random() / 2))
  }
}
