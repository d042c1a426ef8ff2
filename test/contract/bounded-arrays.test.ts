import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Route } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'

/** Pointers to arrays without a maximum. */
function unbounded(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const here = 'type' in schema && schema.type === 'array' && !('maxItems' in schema) && !('prefixItems' in schema) ? [at] : []
  return [...here, ...Object.entries(schema).flatMap(([name, value]) => unbounded(value, `${at}/${name}`))]
}

test('every array that a request may carry has a maximum', () => {
  const all: Readonly<Record<string, Route>> = routes
  const bodies = Object.entries(all).flatMap(([name, { body }]) => (body === undefined ? [] : [[name, body] as const]))
  expect(bodies.length).toBeGreaterThan(20)
  expect(
    bodies.flatMap(([name, body]) => unbounded(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }), name)),
  ).toEqual([])
})

test('an array without a maximum is noticed, wherever it stands', () => {
  const schema = z.object({ list: z.union([z.null(), z.record(z.string(), z.array(z.string()))]) })
  expect(unbounded(z.toJSONSchema(schema, { io: 'input' }), '')).toHaveLength(1)
})
