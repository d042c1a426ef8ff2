import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PayerAnswer {
  readonly status?: number
  /** As text where it is not JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Waits for this before it answers; a promise that never comes is a payer that never answers. */
  readonly after?: Promise<unknown>
  /** The line is cut without an answer. */
  readonly breaksOff?: boolean
}

export interface PayerQuestion {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Record<string, unknown>
}

export interface PayerServer {
  /** Without a path. */
  readonly address: string
  readonly asked: PayerQuestion[]
  /** What it answers, one after the other; the last one again and again. Or by what is asked. */
  script(answers: readonly PayerAnswer[] | ((question: PayerQuestion) => PayerAnswer)): void
  close(): Promise<void>
}

/** An eligibility gateway as `POST /change/medicalnetwork/eligibility/v3` describes one, answering from a script. */
export async function startPayerServer(): Promise<PayerServer> {
  const asked: PayerQuestion[] = []
  let answers: readonly PayerAnswer[] | ((question: PayerQuestion) => PayerAnswer) = []
  let next = 0
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    script: (script) => {
      answers = script
      next = 0
      asked.length = 0
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const question: PayerQuestion = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>,
    }
    asked.push(question)
    const told = typeof answers === 'function' ? answers(question) : (answers[Math.min(next, answers.length - 1)] ?? {})
    next += 1
    await told.after
    if (told.breaksOff) {
      response.destroy()
      return
    }
    response.writeHead(told.status ?? 200, { 'Content-Type': 'application/json', ...told.headers })
    response.end(typeof told.body === 'string' ? told.body : JSON.stringify(told.body ?? {}))
  }
}

/** A plan as that shape tells it. */
export const activePlan = {
  controlNumber: '000000001',
  payer: { name: 'NORTHLAKE HEALTH', payorIdentification: '87726', aaaErrors: [] },
  subscriber: { memberId: 'W123456789', groupNumber: 'G-77', aaaErrors: [] },
  planDateInformation: { plan: '20260101-20261231' },
  planStatus: [{ statusCode: '1', status: 'Active Coverage', serviceTypeCodes: ['30'] }],
  benefitsInformation: [
    { code: '1', coverageLevelCode: 'IND', serviceTypeCodes: ['30'], insuranceTypeCode: 'PR', planCoverage: 'SILVER PPO' },
    { code: '1', serviceTypeCodes: ['MH'] },
    {
      code: 'B',
      coverageLevelCode: 'IND',
      serviceTypeCodes: ['MH'],
      timeQualifierCode: '27',
      benefitAmount: '20',
      authOrCertIndicator: 'N',
      inPlanNetworkIndicatorCode: 'Y',
      additionalInformation: [{ description: 'PER VISIT' }],
    },
    {
      code: 'F',
      serviceTypeCodes: ['MH'],
      timeQualifierCode: '29',
      quantityQualifierCode: 'VS',
      benefitQuantity: '12',
      inPlanNetworkIndicatorCode: 'Y',
    },
  ],
}
