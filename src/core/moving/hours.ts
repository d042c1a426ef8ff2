import type { ServiceClient } from '#client/client.ts'
import type { Availability } from '#contract/model/availability.ts'
import { etag, failedWith } from '#core/outbox/sending.ts'
import { clinicianThere, differing } from './content.ts'
import { orNull } from './bring-records.ts'
import type { Target } from './target.ts'

interface From {
  readonly client: ServiceClient
  /** The service in this process, which is not there where the app runs without one. */
  readonly isInside: boolean
}

/**
 * Working hours and time off stand with the service alone, so they go from the one to the other. Hours that the practice
 * has for this person already stay as they are there.
 */
export async function bringHours(from: From, { client, who, signal }: Target): Promise<void> {
  const here = await mineHere(from, who.therapist_id, signal)
  if (here.length === 0) return
  const there = await mine(client, who.person_id, signal)
  for (const one of here) {
    if (one.kind !== 'hours' && one.kind !== 'time_off') continue
    const { id, created_at: _made, updated_at: _changed, version: _version, ...kept } = one
    if (one.kind === 'hours' && there.some((other) => other.kind === 'hours' && other.id !== id)) continue
    const body = { ...kept, clinician_id: clinicianThere(who, one.clinician_id) ?? who.person_id }
    const current = await orNull(client.call('getAvailability', { params: { id }, signal }).then(({ data }) => data))
    if (current !== null && differing(current, body).length === 0) continue
    await client.call('putAvailability', { params: { id }, body, signal, ...(current ? { ifMatch: etag(current.version) } : {}) })
  }
}

export async function keepsHours(client: ServiceClient, person: string): Promise<boolean> {
  return (await mine(client, person)).some(({ kind }) => kind === 'hours')
}

async function mineHere({ client, isInside }: From, clinician_id: string, signal: AbortSignal): Promise<Availability[]> {
  try {
    return await mine(client, clinician_id, signal)
  } catch (error) {
    if (isInside && failedWith(error, 'service-unreachable')) return []
    throw error
  }
}

/** None where the service keeps none; one that cannot be asked has not said so. */
async function mine(client: ServiceClient, clinician_id: string, signal?: AbortSignal): Promise<Availability[]> {
  try {
    const found: Availability[] = []
    let cursor: string | null = null
    do {
      const query = { clinician_id, limit: 200, ...(cursor === null ? {} : { cursor }) }
      const sent = { query, ...(signal ? { signal } : {}) }
      const page: { data: Availability[]; next_cursor: string | null } = (await client.call('listAvailability', sent)).data
      found.push(...page.data)
      cursor = page.next_cursor
    } while (cursor !== null)
    return found.filter(({ status, ...one }) => status === 'active' && 'clinician_id' in one && one.clinician_id === clinician_id)
  } catch (error) {
    if (failedWith(error, 'not-found', 'forbidden')) return []
    throw error
  }
}
