import { setTimeout as later } from 'node:timers/promises'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { EligibilityInquiry, EligibilityRaw, PayerGateway } from '../port.ts'
import { isOutage } from '../reading/refusals.ts'
import { createBreaker } from './breaker.ts'
import { Unanswered } from './unanswered.ts'

/** Before the second and third attempt. */
const pauses: readonly number[] = [2_000, 8_000]
const longestPause = 30_000

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
      await later(Math.min(after ?? pause, longestPause), undefined, { signal }).catch((error: unknown) => {
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
