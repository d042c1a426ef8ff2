import { type Clock, sleep } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { EligibilityInquiry, EligibilityRaw, PayerGateway } from '../port.ts'
import { isOutage } from '../reading/read-coverage.ts'

const pauses: readonly number[] = [2_000, 8_000]
const MAX_PAUSE = 30_000

export interface AskTuning {
  readonly pauses?: readonly number[]
}

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
        return outcome
      }
      const after = outcome instanceof Unanswered ? outcome.afterMs : null
      await sleep(Math.min(after ?? pause, MAX_PAUSE), signal)
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

const MAX_FAILURES = 5
const REST_MS = 60_000

/** After 5 unanswered requests in a row, refuses requests to the payer for 60 seconds, then lets one at a time through. */
function createBreaker(clock: Pick<Clock, 'elapsed'>) {
  const states = new Map<string, { failures: number; openUntil: number; isProbing: boolean }>()
  return {
    enter: (payer: string) => {
      const state = states.get(payer)
      if (state === undefined || state.failures < MAX_FAILURES) return
      if (state.isProbing || clock.elapsed() < state.openUntil)
        throw new AppError(
          'payer-unavailable',
          'This payer hasn’t answered several times in a row. Afterword tries again in a minute.',
        )
      state.isProbing = true
    },
    leave: (payer: string, outcome: 'answered' | 'unanswered' | 'undecided') => {
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

/** Concurrent callers with the same name share one request. The request is aborted when no caller waits any longer. */
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

export class Unanswered extends AppError {
  readonly afterMs: number | null

  constructor(detail: string, afterMs: number | null) {
    super('payer-unavailable', detail)
    this.afterMs = afterMs
  }
}
