import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemSchema } from '#contract/model/problem.ts'
import type { Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
/** What goes on for as long as somebody listens is not among them. */
const gets = Object.entries(routes as Record<string, Route>).filter(
  ([, { method, stream }]) => method === 'GET' && stream === undefined,
)
beforeAll(async () => {
  kit = await openKit()
})
afterAll(() => kit.close())

async function refused(response: Response, status: number, code: string) {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const problem = problemSchema.parse(await response.json())
  expect(problem).toMatchObject({ status, code, type: `/problems/${code}`, request_id: response.headers.get('x-request-id') })
  expect(response.status).toBe(status)
  return problem
}

describe('addresses and methods', () => {
  test('an address that is none is 404', async () => {
    await refused(await kit.fetch('GET', '/v1/nothing'), 404, 'not-found')
    await refused(await kit.fetch('GET', '/nothing'), 404, 'not-found')
    await refused(await kit.fetch('POST', '/api/ai/nothing', {}), 404, 'not-found')
  })
  test('another method is 405 and names those that are allowed', async () => {
    const response = await kit.fetch('DELETE', '/v1/clients')
    expect(response.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
    await refused(response, 405, 'method-not-allowed')
    await refused(await kit.fetch('GET', '/v1/transcribe'), 405, 'method-not-allowed')
  })
  test('OPTIONS says what is allowed, without a key and without a body', async () => {
    const response = await kit.fetch('OPTIONS', '/api/v1/notes/generate')
    expect([response.status, response.headers.get('allow'), await response.text()]).toEqual([204, 'POST, OPTIONS', ''])
  })
  test('HEAD is GET without its body', async () => {
    const response = await kit.fetch('HEAD', '/v1/clients')
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
  test.each(gets)('HEAD of %s is its GET without the body', async (_, route) => {
    const address = `/v1${route.path === '/' ? '' : route.path.replaceAll(/\{\w+\}/g, anId())}`
    const [get, head] = [await kit.fetch('GET', address), await kit.fetch('HEAD', address)]
    expect([head.status, await head.text()]).toEqual([get.status, ''])
    await get.text()
  })
  test('every address says what it allows', async () => {
    for (const { path } of Object.values(routes)) {
      const address = `/v1${path === '/' ? '' : path.replaceAll(/\{\w+\}/g, anId())}`
      const response = await kit.fetch('OPTIONS', address)
      const methods = Object.values(routes)
        .filter((route) => route.path === path)
        .map(({ method }) => method)
      expect([path, response.status]).toEqual([path, 204])
      expect(response.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining([...methods, 'OPTIONS']))
      // A browser of another site is told of nothing it may do.
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
  test('whatever is accepted, the answer is JSON', async () => {
    for (const accept of ['text/html', 'application/xml;q=1, */*;q=0', 'x', '*/*']) {
      const response = await kit.fetch('GET', '/v1/clients', undefined, { Accept: accept })
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    }
  })
  test('a query parameter that is not known is left out, and one that is given twice is refused', async () => {
    expect((await kit.fetch('GET', '/v1/clients?colour=red&limit=1&__proto__=1&constructor=x')).status).toBe(200)
    await refused(await kit.fetch('GET', '/v1/clients?limit=0&limit=1'), 422, 'validation-failed')
    expect((await kit.fetch('GET', `/v1/clients?limit=1&x=${'y'.repeat(20_000)}`)).status).toBe(200)
    await refused(await kit.fetch('GET', '/v1/clients?q=%00'), 422, 'validation-failed')
    // What is no UTF-8 is read as a sign for what could not be read.
    expect((await kit.fetch('GET', '/v1/clients?q=%ff%fe')).status).toBe(200)
  })
  test('headers as long as a server lets through, and given twice, do no harm', async () => {
    const long = 'x'.repeat(15_000)
    for (const name of ['If-Match', 'Prefer', 'Accept', 'Purpose-Of-Use', 'Authorization', 'X-Forwarded-For', 'Cookie']) {
      const response = await kit.fetch('GET', '/v1/clients', undefined, { [name]: long })
      expect([name, response.status]).toEqual([name, name === 'Purpose-Of-Use' ? 400 : 200])
    }
    const twice = new Headers([
      ['Content-Type', 'application/json'],
      ['Content-Type', 'text/plain'],
    ])
    const request = new Request('http://embedded.invalid/v1/clients', { method: 'POST', headers: twice, body: '{}' })
    await refused(await kit.handle(request), 415, 'unsupported-media')
  })
  test('an id that is none is 404, not 422', async () => {
    await refused(await kit.fetch('GET', '/v1/clients/abc'), 404, 'not-found')
    await refused(await kit.fetch('GET', `/v1/clients/${anId()}`), 404, 'not-found')
  })
})

describe('bodies', () => {
  test('a body that is not JSON by its type is 415', async () => {
    await refused(
      await kit.fetch('POST', '/v1/clients', '{"display_name":"A"}', { 'Content-Type': 'text/plain' }),
      415,
      'unsupported-media',
    )
    await refused(
      await kit.fetch('POST', '/v1/clients', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }),
      415,
      'unsupported-media',
    )
  })
  test('a type with a charset is still JSON', async () => {
    const response = await kit.fetch(
      'POST',
      '/v1/clients',
      { display_name: 'A' },
      { 'Content-Type': 'Application/JSON; charset=utf-8' },
    )
    expect(response.status).toBe(201)
  })
  test('a body that does not parse, or is not there, is 400 and quotes nothing', async () => {
    const problem = await refused(await kit.fetch('POST', '/v1/clients', '{"display_name": "Geheim'), 400, 'bad-request')
    expect(JSON.stringify(problem)).not.toContain('Geheim')
    await refused(await kit.fetch('POST', '/v1/clients'), 400, 'bad-request')
    await refused(await kit.fetch('POST', '/v1/clients', new Uint8Array([0x22, 0xff, 0x22])), 400, 'bad-request')
  })
  test('each wrong field is named by pointer, no value is repeated', async () => {
    const body = { display_name: '', date_of_birth: 'Montag', diagnoses: [{ code: 'F41.1' }], status: 'Geheim' }
    const problem = await refused(await kit.fetch('POST', '/v1/clients', body), 422, 'validation-failed')
    expect(problem.errors?.map(({ pointer }) => pointer)).toEqual([
      '/display_name',
      '/date_of_birth',
      '/status',
      '/diagnoses/0/description',
    ])
    expect(JSON.stringify(problem)).not.toMatch(/Montag|Geheim|F41/)
  })
  test('names that mean something to JavaScript mean nothing here', async () => {
    const body = '{"display_name":"A","__proto__":{"status":"archived"},"constructor":{"prototype":{"status":"archived"}}}'
    const response = await kit.fetch('POST', '/v1/clients', body)
    expect([response.status, await response.json()]).toMatchObject([201, { status: 'active' }])
    expect(({} as { status?: string }).status).toBeUndefined()
  })
  test('a body as deep as none of ours is 400, under a key and without one', async () => {
    const deep = `{"display_name":"A","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    await refused(await kit.fetch('POST', '/v1/clients', deep), 400, 'bad-request')
    await refused(await kit.fetch('POST', '/v1/clients', deep, { 'Idempotency-Key': 'deep' }), 400, 'bad-request')
    // Brackets in a text are no depth.
    const text = JSON.stringify({ display_name: 'A', phone: `\\"${'['.repeat(150)}` })
    expect((await kit.fetch('POST', '/v1/clients', text)).status).toBe(201)
  })
  test('U+0000 is in no text, written out or not; a backslash before it is only a backslash', async () => {
    await refused(await kit.fetch('POST', '/v1/clients', '{"display_name":"A\\u0000"}'), 422, 'validation-failed')
    await refused(await kit.fetch('POST', '/v1/clients', '{"display_name":"A\0"}'), 400, 'bad-request')
    const response = await kit.fetch('POST', '/v1/clients', '{"display_name":"A\\\\u0000"}')
    expect(await response.json()).toMatchObject({ display_name: 'A\\u0000' })
  })
  test('a field nobody knows is left out, not refused', async () => {
    const response = await kit.fetch('POST', '/v1/clients', { display_name: 'A', favourite_colour: 'red' })
    expect(await response.json()).not.toHaveProperty('favourite_colour')
  })
  test('a wrong query is 422', async () => {
    const problem = await refused(await kit.fetch('GET', '/v1/clients?limit=0'), 422, 'validation-failed')
    expect(problem.errors).toMatchObject([{ pointer: '/limit' }])
    await refused(await kit.fetch('GET', '/v1/clients?cursor=made-up'), 422, 'validation-failed')
  })
  test('a body over 1 MiB is 413, said or not', async () => {
    const large = JSON.stringify({ display_name: 'A', phone: 'x'.repeat(1024 * 1024) })
    await refused(await kit.fetch('POST', '/v1/clients', large), 413, 'too-large')
    await refused(await kit.fetch('POST', '/v1/clients', large, { 'Content-Length': '10' }), 413, 'too-large')
  })
})

describe('PUT /transcripts', () => {
  const transcript = (segments: number) => ({
    session_id: null,
    language: 'en',
    duration_ms: null,
    speakers: [],
    engine: { name: 'import', version: '1', model: null },
    segments: Array.from({ length: segments }, (_, index) => ({
      id: `s${index}`,
      speaker_id: null,
      start_ms: null,
      end_ms: null,
      text: 'words '.repeat(40),
      confidence: null,
    })),
  })
  test('takes more than 1 MiB, and gzip', async () => {
    const large = JSON.stringify(transcript(10_000))
    expect(large.length).toBeGreaterThan(3 * 1024 * 1024)
    expect((await kit.fetch('PUT', `/v1/transcripts/${anId()}`, large)).status).toBe(201)
    const response = await kit.fetch('PUT', `/v1/transcripts/${anId()}`, gzipSync(large), { 'Content-Encoding': 'gzip' })
    expect(response.status).toBe(201)
  })
  test('counts a body unpacked, so that a small one cannot grow without end', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, 32))
    await refused(await kit.fetch('PUT', `/v1/transcripts/${anId()}`, bomb, { 'Content-Encoding': 'gzip' }), 413, 'too-large')
  })
  test('refuses what only calls itself gzip, other codings, and gzip anywhere else', async () => {
    const plain = JSON.stringify(transcript(1))
    await refused(await kit.fetch('PUT', `/v1/transcripts/${anId()}`, plain, { 'Content-Encoding': 'gzip' }), 400, 'bad-request')
    await refused(
      await kit.fetch('PUT', `/v1/transcripts/${anId()}`, plain, { 'Content-Encoding': 'br' }),
      415,
      'unsupported-media',
    )
    const client = gzipSync(JSON.stringify({ display_name: 'A' }))
    await refused(await kit.fetch('POST', '/v1/clients', client, { 'Content-Encoding': 'gzip' }), 415, 'unsupported-media')
  })
})
