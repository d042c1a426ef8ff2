import { allPages } from '#client/answer.ts'
import type { ServiceClient } from '#client/client.ts'
import type { Availability } from '#contract/model/availability.ts'
import { type Authorisation, authorisationDraftSchema, authorisationPatchSchema } from '#contract/model/payer.ts'
import { failedWith, orNull } from '#core/outbox/sending.ts'
import { offered } from '#core/records/insurance/coverage-handlers.ts'
import { clinicianThere, differing, type Target } from './target.ts'

export interface Source {
  readonly client: ServiceClient
  readonly isEmbedded: boolean
}

interface Options {
  readonly signal?: AbortSignal
}

/** Copies working hours and time off, which the vault does not store. Skips hours if the target already has other hours. */
export async function uploadHours(source: Source, { client, who, signal }: Target): Promise<void> {
  const here = await readable(source, hoursAt(source.client, who.therapist_id, { signal }))
  if (here.length === 0) return
  const there = await hoursAt(client, who.person_id, { signal })
  for (const one of here) {
    if (one.kind !== 'hours' && one.kind !== 'time_off') continue
    const { id, created_at: _created, updated_at: _updated, version: _version, ...fields } = one
    if (one.kind === 'hours' && there.some((other) => other.kind === 'hours' && other.id !== id)) continue
    const body = { ...fields, clinician_id: clinicianThere(who, one.clinician_id) ?? who.person_id }
    const current = await orNull(client.call('getAvailability', { params: { id }, signal }).then(({ data }) => data))
    if (current !== null && differing(current, body).length === 0) continue
    await client.call('putAvailability', { params: { id }, body, signal, ...(current ? { ifMatch: current.version } : {}) })
  }
}

export async function hasHours(client: ServiceClient, person: string): Promise<boolean> {
  return (await hoursAt(client, person)).some(({ kind }) => kind === 'hours')
}

async function hoursAt(client: ServiceClient, clinician_id: string, options: Options = {}): Promise<Availability[]> {
  try {
    const all = await allPages((page) => client.call('listAvailability', { query: { clinician_id, ...page }, ...options }))
    return all.filter(({ status, ...one }) => status === 'active' && 'clinician_id' in one && one.clinician_id === clinician_id)
  } catch (error) {
    if (failedWith(error, 'not-found', 'forbidden')) return []
    throw error
  }
}

export async function uploadAuthorization(
  here: Authorisation,
  there: Authorisation | null,
  { client, over, signal }: Target,
): Promise<void> {
  const { id } = here
  const draft = authorisationDraftSchema.parse(here)
  if (there === null) {
    await client.call('createAuthorisation', { body: { ...draft, id }, signal })
    return
  }
  const body = authorisationPatchSchema.parse(draft)
  const isLater = Date.parse(here.updated_at) > Date.parse(there.updated_at)
  if (differing(there, body).length === 0 || !(over || isLater)) return
  await client.call('updateAuthorisation', { params: { id }, body, ifMatch: there.version, signal })
}

export async function authorizationsOf(source: Source, options: Options = {}): Promise<Authorisation[]> {
  return readable(source, authorizationsAt(source.client, options))
}

export const authorizationsAt = (client: ServiceClient, options: Options): Promise<Authorisation[] | null> =>
  offered(() => allPages((page) => client.call('listAuthorisations', { query: page, ...options })))

async function readable<Found>({ isEmbedded }: Source, reading: Promise<Found[] | null>): Promise<Found[]> {
  try {
    return (await reading) ?? []
  } catch (error) {
    if (failedWith(error, 'forbidden') || (isEmbedded && failedWith(error, 'service-unreachable'))) return []
    throw error
  }
}
