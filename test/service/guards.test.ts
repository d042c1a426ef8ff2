import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { problemSchema } from '#contract/model/problem.ts'
import { anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
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
    await refused(await kit.fetch('GET', '/'), 404, 'not-found')
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
  test('takes 16 MiB, and gzip', async () => {
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
