import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { errorKinds } from '#contract/errors.ts'
import { basesOf } from '#contract/rest/addresses.ts'
import { openApiDocument } from '#contract/rest/openapi.ts'
import type { Route } from '#contract/rest/route.ts'
import { commonFailures } from '#contract/rest/route.ts'
import { routes } from '#contract/rest/routes.ts'

interface Operation {
  operationId: string
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { content: Record<string, { schema: unknown }> }
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>
}

interface Document {
  openapi: string
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, Operation> & { servers: { url: string }[] }>
  components: { schemas: Record<string, { type: string }>; securitySchemes: Record<string, { type: string; scheme: string }> }
}

const document = openApiDocument() as unknown as Document
const entries = Object.entries(routes) as [string, Route][]
const operationOf = (route: Route): Operation => document.paths[route.path]![route.method.toLowerCase()]!

describe('the OpenAPI document', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test.each(entries)('holds %s with every declared status and body', (id, route) => {
    const operation = operationOf(route)
    expect(operation.operationId).toBe(id)
    for (const [status, schema] of Object.entries(route.answers)) {
      expect(Boolean(operation.responses[status]?.content?.['application/json'])).toBe(schema !== null)
    }
    for (const code of [...commonFailures, ...route.failures]) {
      const response = operation.responses[String(errorKinds[code].status)]
      expect(response?.content?.['application/problem+json']?.schema).toEqual({ $ref: '#/components/schemas/Problem' })
    }
    expect(Boolean(operation.requestBody)).toBe(Boolean(route.body))
  })

  test.each(entries)('names every parameter of %s', (_id, route) => {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    const { parameters } = operationOf(route)
    const placed = (place: string) => parameters.filter((parameter) => parameter.in === place).map(({ name }) => name)
    expect(placed('path')).toEqual(inPath)
    expect(placed('query')).toEqual(Object.keys(route.query?.shape ?? {}))
    expect(placed('header').includes('If-Match')).toBe(Boolean(route.conditional))
  })

  test('asks for a bearer key everywhere and names every base of a path', () => {
    expect(document.security).toEqual([{ key: [] }])
    expect(document.components.securitySchemes['key']).toMatchObject({ type: 'http', scheme: 'bearer' })
    for (const [, route] of entries) expect(document.paths[route.path]!.servers.map(({ url }) => url)).toEqual(basesOf(route))
  })

  test('has no reference that leads nowhere and no component that only names itself', () => {
    const names = Object.keys(document.components.schemas)
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) expect(names).toContain(name)
    for (const schema of Object.values(document.components.schemas)) expect(schema.type).toBe('object')
  })
})
