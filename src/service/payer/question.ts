import { AppError } from '#contract/errors.ts'
import type { Client } from '#contract/model/client.ts'
import type { CoverageRequest } from '#contract/model/coverage.ts'
import { isNpi } from '#contract/model/npi.ts'
import type { Payer } from '#contract/model/payer.ts'
import type { Caller } from '#service/kernel/caller.ts'
import type { GatewayName, Question } from './desk.ts'
import type { PayerGateway, PayerSettings } from './port.ts'
import { sandboxPayer, sandboxPrefix } from './sandbox/members.ts'
import { isSandboxPayer, noGateway } from './port.ts'

interface Known {
  readonly body: CoverageRequest
  readonly client: Client | null
  /** As the practice's list has it. */
  readonly payer: Payer | null
  readonly settings: PayerSettings | null
}

/** 11 office, 10 telehealth at the patient's home (CMS place of service codes). */
const places = { in_person: '11', video: '10', phone: '10' } as const

/**
 * Test keys reach the sandbox alone; everybody else only with a sample client, whose card names the sandbox payer. No
 * real client is ever asked about there, and no test member anywhere else.
 *
 * @throws AppError `engine-not-ready`, `validation-failed`
 */
export function gatewayFor({ is_test }: Pick<Caller, 'is_test'>, { body, client, settings }: Known): GatewayName {
  const isSandbox = isSandboxPayer(body.payer_id)
  if (is_test && !isSandbox) throw refused('/payer_id', `a test key reaches ${sandboxPayer.id} alone`)
  if (isSandbox) {
    const isSample = client !== null && isSandboxPayer(client.insurance?.payer_id ?? '')
    if (client !== null && !isSample)
      throw refused('/client_id', `not a sample client: its card does not name ${sandboxPayer.id}`)
    if (!is_test && !isSample) throw refused('/payer_id', `${sandboxPayer.id} answers for test keys and sample clients alone`)
    return 'sandbox'
  }
  if (settings === null) throw new AppError('engine-not-ready', noGateway)
  return settings.kind
}

/** @throws AppError `validation-failed` naming what the payer would miss */
export function questionOf(known: Known, gateway: PayerGateway): Question {
  const { body, payer } = known
  const subscriber = subscriberOf(known)
  const isTestMember = subscriber.member_id.toUpperCase().startsWith(sandboxPrefix)
  if ((gateway.name === 'sandbox') !== isTestMember)
    throw refused('/subscriber/member_id', isTestMember ? 'a test member' : `test members begin with ${sandboxPrefix}`)
  const payerId = payer?.trading_partner_ids[0] ?? body.payer_id
  if (!gateway.capabilities(payerId).eligibility) throw refused('/payer_id', 'this payer takes no eligibility questions here')
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

/** As the practice's list has it, the gateway's, or the card. */
function payerName({ body, payer, client }: Known, gateway: PayerGateway): string {
  if (payer !== null) return payer.name
  const own = gateway.payers(body.payer_id).find(({ payer_id }) => payer_id === body.payer_id)
  if (own !== undefined) return own.name
  return client?.insurance?.payer_id === body.payer_id ? client.insurance.payer_name : body.payer_id
}

function subscriberOf({ body, client }: Known): Question['subscriber'] {
  if (body.subscriber !== undefined) return body.subscriber
  const card = client?.insurance ?? null
  if (client === null) throw refused('/subscriber', 'needed where no client is named')
  if (card === null) throw refused('/subscriber', 'needed: no insurance is on file for this client')
  if (card.relationship !== 'self') throw refused('/subscriber', 'needed: the client is insured with somebody else')
  const { given_name, family_name, date_of_birth } = client
  if (given_name === null || family_name === null || date_of_birth === null)
    throw refused('/subscriber', 'needed: the client’s given name, family name or birth date is not on file')
  return { member_id: card.member_id, group_number: card.group_number, given_name, family_name, date_of_birth }
}

/** The client, where the plan is somebody else's. */
function dependentOf({ body, client }: Known): Question['dependent'] {
  if (body.dependent !== null) return body.dependent
  const relationship = client?.insurance?.relationship ?? 'self'
  if (client === null || relationship === 'self' || body.subscriber === undefined) return null
  const { given_name, family_name, date_of_birth } = client
  if (given_name === null || family_name === null || date_of_birth === null)
    throw refused('/dependent', 'needed: the client’s given name, family name or birth date is not on file')
  return { given_name, family_name, date_of_birth, relationship }
}

function providerOf({ body, settings }: Known, gateway: GatewayName): Question['provider'] {
  const provider = body.provider ?? settings?.provider ?? (gateway === 'sandbox' ? sandboxProvider : null)
  if (provider === null) throw refused('/provider', 'needed: who asks is neither in the request nor in the configuration')
  if (!isNpi(provider.npi)) throw refused('/provider/npi', 'not an NPI: its check digit does not fit')
  return provider
}

/** Passes the check digit and is nobody's. */
const sandboxProvider = { npi: '1999999984', organization_name: 'Sandbox practice' }

const refused = (pointer: string, message: string): AppError =>
  new AppError('validation-failed', undefined, [{ pointer, code: 'invalid_value', message }])
