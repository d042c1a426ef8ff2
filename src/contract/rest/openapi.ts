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
import type { Route } from './route.ts'
import { commonFailures } from './route.ts'
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

/** The service's OpenAPI 3.1 document, derived from the route table. */
export function openApiDocument(): JsonObject {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Clinical Documentation Service',
      version: `1.${CONTRACT_VERSION}`,
      description: 'Records, transcription, notes and scheduling of a therapy practice. Errors are RFC 9457 problems.',
    },
    servers: [{ url: '/v1' }, { url: '/api/v1' }],
    security: [{ key: [] }],
    paths: paths(),
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key or an OAuth 2.0 access token.' } },
      schemas: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, componentSchema(name, schema)])),
    },
  }
}

function paths(): JsonObject {
  const byPath: Record<string, Record<string, Json>> = {}
  for (const [id, route] of Object.entries(routes) as [string, Route][]) {
    const item = (byPath[route.path] ??= { servers: basesOf(route).map((url) => ({ url })) })
    item[route.method.toLowerCase()] = operation(id, route)
  }
  return byPath
}

function operation(id: string, route: Route): JsonObject {
  return {
    operationId: id,
    summary: route.summary,
    parameters: [...inPath(route), ...inQuery(route), ...inHeader(route)],
    ...(route.body ? { requestBody: { required: true, content: json(requestSchema(route.body)) } } : {}),
    responses: { ...answers(route), ...problems(route) },
  }
}

function inPath(route: Route): Json[] {
  return fieldsOf(route.params).map(({ name, schema }) => ({ name, in: 'path', required: true, schema }))
}

function inQuery(route: Route): Json[] {
  return fieldsOf(route.query).map(({ name, schema, required }) => ({ name, in: 'query', required, schema }))
}

function inHeader(route: Route): Json[] {
  const header = (name: string, description: string, required = false): Json => {
    return { name, in: 'header', required, description, schema: { type: 'string' } }
  }
  return [
    ...(route.method === 'GET'
      ? []
      : [header('Idempotency-Key', 'The same key and body again gives the same answer, done once.')]),
    ...(route.conditional ? [header('If-Match', 'ETag of the version that is being changed; 428 where a change lacks it.')] : []),
    ...(route.longRunning ? [header('Prefer', '`respond-async` answers 202 and an operation at once.')] : []),
  ]
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
    const headers = {
      'X-Request-Id': { schema: { type: 'string' } },
      ...(route.conditional ? { ETag: { schema: { type: 'string' } } } : {}),
    }
    return [status, { description: meaning(Number(status)), headers, ...(schema ? { content: json(answerSchema(schema)) } : {}) }]
  })
  return Object.fromEntries(entries)
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
      { description: found.map((code) => `\`${code}\`: ${errorKinds[code].title}`).join(' '), content },
    ]),
  )
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } }
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
