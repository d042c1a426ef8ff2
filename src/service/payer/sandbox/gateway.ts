import { AppError } from '#contract/errors.ts'
import type { PayerGateway } from '../port.ts'
import { buildInquiry } from '../x12/inquiry.ts'
import { readResponse } from '../x12/response.ts'
import { answerInquiry } from './answer.ts'
import { isSandboxPayer } from '../settings.ts'
import { sandboxDown, sandboxPayer } from './members.ts'

/**
 * A payer that is no payer: X12 out and in by the same builder and reader as any other, with answers for test members.
 * For test keys and sample clients; nothing leaves this process.
 */
export function sandboxGateway(): PayerGateway {
  return {
    name: 'sandbox',
    check: async (inquiry, signal) => {
      signal.throwIfAborted()
      const question = buildInquiry(inquiry, { sender: 'AFTERWORD', receiver: sandboxPayer.id, control: 1, isTest: true })
      if (inquiry.subscriber.member_id.toUpperCase() === sandboxDown)
        throw new AppError('payer-unavailable', 'The sandbox payer is down for this member, as it is meant to be.')
      return readResponse(answerInquiry(question, inquiry.asked_at), inquiry.trace)
    },
    payers: (q) =>
      `${sandboxPayer.id} ${sandboxPayer.name}`.toLowerCase().includes(q.toLowerCase())
        ? [{ payer_id: sandboxPayer.id, name: sandboxPayer.name }]
        : [],
    capabilities: (payerId) => ({ eligibility: isSandboxPayer(payerId), test_only: true }),
  }
}
