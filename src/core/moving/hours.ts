import type { ServiceClient } from '#client/client.ts'
import type { Availability } from '#contract/model/availability.ts'
import { AppError } from '#contract/errors.ts'
import { etag } from '#core/sync/sending.ts'
import { clinicianThere, differing } from './content.ts'
import { orNull } from './bring-records.ts'
import type { Target } from './target.ts'

/**
 * Working hours and time off stand with the service alone, so they go from the one to the other. Hours that the practice
 * has for this person already stay as they are there.
 */
export async function bringHours(from: ServiceClient, { client, who, signal }: Target): Promise<void> {
  const here = await mine(from, who.therapist_id, signal)
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

/** None where the service keeps none, or cannot be asked: it is the one in this process, or nothing is lost by it. */
async function mine(client: ServiceClient, clinician_id: string, signal?: AbortSignal): Promise<Availability[]> {
  try {
    const query = { clinician_id, limit: 200 }
    const { data: page } = await client.call('listAvailability', { query, ...(signal ? { signal } : {}) })
    return page.data.filter(
      ({ status, ...one }) => status === 'active' && 'clinician_id' in one && one.clinician_id === clinician_id,
    )
  } catch (error) {
    if (error instanceof AppError && ['not-found', 'service-unreachable', 'forbidden'].includes(error.code)) return []
    throw error
  }
}
