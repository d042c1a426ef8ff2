import { retryAfterMs } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { attempt } from '#base/control.ts'
import type { EligibilityInquiry, EligibilityRaw, PayerGateway, Person } from '../port.ts'
import { Unanswered } from '../asking/ask.ts'
import { relationships } from '../x12/write.ts'
import { readStediAnswer, rejectionsOf, stediAnswerSchema } from './read-answer.ts'

export interface StediSettings {
  readonly address: string
  readonly key: string
}

export interface StediTuning {
  readonly timeoutMs?: number
}

const path = '/change/medicalnetwork/eligibility/v3'
const TIME_LIMIT = 60_000
const MAX_ANSWER = 8 * 1024 * 1024

export function stediGateway({ address, key }: StediSettings, { timeoutMs = TIME_LIMIT }: StediTuning = {}): PayerGateway {
  const url = address.replace(/\/+$/, '') + path
  return {
    name: 'stedi',
    check: async (inquiry, signal) => {
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { Authorization: key, 'Content-Type': 'application/json', Accept: 'application/json' },
          body: JSON.stringify(stediRequest(inquiry)),
          // A redirect could send member data to another address.
          redirect: 'error',
          signal: AbortSignal.any([signal, timeout]),
        })
        return await answerOf(response, inquiry)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (error instanceof AppError) throw error
        if (timeout.aborted) throw new Unanswered('The payer didn’t answer in time.', null)
        throw new Unanswered('The payer gateway didn’t answer.', null)
      }
    },
    accepts: () => true,
  }
}

async function answerOf(response: Response, inquiry: EligibilityInquiry): Promise<EligibilityRaw> {
  const { status } = response
  if (response.ok) return readStediAnswer(await bodyOf(response))
  if (status === 400) {
    const refused = refusalOf(await bodyOf(response), inquiry)
    if (refused !== null) return refused
    throw new AppError('engine-failed', 'The payer gateway does not take this question (400).')
  }
  // Bodies of other errors may repeat member data, so don't read them.
  await response.body?.cancel()
  if (status === 401 || status === 403)
    throw new AppError('engine-not-ready', 'The payer gateway does not take this key. Check it in the configuration.')
  if (status === 404 || status === 405)
    throw new AppError('engine-not-ready', 'There is no payer gateway at this address. Check it in the configuration.')
  if (status === 408 || status === 429 || status >= 500)
    throw new Unanswered(
      `The payer gateway returned an error (${status}).`,
      retryAfterMs(response.headers.get('retry-after'), Date.now()),
    )
  throw new AppError('engine-failed', `The payer gateway does not take this question (${status}).`)
}

function refusalOf(text: string, { payer }: EligibilityInquiry): EligibilityRaw | null {
  const answer = attempt(() => stediAnswerSchema.safeParse(JSON.parse(text)))
  const rejections = answer?.success ? rejectionsOf(answer.data).filter(({ code }) => /^[0-9T][0-9]$/.test(code)) : []
  if (rejections.length === 0) return null
  const nothing = { dates: [], references: [], benefits: [] }
  return { media_type: 'application/json', text, payer: { id: payer.id, name: null }, ...nothing, rejections }
}

async function bodyOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_ANSWER) throw new AppError('engine-failed', 'The payer gateway answers more than an eligibility answer.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length).toString('utf8')
}

function controlNumber(trace: string): string {
  const digits = BigInt(`0x${trace.replaceAll(/[^0-9a-f]/gi, '') || '0'}`) % 1_000_000_000n
  return String(digits).padStart(9, '0')
}

const day = (date: string): string => date.replaceAll('-', '')

function person({ given_name, family_name, date_of_birth }: Person) {
  return { firstName: given_name, lastName: family_name, dateOfBirth: day(date_of_birth) }
}

function stediRequest(inquiry: EligibilityInquiry): object {
  const { payer, provider, subscriber, dependent, service_date, service_type_codes, cpt_codes, place_of_service } = inquiry
  return {
    controlNumber: controlNumber(inquiry.trace),
    tradingPartnerServiceId: payer.id,
    provider: { organizationName: provider.organization_name, npi: provider.npi },
    subscriber: {
      ...person(subscriber),
      memberId: subscriber.member_id,
      ...(subscriber.group_number === null ? {} : { groupNumber: subscriber.group_number }),
    },
    ...(dependent === null
      ? {}
      : { dependents: [{ ...person(dependent), individualRelationshipCode: relationships[dependent.relationship] }] }),
    encounter: {
      serviceTypeCodes: service_type_codes,
      ...(service_date === null ? {} : { dateOfService: day(service_date) }),
      ...(place_of_service === null ? {} : { industryCode: place_of_service }),
      ...(cpt_codes.length === 0
        ? {}
        : { medicalProcedures: cpt_codes.map((procedureCode) => ({ productOrServiceIDQualifier: 'HC', procedureCode })) }),
    },
  }
}
