import type { Clock } from '#base/clock.ts'
import type { Outbox } from '#core/outbox/outbox.ts'
import { backoff } from './waits.ts'

/**
 * `until`: monotonic milliseconds. `polls`: -1 if never polled. `bugs`: how many polls in a row failed because of a
 * bug.
 */
interface Wait {
  readonly until: number
  readonly polls: number
  readonly bugs: number
}

const pollInterval = (polls: number): number => Math.min(2000, Math.round(200 * 1.5 ** polls))

/**
 * Retry times of individual intents. An entry is not removed when its time has passed, because `polls` and `bugs` count
 * until the intent is done.
 */
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
