import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { ApiKey, ApiKeyWithSecret } from '#contract/model/api-key.ts'
import { anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'
import { wavOf } from './sound.ts'

let kit: ServiceKit
let now = Date.now()
beforeEach(async () => {
  now = Date.now()
  kit = await openKit({ caller: 'api-keys', clock: { ...systemClock, now: () => now } })
})
afterEach(() => kit.close())

const as = (key: string) => ({ Authorization: `Bearer ${key}` })
const owner = () => kit.ownerKey!
const statusWith = async (key: string) => (await kit.fetch('GET', '/v1/templates', undefined, as(key))).status
const hours = (count: number) => count * 3_600_000

async function make(body: object = {}, key = owner(), headers: Record<string, string> = {}): Promise<ApiKeyWithSecret> {
  const response = await kit.fetch(
    'POST',
    '/v1/api-keys',
    { name: 'Front desk', roles: ['front_desk'], ...body },
    { ...as(key), ...headers },
  )
  expect(response.status).toBe(201)
  return (await response.json()) as ApiKeyWithSecret
}

async function rotate(id: string, body: object = {}, key = owner(), headers: Record<string, string> = {}) {
  const response = await kit.fetch('POST', `/v1/api-keys/${id}/rotate`, body, { ...as(key), ...headers })
  return { status: response.status, key: (await response.json()) as ApiKeyWithSecret }
}

const list = async (key = owner(), query = '') =>
  (await (await kit.fetch('GET', `/v1/api-keys${query}`, undefined, as(key))).json()) as {
    data: ApiKey[]
    next_cursor: string | null
  }

describe('making keys', () => {
  test('a new key works, and is shown this once', async () => {
    const key = await make()
    expect(key.secret).toMatch(new RegExp(`^aw_live_${key.id}_[0-9A-Za-z]{49}$`))
    expect(await statusWith(key.secret!)).toBe(200)
    expect(JSON.stringify(await list())).not.toContain(key.secret!.slice(25))
  })
  test('the same call again finds the same key, without its secret', async () => {
    const first = await make({}, owner(), { 'Idempotency-Key': 'k' })
    const again = await make({}, owner(), { 'Idempotency-Key': 'k' })
    expect(again).toEqual({ ...first, secret: null })
    expect((await list()).data).toHaveLength(2)
  })
  test('a test key says so', async () => {
    const key = await make({ mode: 'test' })
    expect(key.secret).toMatch(/^aw_test_/)
    expect(await statusWith(key.secret!)).toBe(200)
    // It is no live key under another name.
    expect(await statusWith(key.secret!.replace('aw_test_', 'aw_live_'))).toBe(401)
  })
  test('a test key reaches no engine that may be somebody else’s', async () => {
    const away = { address: 'http://127.0.0.1:9/v1', model: 'm', key: null }
    await kit.reopen({
      caller: 'api-keys',
      speech: () => ({ ...away, language: 'en' }),
      language: () => ({ kind: 'server', ...away, context_tokens: null }),
    })
    const test = as((await make({ mode: 'test', roles: ['owner', 'clinician'] })).secret!)
    const post = async (path: string, body: unknown) => {
      const response = await kit.fetch('POST', path, body, test)
      const answer = (await response.json()) as { id: string; code?: string; engine?: { name: string } }
      return { ...answer, status: response.status }
    }
    const audio = { content: wavOf(1), media_type: 'audio/wav' }
    expect(await post('/v1/transcribe', { audio })).toMatchObject({ status: 503, code: 'engine-not-ready' })
    const { id: client_id } = await post('/v1/clients', { display_name: 'Ana' })
    const session = { client_id, session_type: 'individual', starts_at: '2026-03-02T09:00:00Z', duration_minutes: 50 }
    const { id: session_id } = await post('/v1/sessions', session)
    const asked = { client_id, session_id, template: 'soap', transcript: 'Ana: I slept badly and felt anxious.' }
    expect(await post('/v1/ai/generate-note', asked)).toMatchObject({ status: 201, engine: { name: 'rules' } })
  })
  test('a test key makes and rotates test keys alone', async () => {
    const test = await make({ mode: 'test', roles: ['owner'] })
    const refused = await kit.fetch('POST', '/v1/api-keys', { name: 'x', roles: ['owner'] }, as(test.secret!))
    expect(refused.status).toBe(403)
    const person_id = test.person_id
    const live = await make({ person_id })
    expect((await rotate(live.id, {}, test.secret!)).status).toBe(403)
    const other = await make({ mode: 'test' }, test.secret!)
    expect((await rotate(other.id, {}, test.secret!)).status).toBe(200)
  })
  test('a key that ends makes and rotates none that ends later', async () => {
    const until = (count: number) => ({ expires_at: new Date(now + hours(count)).toISOString() })
    const key = await make({ roles: ['owner'], ...until(2) })
    for (const body of [{}, until(3)]) {
      const refused = await kit.fetch('POST', '/v1/api-keys', { name: 'x', roles: ['owner'], ...body }, as(key.secret!))
      expect(refused.status).toBe(403)
    }
    expect((await rotate(owner().split('_')[2]!, {}, key.secret!)).status).toBe(403)
    await make(until(2), key.secret!)
    expect((await rotate(key.id, {}, key.secret!)).status).toBe(200)
  })
  test('an expiry is kept to the moment, and must lie ahead', async () => {
    const key = await make({ expires_at: new Date(now + hours(1)).toISOString() })
    now += hours(1) - 1
    expect(await statusWith(key.secret!)).toBe(200)
    now += 1
    expect(await statusWith(key.secret!)).toBe(401)
    const body = { name: 'Late', roles: ['owner'], expires_at: new Date(now).toISOString() }
    expect((await kit.fetch('POST', '/v1/api-keys', body, as(owner()))).status).toBe(422)
  })
  test('they are listed in pages, with when they were used, to about a minute', async () => {
    const made = [await make(), await make(), await make()]
    await statusWith(made[0]!.secret!)
    const used = new Date(now).toISOString()
    now += 30_000
    await statusWith(made[0]!.secret!)
    expect((await list()).data.find(({ id }) => id === made[0]!.id)?.last_used_at).toBe(used)
    const first = await list(owner(), '?limit=3')
    const rest = await list(owner(), `?limit=3&cursor=${first.next_cursor}`)
    expect([...first.data, ...rest.data].map(({ id }) => id).toSorted()).toEqual(
      [...made.map(({ id }) => id), owner().split('_')[2]!].toSorted(),
    )
    now += 61_000
    await statusWith(made[0]!.secret!)
    expect((await list()).data.find(({ id }) => id === made[0]!.id)?.last_used_at).toBe(new Date(now).toISOString())
  })
})

describe('rotation', () => {
  test('the old secret works for a day, then no longer', async () => {
    const old = await make()
    const { status, key } = await rotate(old.id)
    expect([status, key.id, key.grace_until]).toEqual([200, old.id, new Date(now + hours(24)).toISOString()])
    expect([await statusWith(old.secret!), await statusWith(key.secret!)]).toEqual([200, 200])
    now += hours(24)
    expect([await statusWith(old.secret!), await statusWith(key.secret!)]).toEqual([401, 200])
  })
  test('without grace the old secret ends at once', async () => {
    const old = await make()
    const { key } = await rotate(old.id, { grace_minutes: 0 })
    expect([await statusWith(old.secret!), await statusWith(key.secret!)]).toEqual([401, 200])
  })
  test('of two rotations in a row the first secret ends', async () => {
    const first = await make()
    const second = (await rotate(first.id)).key
    const third = (await rotate(first.id)).key
    expect([await statusWith(first.secret!), await statusWith(second.secret!), await statusWith(third.secret!)]).toEqual([
      401, 200, 200,
    ])
  })
  test('asked again under the same idempotency key it rotates once and repeats no secret', async () => {
    const old = await make()
    const { key } = await rotate(old.id, {}, owner(), { 'Idempotency-Key': 'k' })
    expect((await rotate(old.id, {}, owner(), { 'Idempotency-Key': 'k' })).key.secret).toBeNull()
    expect(await statusWith(key.secret!)).toBe(200)
  })
  test('in its grace period the old secret changes no keys, so that the key is not taken over with it', async () => {
    const old = await make({ roles: ['owner'] })
    const { key } = await rotate(old.id)
    const refused = [
      await kit.fetch('POST', `/v1/api-keys/${old.id}/rotate`, { grace_minutes: 0 }, as(old.secret!)),
      await kit.fetch('POST', '/v1/api-keys', { name: 'x', roles: ['owner'] }, as(old.secret!)),
      await kit.fetch('DELETE', `/v1/api-keys/${old.id}`, undefined, as(old.secret!)),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
    expect([await statusWith(old.secret!), await statusWith(key.secret!)]).toEqual([200, 200])
    expect((await rotate(old.id, { grace_minutes: 0 }, key.secret!)).status).toBe(200)
  })
  test('a revoked key is not brought back by it', async () => {
    const old = await make()
    await kit.fetch('DELETE', `/v1/api-keys/${old.id}`, undefined, as(owner()))
    expect((await rotate(old.id)).status).toBe(409)
  })
})

describe('revoking', () => {
  const revoke = (id: string, key = owner()) => kit.fetch('DELETE', `/v1/api-keys/${id}`, undefined, as(key))
  test('ends both secrets at once, and may be asked again', async () => {
    const old = await make()
    const { key } = await rotate(old.id)
    expect((await revoke(old.id)).status).toBe(200)
    expect([await statusWith(old.secret!), await statusWith(key.secret!)]).toEqual([401, 401])
    expect((await revoke(old.id)).status).toBe(200)
  })
  test('the last key of an owner stays, so that nobody locks themselves out', async () => {
    const id = owner().split('_')[2]!
    expect((await revoke(id)).status).toBe(409)
    await make({ roles: ['owner'], mode: 'test' })
    expect((await revoke(id)).status).toBe(409)
    const other = await make({ roles: ['owner'] })
    expect((await revoke(id)).status).toBe(200)
    expect([await statusWith(owner()), await statusWith(other.secret!)]).toEqual([401, 200])
  })
})

describe('who may', () => {
  test('others see and make keys of their own, with roles they have', async () => {
    const person_id = await kit.employ(['front_desk'])
    const desk = await make({ person_id })
    const own = await make({ name: 'Tablet' }, desk.secret!)
    expect(own.person_id).toBe(person_id)
    expect((await list(desk.secret!)).data.map(({ id }) => id).toSorted()).toEqual([desk.id, own.id].toSorted())
    expect((await list(desk.secret!, `?person_id=${anId()}`)).data).toEqual([])
    for (const body of [{ roles: ['owner'] }, { person_id: anId() }]) {
      const refused = await kit.fetch('POST', '/v1/api-keys', { name: 'x', roles: ['front_desk'], ...body }, as(desk.secret!))
      expect(refused.status).toBe(403)
    }
    expect((await rotate(owner().split('_')[2]!, {}, desk.secret!)).status).toBe(404)
    expect((await rotate(own.id, {}, desk.secret!)).status).toBe(200)
  })
  test('nobody has a key who left', async () => {
    const person_id = await kit.employ(['front_desk'])
    const key = await make({ person_id })
    await kit.fetch('PATCH', `/v1/staff/${person_id}`, { status: 'left' }, { ...as(owner()), 'If-Match': '*' })
    expect(await statusWith(key.secret!)).toBe(401)
    const again = await kit.fetch('POST', '/v1/api-keys', { name: 'x', roles: ['front_desk'], person_id }, as(owner()))
    expect(again.status).toBe(409)
  })
  test('an auditor reads them and changes none', async () => {
    const auditor = await make({ roles: ['auditor'], person_id: await kit.employ(['auditor']) })
    expect((await list(auditor.secret!)).data).toHaveLength(2)
    expect((await rotate(auditor.id, {}, auditor.secret!)).status).toBe(403)
  })
  test('the service inside the app takes none', async () => {
    const embedded = await openKit()
    expect((await embedded.fetch('POST', '/v1/api-keys', { name: 'x', roles: ['owner'] })).status).toBe(409)
    await embedded.close()
  })
})
