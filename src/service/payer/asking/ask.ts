import { setTimeout as later } from 'node:timers/promises'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { EligibilityInquiry, EligibilityRaw, PayerGateway } from '../port.ts'
import { isOutage } from '../reading/read-coverage.ts'

/** Before the second and third attempt. */
const pauses: readonly number[] = [2_000, 8_000]
const MAX_PAUSE = 30_000

export interface AskTuning {
  readonly pauses?: readonly number[]
}

/** Asks a payer, again where that may help; a payer that is out is left alone. */
export type Ask = (gateway: PayerGateway, inquiry: EligibilityInquiry, signal: AbortSignal) => Promise<EligibilityRaw>

export function createAsk(clock: Pick<Clock, 'elapsed'>, tuning: AskTuning = {}): Ask {
  const breaker = createBreaker(clock)
  const waits = tuning.pauses ?? pauses

  return async (gateway, inquiry, signal) => {
    const payer = `${gateway.name} ${inquiry.payer.id}`
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await once(gateway, inquiry, signal, payer)
      const isAnswer = !(outcome instanceof Unanswered) && !isOutage(outcome.rejections)
      const pause = waits[attempt]
      if (isAnswer || pause === undefined) {
        if (outcome instanceof Unanswered) throw outcome
        // Said by the payer itself that it is out: its words are kept with the result.
        return outcome
      }
      const after = outcome instanceof Unanswered ? outcome.afterMs : null
      await later(Math.min(after ?? pause, MAX_PAUSE), undefined, { signal }).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error
      })
    }
  }

  async function once(gateway: PayerGateway, inquiry: EligibilityInquiry, signal: AbortSignal, payer: string) {
    signal.throwIfAborted()
    breaker.enter(payer)
    try {
      const raw = await gateway.check(inquiry, signal)
      breaker.leave(payer, isOutage(raw.rejections) ? 'unanswered' : 'answered')
      return raw
    } catch (error) {
      const isSilent = error instanceof AppError && (error.code === 'payer-unavailable' || error.code === 'engine-failed')
      breaker.leave(payer, isSilent && !signal.aborted ? 'unanswered' : 'undecided')
      if (error instanceof Unanswered) return error
      throw error
    }
  }
}

/** So many questions in a row without an answer, and a payer is left alone for a while. */
const MAX_FAILURES = 5
const REST_MS = 60_000

interface Breaker {
  /** @throws AppError `payer-unavailable` while this payer is left alone */
  enter(payer: string): void
  leave(payer: string, outcome: 'answered' | 'unanswered' | 'undecided'): void
}

/**
 *   closed --5 unanswered in a row--> open --a minute--> half-open --answered--> closed
 *      ^                                ^                    |  one question at a time is let through
 *      \----------answered---------     \----unanswered------/
 */
function createBreaker(clock: Pick<Clock, 'elapsed'>): Breaker {
  const states = new Map<string, { failures: number; openUntil: number; isProbing: boolean }>()
  return {
    enter: (payer) => {
      const state = states.get(payer)
      if (state === undefined || state.failures < MAX_FAILURES) return
      if (state.isProbing || clock.elapsed() < state.openUntil)
        throw new AppError(
          'payer-unavailable',
          'This payer has not answered several times in a row. It is asked again in a minute.',
        )
      state.isProbing = true
    },
    leave: (payer, outcome) => {
      const state = states.get(payer) ?? { failures: 0, openUntil: 0, isProbing: false }
      const wasProbing = state.isProbing
      state.isProbing = false
      if (outcome === 'answered') {
        states.delete(payer)
        return
      }
      if (outcome === 'unanswered') {
        state.failures = wasProbing ? MAX_FAILURES : state.failures + 1
        state.openUntil = clock.elapsed() + REST_MS
      }
      states.set(payer, state)
    },
  }
}

/** Work that is under way under one name is shared by all who ask for it meanwhile; it stops when nobody waits any more. */
export function createFlights<Result>() {
  const flights = new Map<string, { result: Promise<Result>; stop: AbortController; waiting: number }>()

  return async function fly(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    const flight = flights.get(name) ?? start(name, work)
    flight.waiting += 1
    try {
      return await orAborted(flight.result, signal)
    } finally {
      flight.waiting -= 1
      if (flight.waiting === 0) flight.stop.abort(signal.reason)
      if (flight.waiting === 0 && flights.get(name) === flight) flights.delete(name)
    }
  }

  function start(name: string, work: (signal: AbortSignal) => Promise<Result>) {
    const stop = new AbortController()
    const flight = { result: work(stop.signal), stop, waiting: 0 }
    // Whoever waits hears of it; nobody may be left to.
    flight.result.catch(() => {})
    flights.set(name, flight)
    return flight
  }
}

async function orAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const stopped = Promise.withResolvers<never>()
  const stop = (): void => stopped.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([result, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Nobody answered: the same question may bring an answer later. */
export class Unanswered extends AppError {
  /** When to ask again, where the other end says so. */
  readonly afterMs: number | null

  constructor(detail: string, afterMs: number | null) {
    super('payer-unavailable', detail)
    this.afterMs = afterMs
  }
}
