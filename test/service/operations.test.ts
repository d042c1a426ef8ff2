import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#base/clock.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { errorKinds } from '#contract/errors.ts'
import type { ApiKeyWithSecret } from '#contract/model/api-key.ts'
import { problemSchema } from '#contract/model/problem.ts'
import { examples } from '#contract/rest/examples.ts'
import { commonFailures, roles, type Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { jsonSchemaOf, sampleOf, wrongOnes } from './samples.ts'
import { anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

const operations = Object.entries(routes as Record<string, Route>)
const start = Date.parse('2026-03-02T09:00:00Z')
const hour = 3_600_000
let now = start
let kit: ServiceKit
let key: string
/** What no call is let in with. */
const refused: Record<string, Record<string, string>> = {}
let rotatedInGrace: string
let client: string
let session: string
let person: string
/** Records that are there, by the first part of their address. */
let standingIds: Readonly<Record<string, string>> = {}

beforeAll(async () => {
  kit = await openKit({ caller: 'api-keys', plan: 'enterprise', clock: { ...systemClock, now: () => now } })
  const make = async (body: object = {}): Promise<ApiKeyWithSecret> => {
    const made = await call('POST', '/v1/api-keys', { name: 'k', roles: [...roles], ...body }, as(kit.ownerKey!))
    return (await made.json()) as ApiKeyWithSecret
  }
  const rotate = (id: string, grace_minutes: number) =>
    call('POST', `/v1/api-keys/${id}/rotate`, { grace_minutes }, as(kit.ownerKey!))
  const made = await make()
  key = made.secret!
  person = made.person_id
  const [expired, rotated, inGrace, revoked] = [
    await make({ expires_at: iso(start + hour) }),
    await make(),
    await make(),
    await make(),
  ]
  await rotate(rotated.id, 60)
  now += 2 * hour
  await rotate(inGrace.id, 60)
  await call('DELETE', `/v1/api-keys/${revoked.id}`, undefined, as(kit.ownerKey!))
  rotatedInGrace = inGrace.secret!
  Object.assign(refused, {
    'no token': {},
    'a token that is none': as('nonsense'),
    'another scheme': { Authorization: `Basic ${key}` },
    'two tokens': as(`${key}, Bearer ${key}`),
    'a bad checksum': as(key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')),
    'an expired key': as(expired.secret!),
    'a rotated key after its grace': as(rotated.secret!),
    'a revoked key': as(revoked.secret!),
  })
  client = await created('/v1/clients', { display_name: 'Ana' })
  session = await created('/v1/sessions', {
    client_id: client,
    session_type: 'individual',
    starts_at: iso(start),
    duration_minutes: 50,
  })
  const notes = await created('/v1/notes/generate', { ...examples.generateNoteFromData.body, client_id: client })
  standingIds = { clients: client, sessions: session, notes, 'api-keys': revoked.id }
})
afterAll(() => kit.close())

const iso = (at: number): string => new Date(at).toISOString()
const as = (token: string) => ({ Authorization: `Bearer ${token}` })
const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = as(key)) =>
  kit.fetch(method, path, body, headers)

async function created(path: string, body: unknown): Promise<string> {
  const response = await call('POST', path, body)
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}

const statusesOf = (route: Route): Set<number> =>
  new Set([
    ...Object.keys(route.answers).map(Number),
    ...(route.longRunning ? [202] : []),
    ...[...commonFailures, ...route.failures].map((code: ErrorCode) => errorKinds[code].status),
  ])

/** Declared, no fault of the service, and a problem where it is one. Gives its code. */
async function held(route: Route, response: Response): Promise<string | null> {
  const { status } = response
  expect(statusesOf(route)).toContain(status)
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  const text = await response.text()
  if (status < 400) return null
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = problemSchema.parse(JSON.parse(text))
  expect(problem).toMatchObject({ status, request_id: response.headers.get('x-request-id') })
  expect([...commonFailures, ...route.failures]).toContain(problem.code)
  // An engine that is not set up is the only thing that may be missing here.
  if (status >= 500) expect(problem.code).toMatch(/^(engine-not-ready|payer-unavailable)$/)
  return problem.code
}

const known = (name: string): unknown =>
  ({
    client_id: client,
    client_ids: client,
    session_id: session,
    clinician_id: person,
    person_id: person,
    id: anId(),
    time_zone: 'Europe/Berlin',
    tzid: 'Europe/Berlin',
    npi: '1234567893',
    transcript: 'Ana: I slept badly.',
  })[name] ?? (name.endsWith('_id') ? anId() : undefined)

/** The example of the document where there is one, of records that are there; else the least that fits. */
function bodyFor(id: string, route: Route): unknown {
  if (!route.body) return undefined
  const shown = (examples as Record<string, { body?: unknown }>)[id]?.body
  if (shown === undefined) return sampleOf(jsonSchemaOf(route.body), known)
  // The same example is sent many times: without an id of its own, where it may go without.
  const { id: _chosen, ...others } = shown as { id?: string }
  const example = route.body.safeParse(others).success ? others : shown
  const text = JSON.stringify(example, (name, value: unknown) =>
    typeof value === 'string' && /_ids?$/.test(name) ? known(name) : value,
  )
  return JSON.parse(text)
}

function pathFor(id: string, route: Route): string {
  const path = route.path.replaceAll(/\{\w+\}/g, () => standingIds[segmentOf(route)] ?? anId())
  const query = (examples as Record<string, { query?: string }>)[id]?.query
  if (query !== undefined) return `/v1${path}${query}`
  const sample = route.query === undefined ? {} : sampleOf(jsonSchemaOf(route.query), known)
  const asked = new URLSearchParams(Object.entries(sample as object).map(([name, value]) => [name, String(value)]))
  return `/v1${path === '/' ? '' : path}${asked.size === 0 ? '' : `?${asked}`}`
}

/** The address of a record that is there: put there, or made by the operation that makes its kind. */
async function standing(id: string, route: Route): Promise<string> {
  const address = pathFor(id, route)
  if (!route.path.includes('{') || standingIds[segmentOf(route)] !== undefined) return address
  const putting = operations.find(([, { method, path }]) => method === 'PUT' && path === route.path)
  if (putting !== undefined) {
    expect((await call('PUT', address, bodyFor(...putting))).status).toBe(201)
    return address
  }
  const collection = route.path.slice(0, route.path.indexOf('/{'))
  const maker = operations.find(([, { method, path }]) => method === 'POST' && path === collection)
  return `/v1${route.path.replace(/\{\w+\}/, await created(`/v1${collection}`, bodyFor(...maker!)))}`
}

const segmentOf = ({ path }: Route): string => path.split('/')[1]!

/** A header that tells two operations at one address apart. */
const told = ({ when, stream }: Route): Record<string, string> =>
  when === undefined && stream !== 'in' ? {} : { 'Tus-Resumable': '1.0.0' }

describe.each(operations)('%s', (id, route) => {
  const path = () => pathFor(id, route)
  const ask = (body: unknown = bodyFor(id, route), headers: Record<string, string> = {}) =>
    call(route.method, path(), body, { ...as(key), ...told(route), ...headers })

  test('lets nobody in without a key that is good now', async () => {
    for (const [name, headers] of Object.entries(refused)) {
      const response = await call(route.method, path(), bodyFor(id, route), { ...headers, ...told(route) })
      expect([name, response.status, await held(route, response)]).toEqual([name, 401, 'unauthenticated'])
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="afterword"/)
    }
  })

  test('answers with what it declares, also a key in its grace', async () => {
    expect(await held(route, await ask())).not.toBe('validation-failed')
    expect(await held(route, await ask(undefined, as(rotatedInGrace)))).not.toBe('unauthenticated')
    expect(
      await held(
        route,
        await call(route.method, `${path()}${path().includes('?') ? '&' : '?'}no_such=1`, bodyFor(id, route), {
          ...as(key),
          ...told(route),
        }),
      ),
    ).not.toBe('validation-failed')
  })

  if (route.body !== undefined)
    test('takes no body that is not what it should be', async () => {
      const text = JSON.stringify(bodyFor(id, route))
      const tried = {
        'another type': [ask(text, { 'Content-Type': 'text/plain' }), 'unsupported-media'],
        'no JSON': [ask('{"'), 'bad-request'],
        'no UTF-8': [ask(new Uint8Array([0x22, 0xff, 0x22])), 'bad-request'],
        nothing: [ask(''), 'bad-request'],
        'too deep': [ask(`{"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`), 'bad-request'],
        'too large': [ask(text, { 'Content-Length': String((route.bodyLimit ?? 1024 * 1024) + 1) }), 'too-large'],
        'no object': [ask('[]'), 'validation-failed'],
        'U+0000': [ask('{"x":"\\u0000"}'), 'validation-failed'],
      } as const
      for (const [name, [answer, code]] of Object.entries(tried))
        expect([name, await held(route, await answer)]).toEqual([name, code])
      expect(await held(route, await ask(`{"__proto__":{"a":1},"constructor":1,${text.slice(1)}`))).not.toBe('internal')
    })

  if (route.body !== undefined)
    test('names each field that is wrong', async () => {
      const wrong = wrongOnes(route.body!, bodyFor(id, route))
      expect(wrong.length).toBeGreaterThan(0)
      for (const { path: at, value } of wrong) {
        const response = await ask(value)
        const problem = response.status === 422 ? problemSchema.parse(await response.clone().json()) : null
        expect([at, await held(route, response)]).toEqual([at, 'validation-failed'])
        expect(problem?.errors?.length).toBeGreaterThan(0)
      }
    })

  if (route.query !== undefined)
    test('takes no query that is not what it should be', async () => {
      for (const name of Object.keys(route.query!.shape)) {
        const wrong = ['\0', '-1', '~'.repeat(600)].filter(
          (value) => value === '\0' || !route.query!.safeParse({ [name]: value }).success,
        )
        for (const value of wrong) {
          const [address, asked] = path().split('?')
          const query = new URLSearchParams(asked)
          query.set(name, value)
          const response = await call(route.method, `${address}?${query}`, bodyFor(id, route), { ...as(key), ...told(route) })
          expect([name, await held(route, response)]).toEqual([name, 'validation-failed'])
        }
      }
    })

  if (route.path.includes('{'))
    test('knows no record by an id that is none', async () => {
      const [name] = Object.keys(route.params!.shape)
      const tried = ['0', '%00', '__proto__', 'x'.repeat(2000)]
      for (const wrong of tried.filter((one) => !route.params!.safeParse({ [name!]: decodeURIComponent(one) }).success)) {
        const response = await call(route.method, `/v1${route.path.replaceAll(/\{\w+\}/g, wrong)}`, bodyFor(id, route), {
          ...as(key),
          ...told(route),
        })
        expect([wrong, await held(route, response)]).toEqual([wrong, 'not-found'])
      }
    })

  if (route.conditional)
    test('changes only the version it was shown', async () => {
      const address = await standing(id, route)
      const send = (headers: Record<string, string>) =>
        call(route.method, address, bodyFor(id, route), { ...as(key), ...headers })
      expect(await held(route, await send({}))).toBe('version-required')
      for (const malformed of ['W/"1"', '1', 'x', '"1" "2"']) {
        const response = await send({ 'If-Match': malformed })
        const { detail } = problemSchema.parse(await response.clone().json())
        expect([malformed, await held(route, response)]).toEqual([malformed, 'bad-request'])
        expect(detail).toContain('`If-Match: "3"`')
      }
      for (const stale of ['"999"', '"999", "998"']) {
        const response = await send({ 'If-Match': stale })
        const problem = problemSchema.parse(await response.clone().json())
        expect([stale, await held(route, response)]).toEqual([stale, 'stale-version'])
        const { version } = problem.current as { version: number }
        expect(response.headers.get('etag')).toBe(`"${version}"`)
        expect(problem.detail).toContain(`\`If-Match: "${version}"\``)
      }
    })

  if (route.method === 'POST' && route.stream === undefined)
    test('does once what is asked twice under one key', async () => {
      const headers = { 'Idempotency-Key': anId() }
      const body = bodyFor(id, route)
      const address = path()
      const send = (sent: unknown) => call('POST', address, sent, { ...as(key), ...headers })
      const first = await send(body)
      const again = await send(body)
      expect(again.status).toBe(first.status)
      if (first.status < 300) expect([again.headers.get('idempotency-replayed')]).toEqual(['true'])
      await held(route, first)
      await held(route, again)
      const other = await send(typeof body === 'object' && body !== null ? { ...body, one_more: 1 } : {})
      const code = await held(route, other)
      if (first.status < 300 && route.body !== undefined) expect(code).toBe('idempotency-mismatch')
      expect(await held(route, await call('POST', address, body, { ...as(key), 'Idempotency-Key': 'k'.repeat(256) }))).toBe(
        'bad-request',
      )
    })
})
