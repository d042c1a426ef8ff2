import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { bridgeEvents } from '#contract/bridge/events.ts'
import { bridgeMethods } from '#contract/bridge/methods.ts'
import type { Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'
import { CONTRACT_VERSION } from '#contract/version.ts'

/** Version to fingerprint. A line is added when the version is raised; a released line never changes. */
const history = JSON.parse(readFileSync(join(import.meta.dirname, 'fingerprints.json'), 'utf8')) as Record<string, string>

function fingerprint(): string {
  const methods = Object.entries(bridgeMethods).map(([name, { input, output }]) => [
    name,
    written(input, 'input'),
    written(output, 'output'),
  ])
  const events = Object.entries(bridgeEvents).map(([name, payload]) => [name, written(payload, 'output')])
  const operations = (Object.entries(routes) as [string, Route][]).map(
    ([id, { params, query, body, answers, summary: _summary, ...rest }]) => [
      id,
      rest,
      [params, query, body].map((schema) => (schema ? written(schema, 'input') : null)),
      Object.entries(answers).map(([status, schema]) => [status, schema ? written(schema, 'output') : null]),
    ],
  )
  return createHash('sha256').update(stable({ methods, events, operations })).digest('hex')
}

function written(schema: z.ZodType, io: 'input' | 'output'): unknown {
  // Bytes have no JSON schema; they are told apart from "anything" so that a change to or from them is noticed.
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // Descriptions and names may be improved without a new version.
    metadata: z.registry(),
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'custom') jsonSchema.format = 'bytes'
    },
  })
}

/** JSON with sorted keys, and with lists of methods, events and routes in the order of their names. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part === null || typeof part !== 'object') return part
    if (!Array.isArray(part)) return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    const isNamedList = part.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string')
    return isNamedList ? part.toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)) : part
  })
}

test('the contract changes only together with its version', () => {
  const now = fingerprint()
  const sentence = `The contract changed: raise CONTRACT_VERSION in src/contract/version.ts, say there what changed, and add "${CONTRACT_VERSION + 1}": "${now}" to test/contract/fingerprints.json.`
  expect(now, sentence).toBe(history[String(CONTRACT_VERSION)])
})

test('every version up to the present one has its fingerprint, and no two are the same', () => {
  expect(Object.keys(history)).toEqual(Array.from({ length: CONTRACT_VERSION }, (_, index) => String(index + 1)))
  expect(new Set(Object.values(history)).size).toBe(CONTRACT_VERSION)
})
