import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemSchema } from '#contract/model/problem.ts'
import { commonFailures } from '#contract/rest/route.ts'
import type { Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { errorKinds } from '#contract/errors.ts'
import { aClient, anId, aSession, openKit } from './service-kit.ts'
import type { ServiceKit } from './service-kit.ts'

const runs = process.env.AFTERWORD_FAULTS === 'full' ? 20_000 : 40

let kit: ServiceKit
let known: string[]
beforeAll(async () => {
  kit = await openKit()
  const client = await aClient(kit.client)
  known = [client.id, (await aSession(kit.client, client.id)).id, anId()]
})
afterAll(() => kit.close())

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
      '../',
      '__proto__',
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(-1, 0, 1, 1e308, 2 ** 53, 0.1) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 2 }).map((index) => known[index]) },
  fc.jsonValue({ maxDepth: 3 }),
)

/** The members an operation knows, each with some value; a few of its own. */
function bodyFor(schema: unknown): fc.Arbitrary<unknown> {
  const shape = (schema as { shape?: Record<string, unknown> }).shape ?? {}
  const members = Object.fromEntries(Object.keys(shape).map((name) => [name, value]))
  return fc.oneof({ weight: 4, arbitrary: fc.record(members, { requiredKeys: [] }) }, value)
}

test.each(Object.entries(routes as Record<string, Route>))(
  '%s answers anything with a status it declares, and never with a 500',
  async (_, route) => {
    const declared = [
      ...Object.keys(route.answers).map(Number),
      ...[...route.failures, ...commonFailures].map((code) => errorKinds[code].status),
    ]
    const asked = fc.record({
      id: fc.oneof(
        fc.integer({ min: 0, max: 2 }).map((index) => known[index]!),
        fc.string().map(encodeURIComponent),
      ),
      query: fc.dictionary(
        fc.constantFrom('limit', 'cursor', 'updated_since', 'q', 'status', 'client_id', 'from', 'to'),
        fc.string(),
      ),
      body: route.body ? bodyFor(route.body) : fc.constant(undefined),
      ifMatch: fc.constantFrom(undefined, '*', '"1"', 'W/"1"', 'x'),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ id, query, body, ifMatch }) => {
        const path = `/v1${route.path.replace('{id}', id)}?${new URLSearchParams(query)}`
        const sent = body === undefined ? undefined : JSON.stringify(body)
        const response = await kit.fetch(route.method, path, sent, ifMatch === undefined ? {} : { 'If-Match': ifMatch })
        // An empty id, or one with a slash or dots in it, is another address.
        if (id !== '' && !/[./]|%2[EF]/i.test(id)) expect(declared).toContain(response.status)
        expect(response.status).not.toBe(500)
        if (response.status >= 400) problemSchema.parse(await response.json())
      }),
      { numRuns: runs },
    )
  },
  3_600_000,
)
