import { systemClock } from '#base/clock.ts'
import { createServiceClient } from '#client/client.ts'
import type { ServiceClient } from '#client/client.ts'
import type { ScheduleAnswer, ScheduleRequest } from '#contract/model/schedule.ts'
import type { Role } from '#contract/rest/route.ts'
import type { RouteBodyInput } from '#contract/rest/routes.ts'
import { anId, openKit } from '../service-kit.ts'
import type { ServiceKit } from '../service-kit.ts'

export const zone = 'America/Chicago'
/** A Monday in November, early in the morning. */
export const start = Date.parse('2026-11-02T12:00:00Z')

export interface ScheduleKit {
  readonly kit: ServiceKit
  readonly owner: ServiceClient
  /** Somebody else of the same practice. */
  as(roles: Role[], person?: string): Promise<{ client: ServiceClient; person: string }>
  /** Time goes by. */
  pass(minutes: number): void
  close(): Promise<void>
}

/** A practice of its own with keys, whose clock stands still. */
export async function openScheduleKit(): Promise<ScheduleKit> {
  let now = start
  const kit = await openKit({ caller: 'api-keys', plan: 'enterprise', clock: { ...systemClock, now: () => now } })
  const withKey = (token: string): ServiceClient =>
    createServiceClient({
      base_url: 'http://embedded.invalid/v1',
      token,
      fetch: (request) => kit.handle(request),
    })
  const owner = withKey(kit.ownerKey!)
  return {
    kit,
    owner,
    as: async (roles, person = anId()) => {
      await kit.employ(roles, person)
      const { secret } = (await owner.call('createApiKey', { body: { name: 'Somebody', roles, person_id: person } })).data
      return { client: withKey(secret!), person }
    },
    pass: (minutes) => {
      now += minutes * 60_000
    },
    close: () => kit.close(),
  }
}

type Input = RouteBodyInput<'schedule'>

export async function schedule(
  client: ServiceClient,
  mode: ScheduleRequest['mode'],
  request: Partial<Input['request']> & { client_ids: string[] },
  more: Partial<Input> = {},
): Promise<ScheduleAnswer> {
  const body: Input = { mode, request: { type: 'individual', duration_minutes: 50, tzid: zone, ...request }, ...more }
  return (await client.call('schedule', { body })).data
}
