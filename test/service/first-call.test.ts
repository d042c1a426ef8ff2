import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import { problemSchema } from '#contract/model/problem.ts'
import { aClient, anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

let kit: ServiceKit
let keyed: ServiceKit
let client: string
beforeAll(async () => {
  const now = Date.parse('2026-11-22T23:30:00Z')
  kit = await openKit({ clock: { ...systemClock, now: () => now } })
  keyed = await openKit({ caller: 'api-keys' })
  client = (await aClient(kit.client)).id
})
afterAll(async () => {
  await kit.close()
  await keyed.close()
})

test('the root of the host points to the documentation, for people and for programs, without a key', async () => {
  const page = await keyed.fetch('GET', '/', undefined, { accept: 'text/html,*/*;q=0.8' })
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toContain('text/html')
  const html = await page.text()
  for (const address of ['/v1/docs', '/v1/openapi.json']) expect(html).toContain(`href="${address}"`)
  const json = await keyed.fetch('GET', '/')
  expect(await json.json()).toMatchObject({ docs: '/v1/docs', openapi: '/v1/openapi.json', service: '/v1' })
  expect((await keyed.fetch('POST', '/', {})).status).toBe(405)
})

test('a slash at the end of an address changes nothing', async () => {
  for (const path of ['/v1/', '/v1/clients/', `/v1/clients/${client}/`, '/api/v1/clients/', '/v1/openapi.json/'])
    expect((await kit.fetch('GET', path)).status, path).toBe(200)
  const made = await kit.fetch('POST', '/v1/clients/', { display_name: 'Maren Voss' })
  expect(made.status).toBe(201)
  expect((await kit.fetch('DELETE', '/v1/clients/')).status).toBe(405)
})

describe('a 404 says which id names nothing, and not the id', () => {
  const draft = () => ({ session_type: 'individual', starts_at: '2030-01-01T10:00:00Z', duration_minutes: 50 })
  test.each<[string, string, string, (absent: string) => unknown, string]>([
    ['the path', 'GET', '/v1/clients/{}', () => undefined, '/id'],
    ['a path that is no id', 'GET', '/v1/clients/nobody', () => undefined, '/id'],
    ['a field', 'POST', '/v1/sessions', (absent) => ({ client_id: absent, ...draft() }), '/client_id'],
    [
      'one field of two',
      'POST',
      '/v1/ai/generate-note',
      (absent) => ({ session_id: absent, client_id: client, template: 'soap', transcript: 'Ana: Hello.' }),
      '/session_id',
    ],
    [
      'a list',
      'POST',
      '/v1/ai/schedule',
      (absent) => ({
        mode: 'propose',
        request: { client_ids: [client, absent], type: 'individual', duration_minutes: 50, tzid: 'UTC' },
      }),
      '/request/client_ids/1',
    ],
  ])('%s', async (_place, method, path, body, pointer) => {
    const absent = anId()
    const answer = await kit.fetch(method, path.replace('{}', absent), body(absent))
    expect(answer.status).toBe(404)
    const text = await answer.text()
    expect(text).not.toContain(absent)
    const { detail, errors } = problemSchema.parse(JSON.parse(text))
    expect(errors).toEqual([{ pointer, code: 'not_found', message: detail }])
    expect(detail).toContain(`\`${pointer.slice(1).replaceAll('/', '.')}\``)
  })
})

describe('analytics without a span are of the last 30 days, in the time zone of the call', () => {
  test.each([
    ['', '2026-10-24', '2026-11-22'],
    ['?time_zone=Europe/Berlin', '2026-10-25', '2026-11-23'],
    ['?to=2026-03-31', '2026-03-02', '2026-03-31'],
    ['?from=2026-11-01', '2026-11-01', '2026-11-22'],
  ])('%s', async (query, from, to) => {
    const answer = await kit.fetch('GET', `/v1/analytics${query}`)
    expect(await answer.json()).toMatchObject({ from, to })
  })
})
