import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { problemSchema } from '#contract/model/problem.ts'
import type { Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { aClient, anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

const noon = Date.parse('2026-05-05T12:00:00Z')
const hour = 3_600_000

let kit: ServiceKit
let now = noon
const clock = { ...systemClock, now: () => now }
beforeEach(async () => {
  now = noon
  kit = await openKit({ caller: 'api-keys', clock })
})
afterEach(() => kit.close())

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  kit.fetch(method, path, body, { Authorization: `Bearer ${kit.ownerKey}`, ...headers })
const clients = () => call('GET', '/v1/clients')
const left = (response: Response) => /^"daily";r=(\d+);t=\d+$/.exec(response.headers.get('ratelimit') ?? '')?.[1]

/** As if so many calls had been made on that day. */
async function use(used: number, day = '2026-05-05'): Promise<void> {
  // Answered, the service holds no write open that this second connection could run into.
  await call('GET', '/v1')
  await kit.ask(`delete from quota_days where day = '${day}'`)
  await kit.ask(`insert into quota_days (practice_id, day, used) select id, '${day}', ${used} from practices`)
}

test('what counts are the ten published operations', () => {
  const counted = Object.entries(routes as Record<string, Route>).filter(([, route]) => route.counted)
  expect(counted.filter(([, route]) => !route.published).map(([id]) => id)).toEqual([])
  expect(counted).toHaveLength(10)
})

describe('a call that is counted', () => {
  test('says what the plan is, what is left of it and for how long', async () => {
    const response = await clients()
    expect([response.headers.get('ratelimit-policy'), response.headers.get('ratelimit')]).toEqual([
      '"daily";q=100;w=86400',
      '"daily";r=99;t=43200',
    ])
    expect(left(await clients())).toBe('98')
  })
  test('past the quota is refused with the registered problem, and has no effect', async () => {
    await use(99)
    const { id } = (await (await call('POST', '/v1/clients', { display_name: 'Ana' })).json()) as { id: string }
    const body = { client_id: id, session_type: 'intake', starts_at: '2026-05-05T09:00:00Z', duration_minutes: 50 }
    expect((await call('POST', '/v1/sessions', body)).status).toBe(201)
    const refused = await call('POST', '/v1/sessions', { ...body, starts_at: '2026-05-05T11:00:00Z' })
    expect([refused.status, refused.headers.get('retry-after'), left(refused)]).toEqual([429, '43200', '0'])
    expect(problemSchema.parse(await refused.json())).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      code: 'quota-exceeded',
      retryable: true,
    })
    const { data } = (await (await call('GET', '/v1/sessions')).json()) as { data: unknown[] }
    expect(data).toHaveLength(1)
  })
  test('still counts after a restart', async () => {
    await clients()
    await kit.reopen()
    expect(left(await clients())).toBe('98')
  })
  test('counts where it failed by its own fault, not where it was refused', async () => {
    expect(left(await call('POST', '/v1/sessions', 'no json'))).toBe('99')
    expect(left(await call('POST', '/v1/sessions', {}))).toBe('98')
    const nobody = { client_id: anId(), session_type: 'intake', starts_at: '2026-05-05T09:00:00Z', duration_minutes: 50 }
    expect(left(await call('POST', '/v1/sessions', nobody))).toBeUndefined()
    expect(left(await call('POST', '/v1/sessions', 'x', { 'Content-Type': 'text/plain' }))).toBeUndefined()
    expect(left(await call('DELETE', '/v1/clients'))).toBeUndefined()
    expect(left(await kit.fetch('GET', '/v1/clients'))).toBeUndefined()
    expect(left(await clients())).toBe('97')
  })
  test('failed past the quota is told of the quota', async () => {
    await use(100)
    expect((await call('POST', '/v1/sessions', {})).status).toBe(429)
  })
})

describe('what is not counted', () => {
  test('the service document, records beyond the published ones, polling', async () => {
    for (const path of ['/v1', '/v1/sessions', `/v1/operations/${anId()}`])
      expect((await call('GET', path)).headers.get('ratelimit')).toBeNull()
    expect(left(await clients())).toBe('99')
  })
  test('a replay, which is answered past the quota too', async () => {
    const { id } = (await (await call('POST', '/v1/clients', { display_name: 'Ana' })).json()) as { id: string }
    const body = { client_id: id, session_type: 'intake', starts_at: '2026-05-05T09:00:00Z', duration_minutes: 50 }
    const post = () => call('POST', '/v1/sessions', body, { 'Idempotency-Key': 'k' })
    await use(99)
    await post()
    expect((await clients()).status).toBe(429)
    const again = await post()
    expect([again.status, again.headers.get('idempotency-replayed'), again.headers.get('ratelimit')]).toEqual([201, 'true', null])
  })
  test('a replay that is told what became of it: another request, or erased since', async () => {
    const { id } = (await (await call('POST', '/v1/clients', { display_name: 'Ana' })).json()) as { id: string }
    const body = { client_id: id, session_type: 'intake', starts_at: '2026-05-05T09:00:00Z', duration_minutes: 50 }
    const post = (more: object = {}) => call('POST', '/v1/sessions', { ...body, ...more }, { 'Idempotency-Key': 'k' })
    const first = left(await post())
    const other = await post({ duration_minutes: 30 })
    await kit.ask("update sessions set deleted_at = '2026-05-05', body = '{}'")
    const erased = await post()
    expect([other, erased].map((response) => [response.status, left(response)])).toEqual([
      [422, undefined],
      [410, undefined],
    ])
    expect(left(await clients())).toBe(String(Number(first) - 1))
  })
  test('anything under the enterprise plan', async () => {
    await kit.reopen({ caller: 'api-keys', clock, plan: 'enterprise' })
    await use(1_000_000)
    const response = await clients()
    expect([response.status, response.headers.get('ratelimit'), response.headers.get('ratelimit-policy')]).toEqual([
      200,
      null,
      null,
    ])
  })
})

describe('the window', () => {
  test('ends at midnight UTC', async () => {
    await use(100)
    now = Date.parse('2026-05-05T23:59:59.500Z')
    expect((await clients()).headers.get('retry-after')).toBe('1')
    now += 500
    expect(left(await clients())).toBe('99')
  })
  test('does not open anew because the clock steps back over midnight', async () => {
    now = Date.parse('2026-05-06T00:00:01Z')
    await use(100, '2026-05-06')
    expect((await clients()).status).toBe(429)
    now -= hour
    const refused = await clients()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '89999'])
    await use(40, '2026-05-06')
    await kit.reopen()
    expect(left(await clients())).toBe('59')
  })
  test('is not held by a clock that once stood a year ahead', async () => {
    await use(100, '2027-05-05')
    expect(left(await clients())).toBe('99')
  })
  test('a larger plan counts from the next call on', async () => {
    await use(100)
    expect((await clients()).status).toBe(429)
    await kit.reopen({ caller: 'api-keys', clock, plan: 'professional' })
    expect(left(await clients())).toBe('9899')
  })
})

test('of 200 calls at once with one left, exactly one goes through', async () => {
  await use(99)
  const answers = await Promise.all(Array.from({ length: 200 }, clients))
  const having = (status: number) => answers.filter((answer) => answer.status === status)
  expect([having(200).length, having(429).length]).toEqual([1, 199])
})

test('in the app nothing is limited, and no field says otherwise', async () => {
  const embedded = await openKit()
  await aClient(embedded.client)
  expect((await embedded.fetch('GET', '/v1/clients')).headers.get('ratelimit')).toBeNull()
  await embedded.close()
})
