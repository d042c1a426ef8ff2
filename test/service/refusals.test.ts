import { afterEach, beforeEach, expect, test } from 'vitest'
import { newKeyId, newSecret } from '#base/api-key-secret.ts'
import { systemClock } from '#base/clock.ts'
import { problemSchema } from '#contract/model/problem.ts'
import { countQueries } from './count-queries.ts'
import { openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
let elapsed = 0
beforeEach(async () => {
  elapsed = 0
  kit = await openKit({ caller: 'api-keys', clock: { ...systemClock, elapsed: () => elapsed } })
})
afterEach(() => kit.close())

const get = (key: string | null, from: string) =>
  kit.handle(
    new Request('http://embedded.invalid/v1/clients', key === null ? {} : { headers: { Authorization: `Bearer ${key}` } }),
    from,
  )

async function tryOften(from: string, count: number): Promise<Response> {
  for (let call = 1; call < count; call += 1) expect((await get('wrong', from)).status).toBe(401)
  return get('wrong', from)
}

test('an address that tries on and on is told to wait, and for how long', async () => {
  const last = await tryOften('203.0.113.7', 21)
  expect([last.status, last.headers.get('retry-after')]).toEqual([429, '3'])
  expect(problemSchema.parse(await last.json())).toMatchObject({ code: 'too-many-refusals', retryable: true })
  elapsed += 3_000
  expect((await get('wrong', '203.0.113.7')).status).toBe(401)
})

test('a key the service has let in before is let in from there all the same, and other addresses are not held off', async () => {
  expect((await get(kit.ownerKey, '203.0.113.9')).status).toBe(200)
  // Longer than what is known of a key between calls.
  elapsed += 120_000
  await tryOften('203.0.113.7', 21)
  expect((await get(kit.ownerKey, '203.0.113.7')).status).toBe(200)
  expect((await get('wrong', '203.0.113.8')).status).toBe(401)
})

test('an address that tries on and on costs the database nothing: its limit is asked first', async () => {
  const wrong = newSecret('live', newKeyId())
  await tryOften('203.0.113.7', 21)
  const queries = countQueries()
  const statuses = new Set<number>()
  for (let call = 0; call < 50; call += 1) statuses.add((await get(wrong, '203.0.113.7')).status)
  const asked = queries.taken()
  expect([...statuses]).toEqual([429])
  expect(asked).toEqual([])
  // After the time it was told to wait, one more is looked up.
  elapsed += 3_000
  expect((await get(wrong, '203.0.113.7')).status).toBe(401)
  expect(queries.taken().some((text) => text.includes('api_keys'))).toBe(true)
  queries.stop()
  await kit.reopen()
  const rows = await kit.ask<{ calls: number }>('select calls from refused_calls')
  expect(rows.map(({ calls }) => Number(calls))).toEqual([72])
})

test('all of an IPv6 network is one address, and IPv4 by another spelling is the same', async () => {
  await tryOften('2001:db8:1:2::1', 21)
  expect((await get('wrong', '2001:db8:1:2:ffff::9')).status).toBe(429)
  expect((await get('wrong', '2001:db8:1:3::1')).status).toBe(401)
  await tryOften('2001:db8::1', 21)
  expect((await get('wrong', '2001:db8::ffff:2')).status).toBe(429)
  expect((await get('wrong', '2001:db8:0:1::1')).status).toBe(401)
  await tryOften('::ffff:203.0.113.7', 21)
  expect((await get('wrong', '203.0.113.7')).status).toBe(429)
})

test('refusals are counted by the hour, and no key stands in the count', async () => {
  await get('aw_live_secret', '203.0.113.7')
  await get('aw_live_secret', '203.0.113.7')
  await get(null, '203.0.113.8')
  await kit.reopen()
  const rows = await kit.ask('select source, reason, calls from refused_calls order by source')
  expect(rows).toEqual([
    { source: '203.0.113.7', reason: 'wrong', calls: 2 },
    { source: '203.0.113.8', reason: 'none', calls: 1 },
  ])
})

test('however many addresses there are, the count stays bounded', async () => {
  for (let block = 0; block < 5; block += 1)
    await Promise.all(Array.from({ length: 250 }, (_, host) => get(null, `10.0.${block}.${host}`)))
  await kit.reopen()
  const rows = await kit.ask<{ source: string; calls: number }>("select source, calls from refused_calls where source = 'other'")
  const [all] = await kit.ask<{ count: number }>('select count(*) as count from refused_calls')
  expect([Number(all!.count), Number(rows[0]!.calls)]).toEqual([1001, 250])
})

test('where a call came from stands in the audit log', async () => {
  await get(kit.ownerKey, '203.0.113.7')
  const rows = await kit.ask<{ event: string }>('select event from audit_events order by seq')
  expect(JSON.parse(rows.at(-1)!.event)).toMatchObject({ source: '203.0.113.7' })
})
