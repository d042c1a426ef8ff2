import { createHash } from 'node:crypto'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { errorKinds } from '#contract/errors.ts'
import { canonicalNote } from '#domain/canonical-note.ts'
import { noteBodySchema, signatureSchema } from '#contract/model/note.ts'
import { transcriptDraftSchema } from '#contract/model/transcript.ts'
import { descriptions } from '#contract/rest/quick-start.ts'
import { examples } from '#contract/rest/examples.ts'
import { openApiDocument } from '#contract/rest/openapi.ts'
import { commonFailures, type Route } from '#contract/rest/route.ts'
import { routes, basesOf } from '#contract/rest/routes.ts'

interface Operation {
  operationId: string
  description?: string
  tags: string[]
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { content: Record<string, { schema: unknown }> }
  responses: Record<string, Answer>
}

interface Answer {
  $ref?: string
  headers?: object
  content?: Record<string, { schema: unknown }>
}

interface Document {
  openapi: string
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, Operation> & { servers: { url: string }[] }>
  components: {
    schemas: Record<string, Schema>
    responses: Record<string, Answer>
    securitySchemes: Record<string, { type: string; scheme: string }>
  }
}

const document = openApiDocument() as unknown as Document
/** Of an operation, or shared by all. */
const answerOf = ({ responses }: Operation, status: string): Answer | undefined => {
  const { $ref } = responses[status] ?? {}
  return $ref === undefined ? responses[status] : document.components.responses[$ref.split('/').at(-1)!]
}
const entries = Object.entries(routes) as [string, Route][]
const operationOf = (route: Route): Operation => document.paths[route.path]![route.method.toLowerCase()]!

interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

/** Every property of every object in the document, by its place. */
function* propertiesIn(value: unknown, place: string): Generator<[string, Schema]> {
  if (typeof value !== 'object' || value === null) return
  const { properties } = value as Schema
  if (typeof properties === 'object') for (const [name, schema] of Object.entries(properties)) yield [`${place}.${name}`, schema]
  for (const [name, inner] of Object.entries(value)) yield* propertiesIn(inner, `${place}/${name}`)
}

describe('the OpenAPI document', () => {
  test('describes every property, every named schema, every parameter and every tag', () => {
    const { schemas } = document.components
    const isDescribed = ({ description, $ref }: Schema): boolean =>
      (description ?? schemas[$ref?.split('/').at(-1) ?? '']?.description ?? '').length > 3
    const properties = [...propertiesIn(document.paths, ''), ...propertiesIn(schemas, 'schemas')]
    expect(properties.length).toBeGreaterThan(1000)
    expect(properties.filter(([, schema]) => !isDescribed(schema)).map(([place]) => place)).toEqual([])
    expect(
      Object.entries(schemas)
        .filter(([, schema]) => !isDescribed(schema))
        .map(([name]) => name),
    ).toEqual([])
    const parameters = entries.flatMap(([id, route]) =>
      operationOf(route).parameters.map((parameter) => [`${id} ${parameter.name}`, parameter as Schema] as const),
    )
    expect(parameters.filter(([, parameter]) => !isDescribed(parameter)).map(([name]) => name)).toEqual([])
    // A description that only repeats the name says nothing.
    const words = (text: string): string =>
      text
        .toLowerCase()
        .replaceAll(/[^a-z]+/g, ' ')
        .trim()
    const empty = properties.filter(([place, { description = '' }]) => {
      const name = words(place.split('.').at(-1)!)
      return [name, `the ${name}`, `${name} of the ${name}`].includes(words(description))
    })
    expect(empty.map(([place, { description }]) => `${place}: ${description}`)).toEqual([])
  })

  test('begins with the published operations, and says how much text is read at once', () => {
    const published = entries.filter(([, route]) => route.published).length
    const paths = Object.values(document.paths).map(({ servers: _servers, ...byMethod }) => Object.values(byMethod))
    const methods = paths.flat()
    const isPublished = ({ operationId }: Operation): boolean => routes[operationId as keyof typeof routes].published
    expect(paths.slice(0, published).every((path) => path.some(isPublished))).toBe(true)
    expect(methods.filter(({ tags }) => tags[0] === 'Core operations')).toHaveLength(published)
    for (const name of ['GenerateNoteRequest', 'AnalyzeRequest'])
      expect(document.components.schemas[name]!.properties!['transcript']).toMatchObject({
        maxLength: 600_000,
        description: expect.stringContaining('600,000 characters') as string,
      })
  })

  test('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test.each(entries)('holds %s with every declared status and body', (id, route) => {
    const operation = operationOf(route)
    const shared = entries.find(
      ([, { path, method, when }]) => when === undefined && path === route.path && method === route.method,
    )
    expect(operation.operationId).toBe(route.when === undefined ? id : shared?.[0])
    for (const [status, schema] of Object.entries(route.answers)) {
      expect(operation.responses[status]).toBeDefined()
      if (route.when === undefined)
        expect(Boolean(operation.responses[status]?.content?.['application/json'])).toBe(schema !== null)
    }
    for (const code of [...commonFailures, ...route.failures]) {
      const response = answerOf(operation, String(errorKinds[code].status))
      expect(response?.content?.['application/problem+json']?.schema).toEqual({ $ref: '#/components/schemas/Problem' })
    }
    const takesBytes = route.stream === 'in' && ['POST', 'PATCH'].includes(route.method)
    expect(Object.keys(operation.requestBody?.content ?? {})).toEqual(
      expect.arrayContaining([
        ...(route.body ? ['application/json'] : []),
        ...(takesBytes ? ['application/offset+octet-stream'] : []),
      ]),
    )
    expect(Boolean(operation.requestBody)).toBe(Boolean(route.body) || takesBytes)
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

  test('names an issuer of access tokens where there is one', async () => {
    const trusting = openApiDocument(['https://login.example/'])
    expect(await new Validator().validate(structuredClone(trusting) as Record<string, unknown>)).toEqual({ valid: true })
    expect(trusting).toMatchObject({
      security: [{ key: [] }, { oauth2_1: [] }],
      components: {
        securitySchemes: {
          oauth2_1: { type: 'openIdConnect', openIdConnectUrl: 'https://login.example/.well-known/openid-configuration' },
        },
      },
    })
  })

  test('names the headers of every answer: quota, version, replay, where to look', () => {
    const headersOf = (id: keyof typeof routes, status: string): string[] =>
      Object.keys(answerOf(operationOf(routes[id]), status)?.headers ?? {})
    expect(headersOf('listClients', '200')).toEqual(['X-Request-Id', 'RateLimit', 'RateLimit-Policy'])
    expect(headersOf('createSession', '201')).toEqual(expect.arrayContaining(['ETag', 'Idempotency-Replayed']))
    expect(headersOf('transcribe', '202')).toEqual(expect.arrayContaining(['Location', 'Preference-Applied']))
    expect(headersOf('listClients', '429')).toContain('Retry-After')
    expect(headersOf('listClients', '401')).toContain('WWW-Authenticate')
    const { headers } = (document as unknown as { components: { headers: object } }).components
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/headers\/(\w+)"/g))
      expect(headers).toHaveProperty(name!)
  })

  test.each(Object.entries(examples))(
    'the example of %s is a call it takes, and stands in the document with its answer',
    (id, example) => {
      const route: Route = routes[id as keyof typeof routes]
      const { query, body } = example
      if (body !== undefined) expect(route.body?.safeParse(body).error).toBeUndefined()
      if (query !== undefined)
        expect(route.query?.safeParse(Object.fromEntries(new URLSearchParams(query))).error).toBeUndefined()
      if (route.when !== undefined) return
      const { requestBody, responses } = operationOf(route)
      if (route.body) expect(requestBody?.content['application/json']).toMatchObject({ example: body })
      const withBody = Object.entries(route.answers).filter(([status, schema]) => schema !== null && status !== '202')
      for (const [status] of withBody) expect(responses[status]?.content?.['application/json']).toHaveProperty('example')
    },
  )

  test('the worked example of a signature is the hash of the note it shows', () => {
    const { description = '' } = operationOf(routes.signNote)
    const [, shown = '', hash] = /```json\n(.*)\n```[^`]*`content_hash`\n\n```text\n(\w+)\n/.exec(description)!
    const note = noteBodySchema.parse(JSON.parse(shown))
    expect(canonicalNote(note)).toBe(shown)
    expect(createHash('sha256').update(shown).digest('hex')).toBe(hash)
    for (const name of Object.keys(note)) expect(signatureSchema.shape.content_hash.description).toContain(`\`${name}\``)
  })

  test('says what an integrator cannot see in the schemas', () => {
    const { info } = document as unknown as { info: { description: string } }
    const reaches = new Set(entries.flatMap(([, { reach }]) => Object.values(reach)).filter((reach) => reach !== 'none'))
    for (const word of ['x-roles', 'x-counts-against-quota', ...reaches]) expect(info.description).toContain(`\`${word}\``)
    for (const id of Object.keys(descriptions) as (keyof typeof routes)[])
      expect(operationOf(routes[id]).description).toContain(descriptions[id])
  })

  test('typed text needs no times and no engine', () => {
    const { body } = examples.putTranscript
    expect(transcriptDraftSchema.parse(body)).toMatchObject({
      duration_ms: null,
      engine: { name: 'import', model: null },
      segments: [{ start_ms: null, end_ms: null, confidence: null }, {}],
    })
  })

  test('every operation has an example', () => {
    expect(Object.keys(examples).toSorted()).toEqual(entries.map(([id]) => id).toSorted())
  })

  test('has no reference that leads nowhere and no component that only names itself', () => {
    const names = Object.keys(document.components.schemas)
    for (const [, name] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)) expect(names).toContain(name)
    for (const schema of Object.values(document.components.schemas)) expect(schema).not.toHaveProperty('$ref')
  })
})
