import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newSecret } from '#base/api-key-secret.ts'
import { systemClock } from '#base/clock.ts'
import type { ApiKeyWithSecret } from '#contract/model/api-key.ts'
import type { Me } from '#contract/model/me.ts'
import { anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
let now = Date.parse('2026-03-02T10:00:00.000Z')
beforeEach(async () => {
  now = Date.parse('2026-03-02T10:00:00.000Z')
  kit = await openKit({ caller: 'api-keys', plan: 'free', clock: { ...systemClock, now: () => now } })
})
afterEach(() => kit.close())

const day = 86_400_000
const as = (key: string) => ({ Authorization: `Bearer ${key}` })
const post = async <Answer>(path: string, body: unknown, key = kit.ownerKey!) => {
  const response = await kit.fetch('POST', path, body, as(key))
  return { status: response.status, data: (await response.json()) as Answer }
}
const who = async (key = kit.ownerKey!) => {
  const response = await kit.fetch('GET', '/v1/me', undefined, as(key))
  return { status: response.status, me: (await response.json()) as Me }
}

test('a caller is told who they are there, in what role and practice, and what is left of the day', async () => {
  const person = anId()
  await post('/v1/staff', { id: person, name: 'Dr. Ana Ruiz', roles: ['clinician'] })
  const key = (await post<ApiKeyWithSecret>('/v1/api-keys', { name: 'Laptop', roles: ['clinician'], person_id: person })).data
  await kit.fetch('GET', '/v1/clients', undefined, as(key.secret!))
  const { status, me } = await who(key.secret!)
  expect(status).toBe(200)
  expect(me).toMatchObject({
    practice: { name: 'Practice' },
    person_id: person,
    name: 'Dr. Ana Ruiz',
    roles: ['clinician'],
    plan: 'free',
    quota: { limit: 100, used: 1, resets_at: '2026-03-03T00:00:00.000Z' },
    key: { id: key.id, name: 'Laptop', expires_at: null },
    has_former_secret: false,
    ends_at: null,
  })
  expect(JSON.stringify(me)).not.toContain(key.secret!.slice(25))
  // Asking is not counted.
  expect((await who(key.secret!)).me.quota?.used).toBe(1)
})

describe('a key that renews itself', () => {
  const make = async (body: object = {}) =>
    (await post<ApiKeyWithSecret>('/v1/api-keys', { name: 'Laptop', roles: ['clinician'], renews_for_days: 30, ...body })).data
  const rotate = (id: string, body: object, key: string) => post<ApiKeyWithSecret>(`/v1/api-keys/${id}/rotate`, body, key)

  test('it is good for its days, and each rotation of its own makes it good for as many again', async () => {
    const key = await make()
    expect(key).toMatchObject({ renews_for_days: 30, expires_at: new Date(now + 30 * day).toISOString() })
    now += 25 * day
    const rotated = await rotate(key.id, {}, key.secret!)
    expect(rotated).toMatchObject({ status: 200, data: { expires_at: new Date(now + 30 * day).toISOString() } })
    now += 29 * day
    expect((await who(rotated.data.secret!)).me.ends_at).toBe(rotated.data.expires_at)
    expect((await who(key.secret!)).status).toBe(401)
    now += day
    expect((await who(rotated.data.secret!)).status).toBe(401)
  })
  test('what ends lends no key that goes on', async () => {
    const ending = await make({ renews_for_days: undefined, roles: ['owner'], expires_at: new Date(now + day).toISOString() })
    const own = { name: 'x', roles: ['owner'], renews_for_days: 1 }
    expect((await post('/v1/api-keys', own, ending.secret!)).status).toBe(403)
    const other = await make({ renews_for_days: 1 })
    expect((await rotate(other.id, {}, ending.secret!)).status).toBe(403)
  })
  test('a caller brings the new secret: it works at once, the old one through the grace, and the answer repeats neither', async () => {
    const key = await make()
    const next = newSecret('live', key.id)
    const { status, data } = await rotate(key.id, { secret: next }, key.secret!)
    expect([status, data.secret]).toEqual([200, null])
    expect((await who(next)).me.has_former_secret).toBe(false)
    expect((await who(key.secret!)).me.has_former_secret).toBe(true)
  })
  test.each([
    ['of another key', () => newSecret('live', '0000000000000000')],
    ['of another kind', (id: string) => newSecret('test', id)],
    ['that is none', () => 'hunter2'],
  ])('a secret %s is not taken', async (_, secret) => {
    const key = await make()
    expect((await rotate(key.id, { secret: secret(key.id) }, key.secret!)).status).toBe(422)
    expect((await who(key.secret!)).me.has_former_secret).toBe(false)
  })
})
