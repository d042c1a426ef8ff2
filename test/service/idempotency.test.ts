import { afterEach, beforeEach, expect, test } from 'vitest'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import type { Step } from '#test/support/speech-server-scripted.ts'
import { wavOf } from './sound.ts'
import { aClient, agree, anId, aSession, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
beforeEach(async () => {
  kit = await openKit()
})
afterEach(() => kit.close())

const post = (path: string, body: unknown, key: string, headers: Record<string, string> = {}) =>
  kit.fetch('POST', path, body, { 'Idempotency-Key': key, ...headers })

test('the same call again is answered the same and done once', async () => {
  const first = await post('/v1/clients', { display_name: 'Ana' }, 'k1')
  const again = await post('/v1/clients', '{ "display_name" : "Ana" }', 'k1')
  expect([again.status, again.headers.get('idempotency-replayed'), again.headers.get('etag')]).toEqual([201, 'true', '"1"'])
  expect(await again.json()).toEqual(await first.json())
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect((await kit.client.call('listClients', {})).data.data).toHaveLength(1)
})

test('it is still known after a restart, under every notation of the address', async () => {
  const first = await (await post('/v1/clients', { display_name: 'Ana' }, 'k1')).json()
  await kit.reopen()
  expect(await (await post('/api/v1/clients', { display_name: 'Ana' }, 'k1')).json()).toEqual(first)
})

test('the key with another body, or for another operation, is 422', async () => {
  await post('/v1/clients', { display_name: 'Ana' }, 'k1')
  for (const other of [
    await post('/v1/clients', { display_name: 'Eva' }, 'k1'),
    await post('/v1/notes/generate', noteData, 'k1'),
  ]) {
    expect([other.status, await other.json()]).toMatchObject([422, { code: 'idempotency-mismatch' }])
  }
})

test('a call that was refused may be made again once it can succeed', async () => {
  const client = await aClient(kit.client)
  const body = { client_id: client.id, session_type: 'intake', starts_at: '2026-05-01T09:00:00Z', duration_minutes: 50 }
  const taken = await aSession(kit.client, client.id, { starts_at: body.starts_at })
  expect((await post('/v1/sessions', body, 'k1')).status).toBe(409)
  await kit.client.call('updateSession', { params: { id: taken.id }, body: { status: 'cancelled' }, ifMatch: 1 })
  expect((await post('/v1/sessions', body, 'k1')).status).toBe(201)
})

test('of the same call made twenty times at once, one has an effect and the others learn of it or that it runs', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('/v1/clients', { display_name: 'Ana' }, 'k1')))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0)
  expect(statuses.every((status) => status === 201 || status === 409)).toBe(true)
  expect((await kit.client.call('listClients', {})).data.data).toHaveLength(1)
})

test('signing and revoking again is a replay too', async () => {
  const { id } = await aClient(kit.client)
  const consent = await agree(kit.client, id)
  const revoke = () => post(`/v1/consents/${consent.id}/revoke`, { revoked_at: '2026-03-01T09:00:00Z' }, 'k2')
  await revoke()
  expect((await revoke()).headers.get('idempotency-replayed')).toBe('true')
})

test('what was erased since is 410', async () => {
  await post('/v1/clients', { display_name: 'Ana' }, 'k1')
  await edit("update clients set deleted_at = '2026-01-01', body = '{}'")
  const again = await post('/v1/clients', { display_name: 'Ana' }, 'k1')
  expect([again.status, await again.json()]).toMatchObject([410, { code: 'gone' }])
})

test('a key is good for ninety days', async () => {
  await post('/v1/clients', { display_name: 'Ana' }, 'k1')
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString()
  await edit(`update idempotency_keys set created_at = '${days(89)}'`)
  expect((await post('/v1/clients', { display_name: 'Ana' }, 'k1')).headers.get('idempotency-replayed')).toBe('true')
  await edit(`update idempotency_keys set created_at = '${days(91)}'`)
  expect((await post('/v1/clients', { display_name: 'Ana' }, 'k1')).headers.get('idempotency-replayed')).toBeNull()
})

test('a key nobody could have meant is 400', async () => {
  expect((await post('/v1/clients', { display_name: 'Ana' }, 'k'.repeat(256))).status).toBe(400)
})

test('no body of a request is kept with the key', async () => {
  await post('/v1/clients', { display_name: 'Ana-Maria' }, 'k1')
  await edit('', (rows) => expect(JSON.stringify(rows)).not.toContain('Ana-Maria'))
})

const noteData = {
  session_type: 'x',
  duration_minutes: 50,
  presenting_concerns: ['a'],
  interventions: ['b'],
  client_response: 'c',
}
const audio = { content: wavOf(1), media_type: 'audio/wav' }
const words = { status: 200, body: JSON.stringify({ text: 'I slept badly.' }) }

test('a replay while the work still runs is 409; afterwards it is the result', async () => {
  await withSpeech(['hang'], async (speech) => {
    const first = post('/v1/transcribe', { audio }, 'k1')
    await speech.arrived(1)
    const meanwhile = await post('/v1/transcribe', { audio }, 'k1')
    expect([meanwhile.status, meanwhile.headers.get('retry-after'), await meanwhile.json()]).toMatchObject([
      409,
      '1',
      { code: 'still-running' },
    ])
    speech.letGo(words)
    const done = await (await first).json()
    const again = await post('/v1/transcribe', { audio }, 'k1')
    expect([again.status, await again.json()]).toEqual([200, done])
    expect(speech.requests).toHaveLength(1)
  })
})

test('a replay of an asynchronous call is its operation, however far it is', async () => {
  await withSpeech(['hang'], async (speech) => {
    const ask = () => post('/v1/transcribe', { audio }, 'k1', { Prefer: 'respond-async, wait=10' })
    const first = await ask()
    expect([first.status, first.headers.get('preference-applied')]).toEqual([202, 'respond-async'])
    const { id } = (await first.json()) as { id: string }
    expect(first.headers.get('location')).toBe(`/v1/operations/${id}`)
    await speech.arrived(1)
    expect([(await ask()).status, await (await ask()).json()]).toMatchObject([202, { id, status: 'running' }])
    speech.letGo(words)
  })
})

test('work that failed had no effect, so the same key may try again', async () => {
  await withSpeech([{ status: 400 }, words], async () => {
    expect((await post('/v1/transcribe', { audio }, 'k1')).status).toBe(502)
    expect((await post('/v1/transcribe', { audio }, 'k1')).status).toBe(200)
  })
})

test('without an engine there is 503 and nothing is kept', async () => {
  const response = await post('/v1/transcribe', { audio }, anId())
  expect([response.status, await response.json()]).toMatchObject([
    503,
    { code: 'engine-not-ready', detail: expect.stringContaining('import') },
  ])
})

async function withSpeech(
  steps: Step[],
  work: (speech: Awaited<ReturnType<typeof startScriptedSpeech>>) => Promise<void>,
): Promise<void> {
  const speech = await startScriptedSpeech(steps)
  await kit.reopen({ speech: () => ({ address: speech.address, model: null, key: null, language: null }) })
  await work(speech)
  await speech.close()
}

/** What only time or a later release does to the store. */
async function edit(sql: string, look?: (rows: unknown) => void): Promise<void> {
  if (sql) await kit.ask(sql)
  look?.(await kit.ask('select * from idempotency_keys'))
}
