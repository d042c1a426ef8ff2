import type { z } from 'zod'
import { type ErrorCode, errorKinds } from '../errors.ts'
import { problemSchema } from '../model/problem.ts'
import { CONTRACT_VERSION } from '../version.ts'
import exampleAnswers from './example-answers.json' with { type: 'json' }
import { type Example, examples } from './examples.ts'
import type { JsonObject, SchemaWriter } from './openapi-schemas.ts'
import {
  schemaWriter,
  bytesContent,
  eventsContent,
  requestHeaders,
  takesBytes,
  headersOfAnswer,
  headersOfProblem,
  responseHeaders,
} from './openapi-schemas.ts'
import { commonFailures, limitsInWords, type Route } from './route.ts'
import { quickStart, descriptions } from './quick-start.ts'
import { routes, basesOf } from './routes.ts'

type Json = JsonObject[string]

export function openApiDocument(issuers: readonly string[] = []): JsonObject {
  const oauth = issuers.map((issuer, index) => [`oauth2_${index + 1}`, oauthScheme(issuer)] as const)
  const writer = schemaWriter()
  writer.answered(problemSchema)
  const operations = paths(writer)
  const groups = tagsOf(inOrder().map(([, route]) => route))
  return writer.withComponents({
    openapi: '3.1.1',
    info: {
      title: 'Clinical Documentation Service',
      version: `1.${CONTRACT_VERSION}`,
      description,
    },
    servers: [{ url: '/v1' }, { url: '/api/v1' }],
    security: [{ key: [] }, ...oauth.map(([name]) => ({ [name]: [] }))],
    tags: groups,
    paths: operations,
    components: {
      securitySchemes: { key: keyScheme, ...Object.fromEntries(oauth) },
      headers: responseHeaders,
      responses: sharedProblems(),
    },
  })
}

const description = `Records, transcription, notes and scheduling of a therapy practice. Errors are RFC 9457 problems.\n${quickStart}\n## Limits\n\n${limitsInWords}\n`

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

function inOrder(): [string, Route][] {
  const all = Object.entries(routes) as [string, Route][]
  return [...all.filter(([, { published }]) => published), ...all.filter(([, { published }]) => !published)]
}

function paths(writer: SchemaWriter): JsonObject {
  const byPath: Record<string, Record<string, Json>> = {}
  const all = inOrder()
  for (const [id, route] of all.filter(([, { when }]) => when === undefined)) {
    const item = (byPath[route.path] ??= { servers: basesOf(route).map((url) => ({ url })) })
    const other = all.find(([, { path, method, when }]) => when !== undefined && path === route.path && method === route.method)
    const written = operation(writer, id, route)
    item[route.method.toLowerCase()] = other ? both(writer, written, other[1]) : written
  }
  return byPath
}

/** OpenAPI allows one operation per method and path. An operation with `when` (a header) is described in the other one. */
function both(writer: SchemaWriter, operation: JsonObject, other: Route): JsonObject {
  const { description, parameters, requestBody, responses } = operation as {
    description?: string
    parameters: Json[]
    requestBody?: { content?: JsonObject }
    responses: JsonObject
  }
  return {
    ...operation,
    description: `${description !== undefined ? `${description}\n\n` : ''}With the header \`${other.when}\`: ${other.summary}.`,
    parameters: [...parameters, ...requestHeaders(other)],
    ...(takesBytes(other) ? { requestBody: { required: false, content: { ...requestBody?.content, ...bytesContent } } } : {}),
    responses: { ...answers(writer, other), ...problems(other), ...responses },
  }
}

function operation(writer: SchemaWriter, id: string, route: Route): JsonObject {
  return {
    operationId: id,
    summary: route.summary,
    ...(descriptionOf(id) === undefined ? {} : { description: descriptionOf(id)! }),
    tags: [tagOf(route).name],
    'x-roles': Object.fromEntries(Object.entries(route.reach).filter(([, reach]) => reach !== 'none')),
    'x-counts-against-quota': route.counted,
    parameters: [
      ...parametersIn(writer, 'path', route.params, { id: exampleOf(id)?.id }),
      ...parametersIn(writer, 'query', route.query, queryOf(exampleOf(id)?.query)),
      ...requestHeaders(route),
    ],
    ...(route.body ? { requestBody: { required: true, content: json(writer.sent(route.body), exampleOf(id)?.body) } } : {}),
    ...(takesBytes(route) ? { requestBody: { required: true, content: bytesContent } } : {}),
    responses: { ...answers(writer, route, id), ...problems(route) },
  }
}

function parametersIn(
  writer: SchemaWriter,
  place: 'path' | 'query',
  schema: z.ZodObject | undefined,
  values: Readonly<Record<string, string | undefined>>,
): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => {
    const { description: text = '', ...written } = writer.sent(field)
    const required = place === 'path' || field.safeParse(undefined).success === false
    const example = values[name]
    return { name, in: place, required, description: text, schema: written, ...(example === undefined ? {} : { example }) }
  })
}

function answers(writer: SchemaWriter, route: Route, id = ''): JsonObject {
  const answer = (exampleAnswers as Readonly<Record<string, Json>>)[id]
  const entries = Object.entries(route.answers).map(([status, schema]): [string, Json] => {
    const headers = headersOfAnswer(route, Number(status), schema !== null && hasVersion(schema))
    const content = {
      ...(schema === null ? {} : json(writer.answered(schema), status === '202' ? undefined : answer)),
      ...streamed(route),
    }
    return [status, { description: meaning(Number(status)), headers, ...(Object.keys(content).length > 0 ? { content } : {}) }]
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

function problems(route: Route): JsonObject {
  const codes: ErrorCode[] = [...new Set([...commonFailures, ...route.failures])]
  const byStatus = Map.groupBy(codes, (code) => errorKinds[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, found]) => {
      const isShared = found.every((code) => (commonFailures as readonly ErrorCode[]).includes(code))
      const name = sharedName(route, status)
      return [String(status), isShared ? { $ref: `#/components/responses/${name}` } : problem(route, status, found)]
    }),
  )
}

const isCounted = (route: Pick<Route, 'counted'>, status: number): boolean =>
  'RateLimit' in headersOfProblem({ counted: route.counted }, status)
const sharedName = (route: Pick<Route, 'counted'>, status: number): string =>
  `Problem${status}${isCounted(route, status) ? 'Counted' : ''}`

function sharedProblems(): JsonObject {
  const byStatus = Map.groupBy(commonFailures as readonly ErrorCode[], (code) => errorKinds[code].status)
  return Object.fromEntries(
    [false, true].flatMap((counted) =>
      [...byStatus].map(([status, found]) => [sharedName({ counted }, status), problem({ counted }, status, found)] as const),
    ),
  )
}

function problem(route: Pick<Route, 'counted' | 'conditional'>, status: number, codes: readonly ErrorCode[]): JsonObject {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorKinds[code].title}`).join(' '),
    headers: headersOfProblem(route, status),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

function json(schema: JsonObject, example?: unknown): JsonObject {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example: example as Json }) } }
}

const queryOf = (query = '?'): Record<string, string> =>
  Object.fromEntries(
    query
      .slice(1)
      .split('&')
      .map((pair) => pair.split('=') as [string, string]),
  )

const descriptionOf = (id: string): string | undefined => (descriptions as Readonly<Record<string, string>>)[id]

const exampleOf = (id: string): Example | undefined => (examples as Readonly<Record<string, Example>>)[id]

function hasVersion(schema: z.ZodType): boolean {
  return 'version' in ((schema as Partial<z.ZodObject>).shape ?? {})
}

interface Tag {
  readonly name: string
  readonly description: string
}

const core: Tag = { name: 'Core operations', description: 'The ten operations that every service of this kind offers.' }

const extensions: Readonly<Record<string, Tag>> = Object.fromEntries(
  (
    [
      ['Service', 'What this service is and who is calling.', ['', 'me']],
      ['Clients', 'Client records.', ['clients']],
      ['Sessions', 'Sessions, appointments and series.', ['sessions']],
      ['Consents', 'Who agreed to recording, transcription, drafting and analysis.', ['consents']],
      ['Audio uploads', 'Audio in parts (tus 1.0).', ['uploads']],
      ['Transcripts', 'What was said in sessions.', ['transcripts']],
      ['Notes', 'Drafts, signing, addenda and cosigning.', ['notes', 'psychotherapy-notes']],
      ['Templates', 'Custom templates for notes.', ['templates']],
      ['Analyses', 'Stored analyses of sessions.', ['analyses']],
      ['Long work and changes', 'Operations in progress and the change feed.', ['operations', 'events']],
      ['Rooms and availability', 'What the scheduler relies on.', ['rooms', 'availability']],
      ['Insurance', 'Eligibility results, authorizations and payers.', ['coverage', 'authorisations', 'payers']],
      ['Staff', 'People of the practice.', ['staff', 'break-glass', 'reassignments']],
      ['API keys', 'Who may call.', ['api-keys']],
      [
        'Audit and retention',
        'The audit log, legal holds and erasure.',
        ['audit-events', 'retention', 'legal-holds', 'erasures'],
      ],
      ['Speech models', 'Speech models and voice enrollment on the machine of the service.', ['models', 'voices']],
    ] as const
  ).flatMap(([name, description, words]) => words.map((word) => [word, { name, description }])),
)

function tagOf({ path, published }: Pick<Route, 'path' | 'published'>): Tag {
  const word = path.split('/')[1] ?? ''
  const tag = published ? core : extensions[word]
  if (tag === undefined) throw new Error(`no tag for ${path}`)
  return tag
}

function tagsOf(routes: readonly Route[]): { name: string; description: string }[] {
  const used = new Set(routes.map((route) => tagOf(route).name))
  return [core, ...new Set(Object.values(extensions))].filter(({ name }) => used.delete(name))
}
