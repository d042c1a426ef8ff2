import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorKinds } from '#contract/errors.ts'
import type { ApiKeyWithSecret } from '#contract/model/api-key.ts'
import { problemSchema } from '#contract/model/problem.ts'
import { commonFailures, roles, type Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { jsonSchemaOf, sampleOf } from './samples.ts'
import { anId, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const operations = Object.entries(routes as Record<string, Route>)
const rounds = isFull ? 10 : 1
const runs = isFull ? Math.ceil(100_000 / operations.length / rounds) : 20
/** The same requests each time, and others under `full`. */
const seed = isFull ? Date.now() % 2 ** 31 : 20_261_121

let kit: ServiceKit
let key: string
/** Ids of records that are there, and one that is not. */
let known: string[]
beforeAll(async () => {
  kit = await openKit({ caller: 'api-keys', plan: 'enterprise', waitMs: 500 })
  const made = await post('/v1/api-keys', { name: 'k', roles: [...roles] }, kit.ownerKey!)
  key = ((await made.json()) as ApiKeyWithSecret).secret!
  const client = await idOf(post('/v1/clients', { display_name: 'Ana' }))
  const session = { client_id: client, session_type: 'individual', starts_at: '2026-03-02T09:00:00Z', duration_minutes: 50 }
  const note = { session_type: 'x', duration_minutes: 50, presenting_concerns: ['a'], interventions: ['b'], client_response: 'c' }
  known = [client, await idOf(post('/v1/sessions', session)), await idOf(post('/v1/notes/generate', note)), anId()]
})
afterAll(() => kit.close())

const post = (path: string, body: unknown, token = key) => kit.fetch('POST', path, body, { Authorization: `Bearer ${token}` })
const idOf = async (answer: Promise<Response>): Promise<string> => ((await (await answer).json()) as { id: string }).id

const knownId = fc.integer({ min: 0, max: 3 }).map((index) => known[index]!)
/** Values that have broken services before, beside any. */
const value = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '',
      '\0',
      '\ud800',
      'soap',
      'individual',
      '9999-12-31T23:59:59Z',
      '0000-01-01T00:00:00Z',
      '2026-02-30',
      'FREQ=SECONDLY',
      'Europe/Berlin',
      '../',
      '__proto__',
      "'; drop table clients; --",
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(-1, 0, 1, 1e308, 2 ** 53, 0.1, null, true) },
  { weight: 3, arbitrary: knownId },
  { weight: 1, arbitrary: fc.array(knownId, { maxLength: 3 }) },
  fc.jsonValue({ maxDepth: 3 }),
)

/** A request that fits, with some members given other values; or what is nothing like it. */
function bodyFor(route: Route): fc.Arbitrary<string | Uint8Array | undefined> {
  if (!route.body) return fc.constant(undefined)
  const schema = jsonSchemaOf(route.body)
  const members = Object.fromEntries(Object.keys(schema.properties ?? { x: {} }).map((name) => [name, value]))
  const given = (name: string): unknown => (name.endsWith('_id') ? known[name === 'session_id' ? 1 : 0] : undefined)
  const near = fc.record(members, { requiredKeys: [] }).map((some) => {
    const few = Object.entries(some).slice(0, 2)
    return JSON.stringify({ ...(sampleOf(schema, given) as object), ...Object.fromEntries(few) })
  })
  const far = fc.record(members, { requiredKeys: [] }).map((all) => JSON.stringify(all))
  return fc.oneof(
    { weight: 5, arbitrary: near },
    { weight: 2, arbitrary: far },
    { weight: 1, arbitrary: value.map((any) => JSON.stringify(any)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  )
}

const queryNames = ['limit', 'cursor', 'updated_since', 'q', 'status', 'client_id', 'from', 'to', 'person', 'format', 'since']
const queryValue = fc.oneof(fc.string(), knownId, fc.constantFrom('1', '2026-03-01', '2026-03-01T09:00:00Z', 'x'))

const askedOf = (route: Route) =>
  fc.record({
    id: fc.oneof({ weight: 3, arbitrary: knownId }, { weight: 1, arbitrary: fc.string().map(encodeURIComponent) }),
    query: fc.dictionary(fc.constantFrom(...queryNames, ...Object.keys(route.query?.shape ?? {})), queryValue),
    body: bodyFor(route),
    headers: fc.record(
      {
        'If-Match': fc.constantFrom('*', '"1"', 'W/"1"', 'x'),
        Prefer: fc.constantFrom('respond-async', 'wait=0, ;;', 'x'),
        'Idempotency-Key': fc.constantFrom('a', 'b', 'ü'),
        'Purpose-Of-Use': fc.constantFrom('TREAT', 'ETREAT', 'x'),
        'Content-Encoding': fc.constantFrom('gzip', 'br'),
        'Tus-Resumable': fc.constantFrom('1.0.0', '9'),
        'Upload-Length': fc.constantFrom('1', '-1', 'x'),
        'Upload-Offset': fc.constantFrom('0', '1', 'x'),
        Accept: fc.constantFrom('application/json', 'x'),
      },
      { requiredKeys: [] },
    ),
  })

async function fuzz(route: Route, round = 0): Promise<void> {
  const declared = new Set([
    ...Object.keys(route.answers).map(Number),
    ...[...route.failures, ...commonFailures].map((code) => errorKinds[code].status),
  ])
  const property = fc.asyncProperty(askedOf(route), async ({ id, query, body, headers }) => {
    const path = `/v1${route.path.replaceAll(/\{\w+\}/g, id)}?${new URLSearchParams(query)}`
    // Headers that only some requests carry would else hide the rest of what is tried.
    const few = Object.fromEntries(Object.entries(headers).slice(0, 2))
    const response = await kit.fetch(route.method, path, body, { Authorization: `Bearer ${key}`, ...few } as Record<
      string,
      string
    >)
    // An empty id, or one with a slash or dots in it, is another address; so is one told by a header.
    const isThere = id !== '' && !/[./]|%2[EF]/i.test(id) && route.when === undefined && !('Tus-Resumable' in few)
    if (isThere) expect(declared).toContain(response.status)
    const text = await response.text()
    if (response.status < 400) return
    const { code } = problemSchema.parse(JSON.parse(text))
    if (response.status >= 500) expect(code).toMatch(/^(engine-not-ready|payer-unavailable)$/)
  })
  await fc.assert(property, { numRuns: runs, seed: seed + round, endOnFailure: !isFull })
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapMiB(): number {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}

test.each(operations)(
  '%s answers anything with a status it declares, and never with a fault of its own',
  (_, route) => fuzz(route),
  3_600_000,
)

/** In the suite one round is through already; under `full` nine more follow, and nothing of them may stay. */
if (isFull) {
  test('a hundred thousand such requests leave nothing behind in memory', async () => {
    const before = heapMiB()
    for (let round = 1; round < rounds; round += 1) for (const [, route] of operations) await fuzz(route, round)
    expect(heapMiB() - before).toBeLessThan(64)
  }, 3_600_000)
}
