import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { errorKinds } from '../errors.ts'
import { analysisSchema } from '../model/analysis.ts'
import { analyticsSchema } from '../model/analytics.ts'
import { clientSchema } from '../model/client.ts'
import { consentSchema } from '../model/consent.ts'
import { coverageSchema } from '../model/coverage.ts'
import { noteSchema } from '../model/note.ts'
import { operationSchema } from '../model/operation.ts'
import { problemSchema } from '../model/problem.ts'
import { serviceDocumentSchema } from '../model/service-document.ts'
import { sessionSchema } from '../model/session.ts'
import { transcriptSchema } from '../model/transcript.ts'
import { CONTRACT_VERSION } from '../version.ts'
import { basesOf } from './addresses.ts'
import { examples } from './examples.ts'
import { headersOfAnswer, headersOfProblem, responseHeaders } from './openapi-headers.ts'
import { bytesContent, eventsContent, requestHeaders, takesBytes } from './openapi-request.ts'
import { limitsInWords } from './limits.ts'
import type { Route } from './route.ts'
import { commonFailures } from './route.ts'
import type { OperationId } from './routes.ts'
import { routes } from './routes.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type JsonObject = { readonly [key: string]: Json }

/** Schemas that stand once in the document, by name; everything else is written where it is used. */
const named = {
  Client: clientSchema,
  Session: sessionSchema,
  Consent: consentSchema,
  Transcript: transcriptSchema,
  Note: noteSchema,
  Analysis: analysisSchema,
  Coverage: coverageSchema,
  Analytics: analyticsSchema,
  Operation: operationSchema,
  ServiceDocument: serviceDocumentSchema,
  Problem: problemSchema,
} as const

const names = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(named)) names.add(schema, { id })

/** The service's OpenAPI 3.1 document, derived from the route table; `issuers` are those of OAuth 2.0 access tokens. */
export function openApiDocument(issuers: readonly string[] = []): JsonObject {
  const oauth = issuers.map((issuer, index) => [`oauth2_${index + 1}`, oauthScheme(issuer)] as const)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Clinical Documentation Service',
      version: `1.${CONTRACT_VERSION}`,
      description: `Records, transcription, notes and scheduling of a therapy practice. Errors are RFC 9457 problems. ${limitsInWords}`,
    },
    servers: [{ url: '/v1' }, { url: '/api/v1' }],
    security: [{ key: [] }, ...oauth.map(([name]) => ({ [name]: [] }))],
    paths: paths(),
    components: {
      securitySchemes: { key: keyScheme, ...Object.fromEntries(oauth) },
      headers: responseHeaders,
      schemas: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, componentSchema(name, schema)])),
    },
  }
}

const keyScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'An API key (`aw_live_...`), or an OAuth 2.0 access token (JWT) of an issuer this service trusts.',
}

function oauthScheme(issuer: string): JsonObject {
  const openIdConnectUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  return {
    type: 'openIdConnect',
    openIdConnectUrl,
    description: 'Authorization code with PKCE for people, client credentials for machines.',
  }
}

function paths(): JsonObject {
  const byPath: Record<string, Record<string, Json>> = {}
  const all = Object.entries(routes) as [string, Route][]
  for (const [id, route] of all.filter(([, { when }]) => when === undefined)) {
    const item = (byPath[route.path] ??= { servers: basesOf(route).map((url) => ({ url })) })
    const other = all.find(([, { path, method, when }]) => when !== undefined && path === route.path && method === route.method)
    item[route.method.toLowerCase()] = other ? both(operation(id, route), other[1]) : operation(id, route)
  }
  return byPath
}

/** A document has one operation for a method at an address: what a header makes of it stands beside. */
function both(operation: JsonObject, other: Route): JsonObject {
  const { parameters, requestBody, responses } = operation as {
    parameters: Json[]
    requestBody?: JsonObject
    responses: JsonObject
  }
  const { content = {} } = (requestBody ?? {}) as { content?: JsonObject }
  return {
    ...operation,
    description: `With the header \`${other.when}\`: ${other.summary}.`,
    parameters: [...parameters, ...requestHeaders(other)],
    ...(takesBytes(other) ? { requestBody: { required: false, content: { ...content, ...bytesContent } } } : {}),
    responses: { ...answers(other), ...problems(other), ...responses },
  }
}

function operation(id: string, route: Route): JsonObject {
  return {
    operationId: id,
    summary: route.summary,
    tags: [tagOf(route)],
    'x-roles': Object.fromEntries(Object.entries(route.reach).filter(([, reach]) => reach !== 'none')),
    'x-counts-against-quota': route.counted,
    parameters: [...inPath(route), ...inQuery(route), ...requestHeaders(route)],
    ...(route.body ? { requestBody: { required: true, content: json(requestSchema(route.body), exampleOf(id)?.body) } } : {}),
    ...(takesBytes(route) ? { requestBody: { required: true, content: bytesContent } } : {}),
    responses: { ...answers(route), ...problems(route) },
  }
}

function inPath(route: Route): Json[] {
  return fieldsOf(route.params).map(({ name, schema }) => ({ name, in: 'path', required: true, schema }))
}

function inQuery(route: Route): Json[] {
  return fieldsOf(route.query).map(({ name, schema, required }) => ({ name, in: 'query', required, schema }))
}

function fieldsOf(schema: z.ZodObject | undefined): { name: string; schema: Json; required: boolean }[] {
  if (!schema) return []
  const written = requestSchema(schema)
  const required = (written['required'] ?? []) as readonly string[]
  const properties = (written['properties'] ?? {}) as JsonObject
  return Object.entries(properties).map(([name, field]) => ({ name, schema: field, required: required.includes(name) }))
}

function answers(route: Route): JsonObject {
  const entries = Object.entries(route.answers).map(([status, schema]): [string, Json] => {
    const written = schema && answerSchema(schema)
    const headers = headersOfAnswer(route, Number(status), written !== null && hasVersion(written))
    const content = { ...(written ? json(written) : {}), ...streamed(route) }
    const description = meaning(Number(status))
    return [status, { description, headers, ...(Object.keys(content).length > 0 ? { content } : {}) }]
  })
  return Object.fromEntries(entries)
}

function streamed({ stream, media }: Route): JsonObject {
  if (media !== undefined) return Object.fromEntries(media.map((type) => [type, { schema: { type: 'string' } }]))
  return stream === 'out' ? eventsContent : {}
}

function meaning(status: number): string {
  return { 200: 'Done', 201: 'Created', 202: 'Accepted; see the operation for progress' }[status] ?? 'Done'
}

/** Failures by status; the codes one status can carry are named in its description. */
function problems(route: Route): JsonObject {
  const codes: ErrorCode[] = [...new Set([...commonFailures, ...route.failures])]
  const byStatus = Map.groupBy(codes, (code) => errorKinds[code].status)
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  return Object.fromEntries(
    [...byStatus].map(([status, found]) => [
      String(status),
      {
        description: found.map((code) => `\`${code}\`: ${errorKinds[code].title}`).join(' '),
        headers: headersOfProblem(route, status),
        content,
      },
    ]),
  )
}

function json(schema: JsonObject, example?: unknown): JsonObject {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example: example as Json }) } }
}

const exampleOf = (id: string) => examples[id as OperationId]

/** Operations of one kind of record stand together: the first word of the address, `ai` aside. */
function tagOf({ path }: Route): string {
  return path.replace(/^\/ai\//, '/').split('/')[1] || 'service'
}

/** Of a record that counts its versions; a reference is to one of the named schemas. */
function hasVersion(written: JsonObject): boolean {
  const name = (written['$ref'] as string | undefined)?.split('/').at(-1)
  const schema = name === undefined ? written : componentSchema(name, named[name as keyof typeof named])
  return 'version' in ((schema['properties'] ?? {}) as JsonObject)
}

function requestSchema(schema: z.ZodType): JsonObject {
  return withoutDialect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry() }))
}

/** Wrapped, so that a named schema at the top becomes a reference too. */
function answerSchema(schema: z.ZodType): JsonObject {
  return (toOutput(schema)['properties'] as JsonObject)['answer'] as JsonObject
}

function componentSchema(name: string, schema: z.ZodType): JsonObject {
  const { id: _name, ...rest } = (toOutput(schema)['$defs'] as JsonObject)[name] as JsonObject
  return rest
}

function toOutput(schema: z.ZodType): JsonObject {
  const written = withoutDialect(
    z.toJSONSchema(z.object({ answer: schema }), { io: 'output', unrepresentable: 'any', metadata: names }),
  )
  return JSON.parse(JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonObject
}

function withoutDialect(schema: object): JsonObject {
  const { $schema: _dialect, ...rest } = schema as { readonly [key: string]: Json }
  return rest
}
