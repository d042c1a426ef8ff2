import { describe, expect, test } from 'vitest'
import { createServiceClient, ServiceBusy, StaleRecord } from '#client/client.ts'

/** A service that answers as told and remembers what it was asked. */
function told(...answers: (Response | Error)[]) {
  const asked: Request[] = []
  const client = createServiceClient({
    base_url: 'https://practice.example/cds/v1/',
    token: 'aw_live_x',
    fetch: async (request) => {
      asked.push(request)
      const answer = answers[Math.min(asked.length, answers.length) - 1]!
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  return { client, asked }
}
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })
const page = { data: [], next_cursor: null }
const id = '0190a0a0-0000-7000-8000-000000000001'

test('addresses are made from the contract, under the base address as it is given', async () => {
  const { client, asked } = told(json(200, page))
  await client.call('listClients', { query: { q: 'a&b', limit: 5, status: undefined } as { q: string; limit: number } })
  expect(asked[0]).toMatchObject({
    method: 'GET',
    url: 'https://practice.example/cds/v1/clients?q=a%26b&limit=5',
    redirect: 'error',
  })
  expect(asked[0]!.headers.get('authorization')).toBe('Bearer aw_live_x')
  expect(asked[0]!.headers.get('idempotency-key')).toBeNull()
})

test('every POST carries an idempotency key: the one given, else a new one each time', async () => {
  const problem = { code: 'conflict', detail: 'x' }
  const { client, asked } = told(json(409, problem), json(409, problem), json(409, problem))
  const body = { display_name: 'Ana' }
  for (const more of [{ idempotencyKey: 'mine' }, {}, {}]) await client.call('createClient', { body, ...more }).catch(() => {})
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).toBe('mine')
  expect(new Set(keys).size).toBe(3)
  expect(asked[0]!.headers.get('content-type')).toBe('application/json')
})

test('versions and preferences go as headers', async () => {
  const { client, asked } = told(json(404, {}), json(404, {}))
  await client.call('updateClient', { params: { id }, body: { phone: '1' }, ifMatch: 3 }).catch(() => {})
  await client.call('transcribe', { body: { audio: { upload_id: id } }, preferAsync: true }).catch(() => {})
  expect([asked[0]!.url.endsWith(`/clients/${id}`), asked[0]!.headers.get('if-match')]).toEqual([true, '"3"'])
  expect(asked[1]!.headers.get('prefer')).toBe('respond-async')
})

describe('what goes wrong becomes one of the known failures', () => {
  test('a problem is its code, sentence and fields', async () => {
    const errors = [{ pointer: '/display_name', code: 'too_small', message: 'a name is needed' }]
    const { client } = told(json(422, { code: 'validation-failed', detail: 'Some fields', errors, status: 422 }))
    const failure = client.call('createClient', { body: { display_name: '' } })
    await expect(failure).rejects.toEqual(
      expect.objectContaining({ code: 'validation-failed', detail: 'Some fields', fields: errors }),
    )
  })
  test('a stale change brings the record as it stands', async () => {
    const current = { id, version: 4 }
    const { client } = told(json(412, { code: 'stale-version', detail: '', current }))
    const failure = await client.call('getClient', { params: { id } }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StaleRecord)
    expect(failure).toMatchObject({ current })
  })
  test.each([
    [401, 'unauthenticated'],
    [404, 'not-found'],
    [429, 'quota-exceeded'],
    [502, 'service-unreachable'],
    [418, 'service-unreachable'],
  ])('a bare %d is %s', async (status, code) => {
    const { client } = told(new Response('<html>nginx</html>', { status }))
    await expect(client.call('listClients', {})).rejects.toEqual(expect.objectContaining({ code }))
  })
  test('a code nobody knows goes by its status', async () => {
    const { client } = told(json(403, { code: 'purpose-of-use-missing', detail: 'Geheim' }))
    await expect(client.call('listClients', {})).rejects.toEqual(
      expect.objectContaining({ code: 'forbidden', detail: undefined }),
    )
  })
  test('no network is service-unreachable, to be tried again', async () => {
    const { client } = told(new TypeError('fetch failed'))
    await expect(client.call('listClients', {})).rejects.toEqual(
      expect.objectContaining({ code: 'service-unreachable', retryable: true }),
    )
  })
  test('an answer that is not in the contract is not let in', async () => {
    for (const answer of [json(200, { data: 'all of them' }), new Response('<html>', { status: 200 })]) {
      const { client } = told(answer)
      await expect(client.call('listClients', {})).rejects.toEqual(expect.objectContaining({ code: 'service-unreachable' }))
    }
  })
  test('stopping it is the caller’s own doing', async () => {
    const control = new AbortController()
    control.abort(new Error('stop'))
    const { client } = told(new DOMException('aborted', 'AbortError'))
    await expect(client.call('listClients', { signal: control.signal })).rejects.toThrow('stop')
  })
})

test('a refusal brings when to ask again, and every answer how the day’s calls stand', async () => {
  const limits = { 'RateLimit-Policy': '"daily";q=100;w=86400', RateLimit: '"daily";r=0;t=3600' }
  const answers = [
    json(200, page, { ...limits, RateLimit: '"daily";r=1;t=3601' }),
    json(429, { code: 'quota-exceeded', detail: 'x' }, { ...limits, 'Retry-After': '3600' }),
    new Response('<html>nginx</html>', { status: 503, headers: { 'Retry-After': '7' } }),
    json(200, page),
  ]
  const heard: unknown[] = []
  const client = createServiceClient({
    base_url: 'https://practice.example/v1',
    fetch: async () => answers.shift()!,
    onQuota: (quota) => heard.push(quota),
  })
  const ask = () => client.call('listClients', {}).catch((error: unknown) => error)
  await ask()
  expect(await ask()).toMatchObject({ code: 'quota-exceeded', retrySeconds: 3600 })
  const busy = await ask()
  expect(busy).toBeInstanceOf(ServiceBusy)
  expect(busy).toMatchObject({ code: 'service-unreachable', retrySeconds: 7 })
  await ask()
  expect(heard).toEqual([
    { limit: 100, remaining: 1, resetSeconds: 3601 },
    { limit: 100, remaining: 0, resetSeconds: 3600 },
  ])
})
