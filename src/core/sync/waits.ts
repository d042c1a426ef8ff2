import type { Clock } from '#base/clock.ts'
import type { AppError } from '#contract/errors.ts'
import { ServiceBusy } from '#client/client.ts'
import { routes } from '#contract/rest/routes.ts'
import type { IntentKind } from '#core/outbox/intents.ts'

/** What the whole loop waits for. */
export type Hold = 'offline' | 'backing_off' | 'needs_key'

/** Until when, by two clocks: the monotonic one stands still while the laptop sleeps, the other one may be set. */
interface Until {
  readonly elapsed: number
  readonly now: number
}

const MINUTE = 60_000
/** Somebody who comes online does not want to wait for long. */
const MAX_BACKOFF = MINUTE
/** What a proxy asks for is not believed without bounds. */
const MAX_ASKED = 60 * MINUTE
/** A service that refuses calls and does not say until when is left in peace for longer. */
const MAX_UNANNOUNCED = 15 * MINUTE
/** A day, and the clocks of both sides. */
const MAX_QUOTA = 25 * 60 * MINUTE
/** A key that is not taken: tried again now and then, in case it is given back its rights. */
const KEY_PROBE = 30 * MINUTE
/** All laptops of a practice would begin in the same second. */
const QUOTA_SPREAD = 20_000

/** Kinds whose request counts towards the day's quota; without it the rest goes on. */
const countedKinds: readonly IntentKind[] = (
  [
    ['create-session', 'createSession'],
    ['transcribe', 'transcribeWithSpeakers'],
    ['draft-note', 'generateNote'],
    ['analyze', 'analyze'],
  ] as const
).flatMap(([kind, operation]) => (routes[operation].counted ? [kind] : []))

/** Growing with each failure, and a quarter more or less, so that not all laptops ask at once. */
export function backoff(failures: number, random: () => number, most = MAX_BACKOFF): number {
  return Math.round(Math.min(most, 1000 * 2 ** Math.min(failures, 30)) * (0.75 + random() / 2))
}

/** How long to wait after a refusal that says when to come again: never less, and a little more. */
export function announced(seconds: number, random: () => number, most = MAX_ASKED): number {
  return Math.round(Math.min(most, seconds * 1000) * (1 + random() / 10))
}

/** What holds up everything that could be sent, or all of some kinds. */
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

  /** Drops what is over; what is said after that holds until it is called again. */
  look(): void {
    if (this.#hold !== null && !this.#isAhead(this.#hold.until)) this.#hold = null
    if (this.#quota !== null && !this.#isAhead(this.#quota.until)) this.#quota = null
  }

  get hold(): Hold | null {
    return this.#hold?.because ?? null
  }

  /** Kinds that wait for the quota. */
  get resting(): readonly IntentKind[] {
    return [...(this.#quota?.kinds ?? [])]
  }

  /** Monotonic times at which something goes on. */
  get ends(): { readonly hold: number | null; readonly quota: number | null } {
    return { hold: this.#hold?.until.elapsed ?? null, quota: this.#quota?.until.elapsed ?? null }
  }

  /** The service answered. */
  answered(): void {
    this.#hold = null
    this.#failures = 0
  }

  /** False: the failure is one intent's own. */
  take(error: AppError, kind: IntentKind): boolean {
    const { code, retrySeconds } = error
    if (code === 'quota-exceeded' && retrySeconds !== undefined) {
      const kinds = this.#quota?.kinds ?? new Set(countedKinds)
      const ms = Math.min(MAX_QUOTA, retrySeconds * 1000) + Math.round(this.#random() * QUOTA_SPREAD)
      this.#quota = { kinds: kinds.add(kind), until: this.#in(ms) }
      return true
    }
    const because = holdFor(error)
    if (because === null) return false
    // Those that were sent side by side fail side by side: that is one failure.
    if (this.#hold?.because === because) return true
    const isNamed = because !== 'needs_key' && error.retrySeconds !== undefined
    this.#hold = { because, until: this.#in(this.#lengthOf(because, error)), isNamed }
    this.#failures += 1
    return true
  }

  /** Something here did not work, e.g. the disk. */
  stumble(): void {
    this.#hold = { because: 'backing_off', until: this.#in(backoff(this.#failures, this.#random)), isNamed: false }
    this.#failures += 1
  }

  clear(): void {
    this.#hold = this.#quota = null
    this.#failures = 0
  }

  /** What is only a guess when it may go on; an announced time is none. */
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

  /** A clock that is set ahead costs one question too many, one that is set back costs nothing. */
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
