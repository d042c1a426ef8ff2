import { createHmac } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { EngineState } from '#contract/model/service-document.ts'
import { canonicalJson } from '#domain/canonical-note.ts'
import type { AskTuning } from './asking/ask.ts'
import { createAsk, createFlights } from './asking/ask.ts'
import { createTurns } from '#service/kernel/turns.ts'
import type { EligibilityInquiry, EligibilityRaw, PayerGateway, PayerSettings } from './port.ts'
import { sandboxGateway } from './sandbox/gateway.ts'
import { noGateway } from './port.ts'
import type { StediTuning } from './stedi/gateway.ts'
import { stediGateway } from './stedi/gateway.ts'

/** What is asked, before it has a trace and a time. */
export type Question = Omit<EligibilityInquiry, 'trace' | 'asked_at'>
export type GatewayName = PayerGateway['name']

/** Where payers are asked from, one for the whole service. */
export interface PayerDesk {
  readonly settings: () => PayerSettings | null
  /** @throws AppError `engine-not-ready` */
  gateway(name: GatewayName): PayerGateway
  /** What stands for a question where answers are kept: whoever reads that column learns nothing of the member. */
  hashOf(practice: string, gateway: GatewayName, question: object): string
  /** One question of a member goes out at a time, and the same one is shared. */
  ask(practice: string, name: GatewayName, inquiry: EligibilityInquiry, signal: AbortSignal): Promise<EligibilityRaw>
  state(isTest: boolean): EngineState
}

export interface DeskOptions {
  readonly settings: () => PayerSettings | null
  readonly key: Uint8Array
  readonly clock: Clock
  readonly tuning?: (AskTuning & StediTuning) | undefined
}

export function openDesk({ settings, key, clock, tuning = {} }: DeskOptions): PayerDesk {
  const sandbox = sandboxGateway()
  const ask = createAsk(clock, tuning)
  const fly = createFlights<EligibilityRaw>()
  const inTurn = createTurns()

  return {
    settings,
    gateway,
    hashOf,
    ask: (practice, name, inquiry, signal) => {
      const { trace: _trace, asked_at: _asked, ...question } = inquiry
      const member = hashOf(practice, name, { payer: inquiry.payer.id, member: inquiry.subscriber.member_id })
      return fly(hashOf(practice, name, question), signal, (shared) => inTurn(member, () => ask(gateway(name), inquiry, shared)))
    },
    state: (isTest) => {
      if (isTest) return { name: 'sandbox', ready: true, hint: null }
      const found = settings()
      return found === null ? { name: 'none', ready: false, hint: noGateway } : { name: found.kind, ready: true, hint: null }
    },
  }

  function gateway(name: GatewayName): PayerGateway {
    if (name === 'sandbox') return sandbox
    const found = settings()
    if (found === null) throw new AppError('engine-not-ready', noGateway)
    return stediGateway(found, tuning)
  }

  function hashOf(practice: string, name: GatewayName, question: object): string {
    return createHmac('sha256', key)
      .update(canonicalJson([practice, name, question]))
      .digest('hex')
  }
}
