import { createHmac } from 'node:crypto'
import type { Clock } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import type { EngineState } from '#contract/model/service-document.ts'
import { canonicalJson } from '#domain/canonical-note.ts'
import { type AskTuning, createAsk, createFlights } from './asking/ask.ts'
import { createTurns } from '#service/kernel/turns.ts'
import type { EligibilityInquiry, EligibilityRaw, PayerGateway, PayerSettings } from './port.ts'
import { sandboxGateway, sandboxPrefix } from './sandbox/gateway.ts'
import { noGateway, isSandboxPayer, sandboxPayer } from './port.ts'
import { stediGateway, type StediTuning } from './stedi/gateway.ts'
import type { Client } from '#contract/model/client.ts'
import type { CoverageRequest } from '#contract/model/coverage.ts'
import { isNpi } from '#contract/model/staff.ts'
import type { Payer } from '#contract/model/payer.ts'
import { invalidField } from '#service/kernel/problem.ts'
import type { Caller } from '#service/kernel/caller.ts'

export type Question = Omit<EligibilityInquiry, 'trace' | 'asked_at'>
export type GatewayName = PayerGateway['name']

export type PayerDesk = ReturnType<typeof openDesk>

export interface DeskOptions {
  readonly settings: () => PayerSettings | null
  readonly key: Uint8Array
  readonly clock: Clock
  readonly tuning?: (AskTuning & StediTuning) | undefined
}

export function openDesk({ settings, key, clock, tuning = {} }: DeskOptions) {
  const sandbox = sandboxGateway()
  const ask = createAsk(clock, tuning)
  const fly = createFlights<EligibilityRaw>()
  const inTurn = createTurns()

  return {
    settings,
    gateway,
    hashOf,
    ask: (practice: string, name: GatewayName, inquiry: EligibilityInquiry, signal: AbortSignal) => {
      const { trace: _trace, asked_at: _asked, ...question } = inquiry
      const member = hashOf(practice, name, { payer: inquiry.payer.id, member: inquiry.subscriber.member_id })
      return fly(hashOf(practice, name, question), signal, (shared) => inTurn(member, () => ask(gateway(name), inquiry, shared)))
    },
    state: (isTest: boolean): EngineState => {
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

  /** The hash is keyed, because anyone could test guesses about the member against a plain hash. */
  function hashOf(practice: string, name: GatewayName, question: object): string {
    return createHmac('sha256', key)
      .update(canonicalJson([practice, name, question]))
      .digest('hex')
  }
}

interface Known {
  readonly body: CoverageRequest
  readonly client: Client | null
  readonly payer: Payer | null
  readonly settings: PayerSettings | null
}

/** CMS place of service codes: 11 office, 10 telehealth in the patient's home. */
const places = { in_person: '11', video: '10', phone: '10' } as const

/**
 * Test keys can ask only the sandbox. Every key can ask the sandbox about clients whose insurance names the sandbox payer. Only
 * test keys can ask the sandbox without a client.
 */
export function gatewayFor({ is_test }: Pick<Caller, 'is_test'>, { body, client, settings }: Known): GatewayName {
  const isSandbox = isSandboxPayer(body.payer_id)
  if (is_test && !isSandbox) throw invalidField('/payer_id', `a test key reaches ${sandboxPayer.id} alone`)
  if (isSandbox) {
    const isSample = client !== null && isSandboxPayer(client.insurance?.payer_id ?? '')
    if (client !== null && !isSample)
      throw invalidField('/client_id', `not a sample client: its card does not name ${sandboxPayer.id}`)
    if (!is_test && !isSample)
      throw invalidField('/payer_id', `${sandboxPayer.id} answers for test keys and sample clients alone`)
    return 'sandbox'
  }
  if (settings === null) throw new AppError('engine-not-ready', noGateway)
  return settings.kind
}

export function questionOf(known: Known, gateway: PayerGateway): Question {
  const { body, payer } = known
  const subscriber = subscriberOf(known)
  const isTestMember = subscriber.member_id.toUpperCase().startsWith(sandboxPrefix)
  if ((gateway.name === 'sandbox') !== isTestMember)
    throw invalidField('/subscriber/member_id', isTestMember ? 'a test member' : `test members begin with ${sandboxPrefix}`)
  const payerId = payer?.trading_partner_ids[0] ?? body.payer_id
  if (!gateway.accepts(payerId)) throw invalidField('/payer_id', 'this payer takes no eligibility questions here')
  return {
    payer: { id: payerId, name: payerName(known, gateway) },
    provider: providerOf(known, gateway.name),
    subscriber,
    dependent: dependentOf(known),
    service_date: body.service_date ?? null,
    service_type_codes: body.service_type_codes.map((code) => code.toUpperCase()),
    cpt_codes: body.cpt_codes.map((code) => code.toUpperCase()),
    place_of_service: body.modality === undefined ? null : places[body.modality],
  }
}

function payerName({ body, payer, client }: Known, gateway: PayerGateway): string {
  if (payer !== null) return payer.name
  if (gateway.name === 'sandbox' && body.payer_id === sandboxPayer.id) return sandboxPayer.name
  return client?.insurance?.payer_id === body.payer_id ? client.insurance.payer_name : body.payer_id
}

function subscriberOf({ body, client }: Known): Question['subscriber'] {
  if (body.subscriber !== undefined) return body.subscriber
  const card = client?.insurance ?? null
  if (client === null) throw invalidField('/subscriber', 'needed where no client is named')
  if (card === null) throw invalidField('/subscriber', 'needed: no insurance is on file for this client')
  if (card.relationship !== 'self') throw invalidField('/subscriber', 'needed: the client is insured with somebody else')
  const { given_name, family_name, date_of_birth } = client
  if (given_name === null || family_name === null || date_of_birth === null)
    throw invalidField('/subscriber', 'needed: the client’s given name, family name or birth date is not on file')
  return { member_id: card.member_id, group_number: card.group_number, given_name, family_name, date_of_birth }
}

function dependentOf({ body, client }: Known): Question['dependent'] {
  if (body.dependent !== null) return body.dependent
  const relationship = client?.insurance?.relationship ?? 'self'
  if (client === null || relationship === 'self' || body.subscriber === undefined) return null
  const { given_name, family_name, date_of_birth } = client
  if (given_name === null || family_name === null || date_of_birth === null)
    throw invalidField('/dependent', 'needed: the client’s given name, family name or birth date is not on file')
  return { given_name, family_name, date_of_birth, relationship }
}

function providerOf({ body, settings }: Known, gateway: GatewayName): Question['provider'] {
  const provider = body.provider ?? settings?.provider ?? (gateway === 'sandbox' ? sandboxProvider : null)
  if (provider === null) throw invalidField('/provider', 'needed: who asks is neither in the request nor in the configuration')
  if (!isNpi(provider.npi)) throw invalidField('/provider/npi', 'not an NPI: its check digit does not fit')
  return provider
}

/** A made-up NPI with a valid check digit. */
const sandboxProvider = { npi: '1999999984', organization_name: 'Sandbox practice' }
