import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { errorKind } from '#base/log.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { selectConcurrent } from './select-concurrent.ts'
import { Deferred } from './deferred.ts'
import type { StoredIntent } from '#core/outbox/intents.ts'
import type { InLine, Outbox, Turn } from '#core/outbox/outbox.ts'
import { type Flight, type Outcome, Outcomes } from './outcomes.ts'
import { type Hold, Waits } from './waits.ts'

export type Step =
  /** `isMoot`: there was nothing left to send. */
  | { readonly state: 'done'; readonly apply: () => void; readonly isMoot?: true }
  | { readonly state: 'polling'; readonly operation_id: string }
  /** A part of it is done, or it waits for what is no failure (`code` says what): others first, then it goes on. */
  | { readonly state: 'later'; readonly after_ms: number; readonly code: ErrorCode | null }
  /** Long work that ended without a result; asking again needs a new key. */
  | { readonly state: 'failed'; readonly code: ErrorCode }

export interface SyncPorts {
  readonly outbox: Outbox
  readonly log: Log
  readonly clock: Clock
  /** From 0 to before 1. */
  readonly random: () => number
  /** Resolves after the time, or as soon as the signal is aborted. */
  readonly wait: (ms: number | null, signal: AbortSignal) => Promise<void>
  /** How many may be under way at once. */
  readonly width: () => number
  readonly isPaused: () => boolean
  readonly send: (intent: StoredIntent, signal: AbortSignal) => Promise<Step>
  /** Runs it in one transaction. */
  readonly together: <Result>(work: () => Result) => Result
  /** Applies an answer and removes the intent, in one transaction. */
  readonly complete: (intent: StoredIntent, step: Step & { state: 'done' }) => void
  readonly giveUp: (intent: StoredIntent, code: ErrorCode) => void
}

/** What the loop is about; `waiting`: single intents wait for their time, nothing else is due. */
export type LoopState = 'idle' | 'sending' | 'waiting' | 'quota' | 'paused' | Hold

/** After so long the other clock is looked at: a laptop that slept was not counted by the first. */
const MAX_SLEEP = 5 * 60_000
/** A reason that is there already costs nothing; one is wanted at every answer. */
const woken = 'woken'
/** Enough of the line to find somebody for every place. */
const LOOK_AHEAD = 64

/**
 *                    added, retried, time is up
 *        +------------------------------------------------+
 *        v                                                |
 *   +---------+   nothing is due (single ones wait)   +---------+
 *   | sending | ------------------------------------> | waiting |
 *   +---------+                                       +---------+
 *     |  ^  |    empty    +------+
 *     |  |  +-----------> | idle |   added -> sending
 *     |  |                +------+
 *     |  | time is up, woken (settings, key, "try now")
 *     v  |
 *   +-------------+  no network          offline      until a growing, jittered time
 *   | the service |  busy, 429, 503      backing_off  the same, and never before its Retry-After
 *   | takes       |  401                 needs_key    until the key or the settings change, or a slow probe
 *   | nothing     |  the day's quota     quota        until the announced reset; what is not counted goes on meanwhile
 *   +-------------+  the person          paused       until the person says so; kept over restarts
 *
 * Sent in order; where the service is elsewhere, some side by side that cannot depend on each other. Each is marked as
 * tried before it leaves, with the answers to those before it, in one transaction. An answer and the end of its intent are
 * one transaction; until then the intent stands and is sent again, under the same idempotency key, also after a crash.
 * How an attempt ends:
 *   answered          -> applied and removed
 *   a part of it      -> others first, then it goes on, or after the time it names
 *   long work         -> asked about again, at growing intervals; others go on meanwhile; failing at every answer, needs_you
 *   no service        -> the whole loop waits, as drawn
 *   may work later    -> this intent and what follows from it wait; others go on
 *   will never work   -> needs_you, with its code; others go on
 */
export class SyncLoop {
  readonly #ports: SyncPorts
  readonly #deferred: Deferred
  readonly #waits: Waits
  readonly #outcomes: Outcomes
  readonly #flights = new Map<string, Flight>()
  #landed: { readonly flight: Flight; readonly outcome: Outcome }[] = []
  /** Intents whose attempt left before the last `wake`. */
  readonly #outdated = new Set<string>()
  #isStopping = false
  #sleeper = new AbortController()
  #running: Promise<void> | null = null
  #onStateChange = (): void => {}

  constructor(ports: SyncPorts) {
    this.#ports = ports
    this.#deferred = new Deferred(ports.clock, ports.random)
    this.#waits = new Waits(ports.clock, ports.random)
    this.#outcomes = new Outcomes(ports, this.#deferred, this.#waits)
    ports.outbox.onChange((isNew) => {
      if (isNew) this.#sleeper.abort(woken)
    })
  }

  get state(): LoopState {
    if (this.#ports.isPaused()) return 'paused'
    if (this.#flights.size > 0) return 'sending'
    if (this.#waits.hold !== null) return this.#waits.hold
    if (this.#waits.resting.length > 0) return 'quota'
    return this.#deferred.nextEnd() === null ? 'idle' : 'waiting'
  }

  /** What it is about changes without any intent being changed, e.g. when it goes to sleep. */
  onStateChange(listener: () => void): void {
    this.#onStateChange = listener
  }

  /** Milliseconds until it goes on by itself; null where that is not by the clock. */
  get resumesIn(): number | null {
    const { hold, quota } = this.#waits.ends
    const ends = { offline: hold, backing_off: hold, needs_key: hold, quota, waiting: this.#deferred.nextEnd() }
    const end = ends[this.state as keyof typeof ends] ?? null
    return end === null ? null : Math.max(0, end - this.#ports.clock.elapsed())
  }

  /** Milliseconds until this one is tried again, after it failed; null where it waits for no time of its own. */
  triedIn(id: string): number | null {
    return this.#deferred.endsIn(id)
  }

  get isReachable(): boolean {
    return this.#outcomes.isReachable
  }

  /** Long work goes on at the service. */
  get isAsking(): boolean {
    return this.#deferred.isAsking
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Ends after the attempts at hand, which are aborted. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.interrupt()
    await this.#running
  }

  /** Aborts what is at hand, and looks anew at what to do. */
  interrupt(): void {
    for (const { abort } of this.#flights.values()) abort.abort()
    this.#sleeper.abort(woken)
  }

  /** Forgets what it was waiting for. */
  wake(): void {
    // What is on its way left under the key or the address of before: its failing says nothing of now.
    for (const id of this.#flights.keys()) this.#outdated.add(id)
    this.#deferred.clear()
    this.#waits.clear()
    this.#sleeper.abort(woken)
  }

  /** Forgets what this one was waiting for, but for a time that was announced. */
  wakeFor(id: string): void {
    this.#deferred.delete(id)
    this.#waits.clearGuesses()
    this.#sleeper.abort(woken)
  }

  /** Aborts the attempt at this intent, if there is one at hand. */
  abandon(id: string): void {
    this.#deferred.delete(id)
    this.#flights.get(id)?.abort.abort()
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#sleeper = new AbortController()
      this.#waits.look()
      // Read once: what is due between two readings would be neither sent nor waited for.
      const now = this.#ports.clock.elapsed()
      const chosen = this.#settleAndChoose(now)
      if (this.#isStopping && this.#flights.size === 0) return
      for (const intent of chosen) void this.#fly(intent)
      // The embedded service answers without ever waiting; a window's calls must still get their turn.
      if (chosen.length > 0) await setImmediate()
      if (this.#sleeper.signal.aborted) continue
      this.#onStateChange()
      await this.#ports.wait(this.#timeToSleep(now), this.#sleeper.signal)
    }
  }

  async #fly(intent: StoredIntent): Promise<void> {
    const flight: Flight = { intent, abort: new AbortController() }
    this.#flights.set(intent.id, flight)
    const outcome = await this.#attempt(flight)
    this.#landed.push({ flight, outcome })
    this.#sleeper.abort(woken)
  }

  async #attempt({ intent, abort }: Flight): Promise<Outcome> {
    try {
      return { step: await this.#ports.send(intent, abort.signal) }
    } catch (error) {
      return { error }
    }
  }

  /** One transaction for what came back and what leaves next. */
  #settleAndChoose(now: number): readonly StoredIntent[] {
    const { outbox, together, log } = this.#ports
    const landed = this.#landed
    this.#landed = []
    for (const { flight } of landed) {
      this.#flights.delete(flight.intent.id)
      outbox.end(flight.intent.id)
    }
    let chosen: readonly StoredIntent[] = []
    try {
      together(() => {
        for (const { flight, outcome } of landed) {
          const isOutdated = this.#outdated.delete(flight.intent.id)
          if (!isOutdated || !('error' in outcome)) this.#outcomes.settle(flight, outcome)
        }
        chosen = this.#choose(now)
        for (const { id } of chosen) outbox.begin(id)
      })
      return chosen
    } catch (error) {
      // Nothing of it is written: what came back is asked for again, under its key.
      log.error('sync.not-kept', { kind: errorKind(error) })
      for (const { id } of chosen) outbox.end(id)
      this.#waits.stumble()
      return []
    }
  }

  #choose(now: number): StoredIntent[] {
    const { outbox, width, isPaused } = this.#ports
    if (this.#isStopping || isPaused() || this.#waits.hold !== null) return []
    const turn: Turn = { deferred: this.#deferred.held(now, outbox), resting: this.#waits.resting }
    const underWay = [...this.#flights.values()].map(({ intent }) => intent)
    const first = underWay.length === 0 ? this.#first(turn) : null
    const busy = first === null ? underWay : [first]
    const most = width()
    const beside = busy.length > 0 && busy.length < most ? selectConcurrent(this.#line(turn), busy, most) : []
    return [...(first === null ? [] : [first]), ...beside.flatMap(({ id }) => outbox.find(id) ?? [])]
  }

  *#line(turn: Turn): Iterable<InLine> {
    for (const place of this.#ports.outbox.line(turn, LOOK_AHEAD)) if (place.id !== this.#outcomes.yielded) yield place
  }

  #first(turn: Turn): StoredIntent | null {
    const { outbox } = this.#ports
    const first = outbox.next(turn)
    if (first === null || first.id !== this.#outcomes.yielded) return first
    const other = outbox.next({ ...turn, passing: first.kind })
    if (other === null) this.#outcomes.yielded = null
    return other ?? first
  }

  #timeToSleep(now: number): number | null {
    if (this.#ports.isPaused() || this.#flights.size >= this.#ports.width()) return null
    const { hold, quota } = this.#waits.ends
    const ends = [this.#deferred.nextEnd(now), hold, quota].filter((end) => end !== null)
    if (ends.length === 0) return null
    const ms = Math.max(0, Math.min(...ends) - now)
    return hold === null && quota === null ? ms : Math.min(ms, MAX_SLEEP)
  }
}
