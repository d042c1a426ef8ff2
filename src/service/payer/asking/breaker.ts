import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'

/** So many questions in a row without an answer, and a payer is left alone for a while. */
const mostFailures = 5
const restMs = 60_000

export interface Breaker {
  /** @throws AppError `payer-unavailable` while this payer is left alone */
  enter(payer: string): void
  leave(payer: string, outcome: 'answered' | 'unanswered' | 'undecided'): void
}

/**
 *   closed --5 unanswered in a row--> open --a minute--> half-open --answered--> closed
 *      ^                                ^                    |  one question at a time is let through
 *      \----------answered---------     \----unanswered------/
 */
export function createBreaker(clock: Pick<Clock, 'elapsed'>): Breaker {
  const states = new Map<string, { failures: number; openUntil: number; isProbing: boolean }>()
  return {
    enter: (payer) => {
      const state = states.get(payer)
      if (state === undefined || state.failures < mostFailures) return
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
        state.failures = wasProbing ? mostFailures : state.failures + 1
        state.openUntil = clock.elapsed() + restMs
      }
      states.set(payer, state)
    },
  }
}
