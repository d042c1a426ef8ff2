import type { Clock } from '#base/clock.ts'
import type { AppError } from '#contract/errors.ts'
import { ServiceBusy } from '#client/client.ts'
import { routes } from '#contract/rest/routes.ts'
import type { IntentKind } from '#core/outbox/intents.ts'
import type { Outbox } from '#core/outbox/outbox.ts'

export type Hold = 'offline' | 'backing_off' | 'needs_key'

/** End of a wait in ms, by the monotonic clock and by the wall clock. Whichever comes first counts. */
type Until = Readonly<Record<'elapsed' | 'now', number>>

const MINUTE = 60_000
const MAX_BACKOFF = MINUTE
/** Upper limit for Retry-After, which may come from a proxy. */
const MAX_RETRY_AFTER = 60 * MINUTE
const MAX_UNANNOUNCED = 15 * MINUTE
const MAX_QUOTA = 25 * 60 * MINUTE
const KEY_PROBE = 30 * MINUTE
/** Maximum jitter, so that a practice's laptops don't all start in the same second. */
const QUOTA_SPREAD = 20_000

const countedKinds: readonly IntentKind[] = (
  [
    ['create-session', 'createSession'],
    ['transcribe', 'transcribeWithSpeakers'],
    ['draft-note', 'generateNote'],
    ['analyze', 'analyze'],
  ] as const
).flatMap(([kind, operation]) => (routes[operation].counted ? [kind] : []))

/** Milliseconds: 1000, doubled for each failure up to `most`, plus or minus a quarter. */
export function backoff(failures: number, random: () => number, most = MAX_BACKOFF): number {
  return Math.round(Math.min(most, 1000 * 2 ** Math.min(failures, 30)) * (0.75 + random() / 2))
}

/** Milliseconds: the announced time, but not above `most`, plus up to a tenth. */
export function announced(seconds: number, random: () => number, most = MAX_RETRY_AFTER): number {
  return Math.round(Math.min(most, seconds * 1000) * (1 + random() / 10))
}

export class Waits {
  readonly #clock: Clock
  readonly #random: () => number
  #hold: { readonly because: Hold; readonly until: Until; readonly isNamed: boolean } | null = null
  #quota: { readonly kinds: Set<IntentKind>; readonly until: Until } | null = null
  #failures = 0

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock
    this.#random = random
  }

  refresh(): void {
    if (this.#hold !== null && !this.#isAhead(this.#hold.until)) this.#hold = null
    if (this.#quota !== null && !this.#isAhead(this.#quota.until)) this.#quota = null
  }

  get hold(): Hold | null {
    return this.#hold?.because ?? null
  }

  get resting(): readonly IntentKind[] {
    return [...(this.#quota?.kinds ?? [])]
  }

  get ends(): { readonly hold: number | null; readonly quota: number | null } {
    return { hold: this.#hold?.until.elapsed ?? null, quota: this.#quota?.until.elapsed ?? null }
  }

  answered(): void {
    this.#hold = null
    this.#failures = 0
  }

  accept(error: AppError, kind: IntentKind): boolean {
    const { code, retrySeconds } = error
    if (code === 'quota-exceeded' && retrySeconds !== undefined) {
      const kinds = this.#quota?.kinds ?? new Set(countedKinds)
      const ms = Math.min(MAX_QUOTA, retrySeconds * 1000) + Math.round(this.#random() * QUOTA_SPREAD)
      this.#quota = { kinds: kinds.add(kind), until: this.#in(ms) }
      return true
    }
    const because = holdFor(error)
    if (because === null) return false
    // Concurrent requests fail together; that counts as one failure.
    if (this.#hold?.because === because) return true
    const isNamed = because !== 'needs_key' && error.retrySeconds !== undefined
    this.#hold = { because, until: this.#in(this.#lengthOf(because, error)), isNamed }
    this.#failures += 1
    return true
  }

  backOff(): void {
    this.#hold = { because: 'backing_off', until: this.#in(backoff(this.#failures, this.#random)), isNamed: false }
    this.#failures += 1
  }

  clear(): void {
    this.#hold = this.#quota = null
    this.#failures = 0
  }

  /** Ends a hold whose length was guessed. A hold that the service announced still applies. */
  clearGuesses(): void {
    if (this.#hold?.isNamed === true) return
    this.#hold = null
    this.#failures = 0
  }

  #lengthOf(because: Hold, { code, retrySeconds }: AppError): number {
    if (because === 'needs_key') return Math.round(KEY_PROBE * (0.75 + this.#random() / 2))
    const guessed = backoff(this.#failures, this.#random, code === 'quota-exceeded' ? MAX_UNANNOUNCED : MAX_BACKOFF)
    return retrySeconds === undefined ? guessed : Math.max(guessed, announced(retrySeconds, this.#random))
  }

  #in(ms: number): Until {
    return { elapsed: this.#clock.elapsed() + ms, now: this.#clock.now() + ms }
  }

  #isAhead(until: Until): boolean {
    return until.elapsed > this.#clock.elapsed() && until.now > this.#clock.now()
  }
}

function holdFor(error: AppError): Hold | null {
  switch (error.code) {
    case 'service-unreachable':
      return error instanceof ServiceBusy ? 'backing_off' : 'offline'
    case 'unauthenticated':
      return 'needs_key'
    case 'quota-exceeded':
    case 'too-many-refusals':
    case 'too-many-bytes':
    case 'sign-in-unavailable':
    case 'practice-moved':
      return 'backing_off'
    default:
      return null
  }
}

interface Wait {
  /** Monotonic milliseconds. */
  readonly until: number
  /** -1 if the intent is not polled. */
  readonly polls: number
  readonly bugs: number
}

const pollInterval = (polls: number): number => Math.min(2000, Math.round(200 * 1.5 ** polls))

/** Retry times of individual intents. An entry stays after its time, because it counts polls and bugs. */
export type Deferred = ReturnType<typeof createDeferred>

export function createDeferred(clock: Clock, random: () => number) {
  const waits = new Map<string, Wait>()
  const set = (id: string, ms: number, polls: number, bugs = 0): void =>
    void waits.set(id, { until: clock.elapsed() + ms, polls, bugs })
  return {
    retryIn: (id: string, ms: number): void => set(id, ms, -1),
    pollLater(id: string): void {
      const polls = (waits.get(id)?.polls ?? -1) + 1
      set(id, pollInterval(polls), polls)
    },
    pollIn: (id: string, ms: number): void => set(id, ms, Math.max(0, waits.get(id)?.polls ?? 0)),
    /** A bug may fail every poll, so back off. Returns false after `most` failures in a row. */
    pollAfterBug(id: string, most: number): boolean {
      const before = waits.get(id)
      const bugs = (before?.bugs ?? 0) + 1
      if (bugs >= most) return false
      set(id, backoff(bugs - 1, random), before?.polls ?? 0, bugs)
      return true
    },
    held(now: number, outbox: Pick<Outbox, 'find'>): string[] {
      const held = []
      for (const [id, { until }] of waits) {
        if (until > now) held.push(id)
        else if (outbox.find(id) === null) waits.delete(id)
      }
      return held
    },
    nextEnd(now: number = clock.elapsed()): number | null {
      const ends = [...waits.values()].map(({ until }) => until).filter((until) => until > now)
      return ends.length === 0 ? null : Math.min(...ends)
    },
    endsIn(id: string): number | null {
      const wait = waits.get(id)
      const ms = wait === undefined || wait.polls >= 0 ? 0 : wait.until - clock.elapsed()
      return ms > 0 ? ms : null
    },
    isPolling: (): boolean => [...waits.values()].some(({ polls }) => polls >= 0),
    delete: (id: string): void => void waits.delete(id),
    clear: (): void => waits.clear(),
  }
}
