import { setImmediate } from 'node:timers/promises'
import type { ErrorCode } from '#contract/errors.ts'
import { errorKind } from '#base/log.ts'
import { isWork, movesSession, type StoredIntent } from '#core/outbox/intents.ts'
import type { InLine, Place, Turn } from '#core/outbox/outbox.ts'
import { type Attempt, type Outcome, Outcomes } from './outcomes.ts'
import { createDeferred, type Deferred, type Hold, Waits } from './waits.ts'
import type { RecordParts } from '#core/records/repositories.ts'

export type Step =
  | { readonly state: 'done'; readonly apply: () => void; readonly isNoOp?: true }
  | { readonly state: 'polling'; readonly operation_id: string }
  /** Try again later: a part of the intent is done, or the intent has to wait. `code` is the reason to show, if any. */
  | { readonly state: 'later'; readonly after_ms: number; readonly code: ErrorCode | null }
  /** Long-running work ended without a result; a retry needs a new idempotency key. */
  | { readonly state: 'failed'; readonly code: ErrorCode }

export interface SyncPorts extends Pick<RecordParts, 'outbox' | 'log' | 'clock'> {
  readonly random: () => number
  readonly wait: (ms: number | null, signal: AbortSignal) => Promise<void>
  readonly width: () => number
  readonly isPaused: () => boolean
  readonly send: (intent: StoredIntent, signal: AbortSignal) => Promise<Step>
  readonly together: <Result>(work: () => Result) => Result
  readonly complete: (intent: StoredIntent, step: Step & { state: 'done' }) => void
  readonly giveUp: (intent: StoredIntent, code: ErrorCode) => void
}

export type LoopState = 'idle' | 'sending' | 'waiting' | 'quota' | 'paused' | Hold

/** Longest sleep in ms during a hold or quota wait, because the monotonic clock may stop while the laptop sleeps. */
const MAX_SLEEP = 5 * 60_000
const woken = 'woken'
const LOOK_AHEAD = 64

/**
 * Sends the intents of the outbox in order; with a remote service, sends independent ones concurrently. One transaction
 * applies the answers and marks the next intents as tried.
 */
export class SyncLoop {
  readonly #ports: SyncPorts
  readonly #deferred: Deferred
  readonly #waits: Waits
  readonly #outcomes: Outcomes
  readonly #inFlight = new Map<string, Attempt>()
  #settled: { readonly attempt: Attempt; readonly outcome: Outcome }[] = []
  readonly #outdated = new Set<string>()
  #isStopping = false
  #sleeper = new AbortController()
  #running: Promise<void> | null = null
  #onStateChange = (): void => {}

  constructor(ports: SyncPorts) {
    this.#ports = ports
    this.#deferred = createDeferred(ports.clock, ports.random)
    this.#waits = new Waits(ports.clock, ports.random)
    this.#outcomes = new Outcomes(ports, this.#deferred, this.#waits)
    ports.outbox.onChange((isNew) => {
      if (isNew) this.#sleeper.abort(woken)
    })
  }

  get state(): LoopState {
    if (this.#ports.isPaused()) return 'paused'
    if (this.#inFlight.size > 0) return 'sending'
    if (this.#waits.hold !== null) return this.#waits.hold
    if (this.#waits.resting.length > 0) return 'quota'
    return this.#deferred.nextEnd() === null ? 'idle' : 'waiting'
  }

  onStateChange(listener: () => void): void {
    this.#onStateChange = listener
  }

  get resumesIn(): number | null {
    const { hold, quota } = this.#waits.ends
    const ends = { offline: hold, backing_off: hold, needs_key: hold, quota, waiting: this.#deferred.nextEnd() }
    const end = ends[this.state as keyof typeof ends] ?? null
    return end === null ? null : Math.max(0, end - this.#ports.clock.elapsed())
  }

  triedIn(id: string): number | null {
    return this.#deferred.endsIn(id)
  }

  get isReachable(): boolean {
    return this.#outcomes.isReachable
  }

  get isPolling(): boolean {
    return this.#deferred.isPolling()
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    this.interrupt()
    await this.#running
  }

  interrupt(): void {
    for (const { abort } of this.#inFlight.values()) abort.abort()
    this.#sleeper.abort(woken)
  }

  wake(): void {
    // Attempts in flight may use the old key or address, so their failures don't count.
    for (const id of this.#inFlight.keys()) this.#outdated.add(id)
    this.#deferred.clear()
    this.#waits.clear()
    this.#sleeper.abort(woken)
  }

  wakeFor(id: string): void {
    this.#deferred.delete(id)
    this.#waits.clearGuesses()
    this.#sleeper.abort(woken)
  }

  abandon(id: string): void {
    this.#deferred.delete(id)
    this.#inFlight.get(id)?.abort.abort()
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#sleeper = new AbortController()
      this.#waits.refresh()
      // Read the clock once: an intent due between two reads would be neither sent nor waited for.
      const now = this.#ports.clock.elapsed()
      const chosen = this.#settleAndChoose(now)
      if (this.#isStopping && this.#inFlight.size === 0) return
      for (const intent of chosen) void this.#send(intent)
      // The embedded service answers without waiting for I/O, so yield to calls from the window.
      if (chosen.length > 0) await setImmediate()
      if (this.#sleeper.signal.aborted) continue
      this.#onStateChange()
      await this.#ports.wait(this.#timeToSleep(now), this.#sleeper.signal)
    }
  }

  async #send(intent: StoredIntent): Promise<void> {
    const attempt: Attempt = { intent, abort: new AbortController() }
    this.#inFlight.set(intent.id, attempt)
    const outcome = await this.#attempt(attempt)
    this.#settled.push({ attempt, outcome })
    this.#sleeper.abort(woken)
  }

  async #attempt({ intent, abort }: Attempt): Promise<Outcome> {
    try {
      return { step: await this.#ports.send(intent, abort.signal) }
    } catch (error) {
      return { error }
    }
  }

  #settleAndChoose(now: number): readonly StoredIntent[] {
    const { outbox, together, log } = this.#ports
    const settled = this.#settled
    this.#settled = []
    for (const { attempt } of settled) {
      this.#inFlight.delete(attempt.intent.id)
      outbox.end(attempt.intent.id)
    }
    let chosen: readonly StoredIntent[] = []
    try {
      together(() => {
        for (const { attempt, outcome } of settled) {
          const isOutdated = this.#outdated.delete(attempt.intent.id)
          if (!isOutdated || !('error' in outcome)) this.#outcomes.settle(attempt, outcome)
        }
        chosen = this.#choose(now)
        for (const { id } of chosen) outbox.begin(id)
      })
      return chosen
    } catch (error) {
      // Nothing was written, so the requests are repeated under their idempotency keys.
      log.error('sync.not-kept', { kind: errorKind(error) })
      for (const { id } of chosen) outbox.end(id)
      this.#waits.backOff()
      return []
    }
  }

  #choose(now: number): StoredIntent[] {
    const { outbox, width, isPaused } = this.#ports
    if (this.#isStopping || isPaused() || this.#waits.hold !== null) return []
    const turn: Turn = { deferred: this.#deferred.held(now, outbox), resting: this.#waits.resting }
    const inFlight = [...this.#inFlight.values()].map(({ intent }) => intent)
    const first = inFlight.length === 0 ? this.#first(turn) : null
    const busy = first === null ? inFlight : [first]
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
    if (this.#ports.isPaused() || this.#inFlight.size >= this.#ports.width()) return null
    const { hold, quota } = this.#waits.ends
    const ends = [this.#deferred.nextEnd(now), hold, quota].filter((end) => end !== null)
    if (ends.length === 0) return null
    const ms = Math.max(0, Math.min(...ends) - now)
    return hold === null && quota === null ? ms : Math.min(ms, MAX_SLEEP)
  }
}

/**
 * Chooses at most one intent per client (revocations aside), and at most one of long-running work. A moved session may free the
 * time that another one takes, so moves and bookings keep their order.
 */
function selectConcurrent(line: Iterable<InLine>, busy: readonly StoredIntent[], most: number): readonly Place[] {
  const clients = new Set(busy.map(({ client_id }) => client_id))
  const ids = new Set(busy.map(({ id }) => id))
  const chosen: Place[] = []
  let hasWork = busy.some(isWork)
  let hasMove = busy.some(movesSession)
  let hasBooking = busy.some(({ kind }) => kind === 'create-session')
  for (const place of line) {
    if (busy.length + chosen.length >= most) break
    if (ids.has(place.id)) continue
    const isBooking = place.kind === 'create-session'
    const isFree = !place.held && (place.kind === 'revoke-consent' || !clients.has(place.client_id))
    const isInOrder = place.moves ? !hasMove && !hasBooking : !isBooking || !hasMove
    if (isFree && isInOrder && !(isWork(place) && hasWork)) {
      chosen.push(place)
      clients.add(place.client_id)
      hasWork ||= isWork(place)
    }
    hasMove ||= place.moves
    hasBooking ||= isBooking
  }
  return chosen
}
