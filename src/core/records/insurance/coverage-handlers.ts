import { z } from 'zod'
import { type ClientCoverage, type CoverageTold, coverageToldSchema } from '#contract/bridge/clients.ts'
import type { Handlers } from '#contract/bridge/methods.ts'
import { AppError } from '#contract/errors.ts'
import { type Coverage, type StoredCoverage, storedCoverageSchema } from '#contract/model/coverage.ts'
import { allPages } from '#client/answer.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Client } from '#contract/model/client.ts'
import type { IntentKind } from '#core/outbox/intents.ts'
import type { KeptAnswers } from '#core/records/kept-answers.ts'
import { failedWith } from '#core/outbox/sending.ts'
import type { RecordParts } from '#core/records/repositories.ts'
import { existing } from '#core/records/change.ts'

interface Parts extends Pick<RecordParts, 'clients' | 'change'> {
  readonly client: () => ServiceClient
  readonly keptAnswers: KeptAnswers
  readonly localOnly: { holds(kind: IntentKind, subjectId: string): boolean }
}

type Names = 'coverage.get' | 'coverage.check' | 'coverage.original' | 'authorisations.add' | 'authorisations.change'

export function coverageHandlers({ client, clients, keptAnswers, change, localOnly }: Parts): Handlers<Names> {
  return {
    'coverage.get': ({ client_id }) => coverageOf(client_id),
    'coverage.check': async ({ client_id, ...about }) => {
      const asked = whoIsCovered(existing(clients.find(client_id)), localOnly)
      change([], ({ audit }) => audit({ action: 'coverage.checked', subject_id: client_id, client_id }))
      const { status, data } = await client().call('verifyInsurance', { body: { ...asked, ...about, max_age_hours: 0 } })
      if ('eligibility_id' in data) await remember(client_id, data)
      return { coverage: await coverageOf(client_id), is_still_asking: status === 202 }
    },
    'coverage.original': async ({ eligibility_id }) =>
      (await client().call('getRawCoverage', { params: { id: eligibility_id } })).data,
    'authorisations.add': async (body) => (await client().call('createAuthorisation', { body })).data,
    'authorisations.change': async ({ id, version, patch }) =>
      (await client().call('updateAuthorisation', { params: { id }, ifMatch: version, body: patch })).data,
  }

  async function coverageOf(client_id: string): Promise<ClientCoverage> {
    existing(clients.find(client_id))
    const { value, ...answered } = await keptAnswers.ask(`coverage ${client_id}`, coverageToldSchema, () => askAll(client_id))
    return { ...value, ...answered }
  }

  async function askAll(client_id: string): Promise<CoverageTold> {
    const service = client()
    const checks = await offered(() => allPages((page) => service.call('listCoverage', { query: { client_id, ...page } })))
    const authorisations = await offered(() =>
      allPages((page) => service.call('listAuthorisations', { query: { client_id, ...page } })),
    )
    const document = await offered(() => service.call('describeService', {}))
    return {
      checks: checks === null ? (await answersHere(client_id)).toReversed() : checks.toReversed(),
      authorisations: authorisations ?? [],
      gateway: document?.data.engines.payer ?? null,
    }
  }

  async function answersHere(client_id: string): Promise<StoredCoverage[]> {
    const nothing = async (): Promise<StoredCoverage[]> => {
      throw new AppError('service-unreachable')
    }
    try {
      return (await keptAnswers.ask(questionHere(client_id), z.array(storedCoverageSchema), nothing)).value
    } catch (error) {
      if (failedWith(error, 'service-unreachable')) return []
      throw error
    }
  }

  async function remember(client_id: string, said: Coverage): Promise<void> {
    const { eligibility_id: id, checked_at: at } = said
    const before = (await answersHere(client_id)).filter((one) => one.id !== id)
    const all = [...before, { ...said, id, version: 1, created_at: at, updated_at: at }]
    await keptAnswers.ask(questionHere(client_id), z.array(storedCoverageSchema), async () => all)
  }
}

function whoIsCovered(client: Client, localOnly: Parts['localOnly']) {
  const { id, given_name, family_name, date_of_birth, insurance } = client
  if (insurance === null) throw new AppError('validation-failed', 'There is no insurance card on file for this client.')
  const { payer_id, member_id, group_number, relationship } = insurance
  const isUnknown = localOnly.holds('create-client', id)
  if (!isUnknown && !localOnly.holds('update-client', id)) return { client_id: id, payer_id }
  const whom = isUnknown ? {} : { client_id: id }
  if (relationship === 'self' && given_name !== null && family_name !== null && date_of_birth !== null)
    return { ...whom, payer_id, subscriber: { member_id, given_name, family_name, date_of_birth, group_number } }
  if (isUnknown) throw new AppError('client-not-there')
  return { ...whom, payer_id }
}

const questionHere = (client_id: string): string => `coverage answers ${client_id}`

export async function offered<Result>(ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask()
  } catch (error) {
    if (failedWith(error, 'not-offered', 'not-found', 'method-not-allowed')) return null
    throw error
  }
}
