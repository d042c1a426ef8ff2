import { z } from 'zod'
import type { Route } from './route.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

export interface SchemaWriter {
  sent(schema: z.ZodType): JsonObject
  answered(schema: z.ZodType): JsonObject
  withComponents(document: JsonObject): JsonObject
}

/** If a default makes the request schema differ from the answer schema, the request schema is named `...Input`. */
export function schemaWriter(): SchemaWriter {
  const components = { input: new Map<string, JsonObject>(), output: new Map<string, JsonObject>() }
  const write = (schema: z.ZodType, io: 'input' | 'output'): JsonObject => {
    const written = z.toJSONSchema(z.object({ it: schema }), {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        // Fields may be added within v1, so a caller must accept ones it does not know.
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      },
    })
    const { properties, $defs } = pointed(written, io) as unknown as {
      properties: Record<string, JsonObject>
      $defs?: Record<string, JsonObject>
    }
    for (const [name, { id: _id, ...rest }] of Object.entries($defs ?? {})) components[io].set(name, rest)
    return properties['it']!
  }
  return {
    sent: (schema) => write(schema, 'input'),
    answered: (schema) => write(schema, 'output'),
    withComponents: (document) => {
      const differing = differingNames(components.input, components.output)
      const inputName = (name: string): string => (differing.has(name) ? `${name}Input` : name)
      const schemas = Object.fromEntries(
        [
          ...[...components.output].map(([name, schema]) => [name, schema] as const),
          ...[...components.input].map(([name, schema]) => [inputName(name), schema] as const),
        ].toSorted(([left], [right]) => (left < right ? -1 : 1)),
      )
      const whole = { ...document, components: { ...(document['components'] as JsonObject), schemas } }
      const text = JSON.stringify(whole).replaceAll(
        /"#\/(input|output)\/(\w+)"/g,
        (_all, io: string, name: string) => `"#/components/schemas/${io === 'input' ? inputName(name) : name}"`,
      )
      return JSON.parse(text) as JsonObject
    },
  }
}

const pointed = (written: object, io: string): unknown => JSON.parse(JSON.stringify(written).replaceAll('"#/$defs/', `"#/${io}/`))

function differingNames(input: ReadonlyMap<string, JsonObject>, output: ReadonlyMap<string, JsonObject>): ReadonlySet<string> {
  const neutral = (schema: JsonObject | undefined): string => JSON.stringify(schema).replaceAll('"#/output/', '"#/input/')
  const shared = [...input.keys()].filter((name) => output.has(name))
  const differing = new Set(shared.filter((name) => neutral(input.get(name)) !== neutral(output.get(name))))
  for (let before = -1; before < differing.size;) {
    before = differing.size
    for (const name of shared) {
      const refers = [...neutral(input.get(name)).matchAll(/"#\/input\/(\w+)"/g)].some(([, other]) => differing.has(other!))
      if (refers) differing.add(name)
    }
  }
  return differing
}

type HeaderParameter = {
  readonly name: string
  readonly in: 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: { readonly type: 'string' }
  readonly example?: string
}

function header(name: string, description: string, required = false): HeaderParameter {
  return { name, in: 'header', required, description, schema: { type: 'string' } }
}

const ifMatch: HeaderParameter = {
  ...header(
    'If-Match',
    'The version you are changing, in double quotes: the `ETag` of the last answer, or its `version` in quotes. A change without it is 428; another version than the stored one is 412; a value without quotes or with `W/` is 400. `*` changes any version. Leave it out to create a record with PUT.',
  ),
  example: '"3"',
}

export function requestHeaders(route: Route): HeaderParameter[] {
  if (route.stream === 'in') return tusHeaders(route)
  return [
    ...(route.method === 'GET'
      ? []
      : [header('Idempotency-Key', 'The same key and body again gives the same answer, done once.')]),
    ...(route.conditional ? [ifMatch] : []),
    ...(route.beyondNeedsPurpose
      ? [header('Purpose-Of-Use', 'HL7 code of what is read for, where it is beyond the caller’s own caseload (TREAT, ...).')]
      : []),
    ...(route.longRunning ? [header('Prefer', '`respond-async` answers 202 and an operation at once.')] : []),
    ...(route.stream === 'out' && route.media === undefined
      ? [header('Last-Event-ID', 'Goes on behind this event, after a connection broke.')]
      : []),
  ]
}

/** tus 1.0.0 headers. If another operation has the same method and path, `Tus-Resumable` distinguishes them. */
function tusHeaders({ method, when }: Route): HeaderParameter[] {
  return [
    header('Tus-Resumable', '`1.0.0`; the call is one of the tus protocol.', when === undefined),
    ...(method === 'POST' ? [header('Upload-Length', 'Bytes in all.'), header('Upload-Metadata', 'As tus writes it.')] : []),
    ...(method === 'PATCH' ? [header('Upload-Offset', 'Bytes that are here already.', true)] : []),
    ...(method === 'PATCH' || method === 'POST' ? [header('Upload-Checksum', '`sha256` and the checksum in base64.')] : []),
  ]
}

export function takesBytes({ stream, method }: Route): boolean {
  return stream === 'in' && (method === 'PATCH' || method === 'POST')
}

export const bytesContent = { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } } as const
export const eventsContent = { 'text/event-stream': { schema: { type: 'string' } } } as const

const headers = {
  RequestId: ['X-Request-Id', 'Id of this call; say it when you ask about it. It stands in the audit log.'],
  ETag: ['ETag', 'Current version of the record, in double quotes. Send it as `If-Match` with a change.'],
  RateLimit: ['RateLimit', 'What is left of the day’s quota and when it begins anew, in seconds (IETF RateLimit fields).'],
  RateLimitPolicy: ['RateLimit-Policy', 'The plan’s daily quota; absent for a plan without one.'],
  Replayed: [
    'Idempotency-Replayed',
    '`true` where the call had been done before under this Idempotency-Key; nothing was done again.',
  ],
  Location: ['Location', 'Where the operation is asked for its progress.'],
  PreferenceApplied: ['Preference-Applied', '`respond-async` where that was asked for.'],
  RetryAfter: ['Retry-After', 'Seconds after which the same call may succeed.'],
  Authenticate: ['WWW-Authenticate', 'How to authenticate (RFC 6750).'],
  Allow: ['Allow', 'The methods this address takes.'],
} as const

type Name = keyof typeof headers

export const responseHeaders: JsonObject = Object.fromEntries(
  Object.entries(headers).map(([name, [, description]]) => [name, { description, schema: { type: 'string' } }]),
)

type References = Readonly<Record<string, { readonly $ref: string }>>

function referred(names: readonly Name[]): References {
  return Object.fromEntries(names.map((name) => [headers[name][0], { $ref: `#/components/headers/${name}` }]))
}

const limits: readonly Name[] = ['RateLimit', 'RateLimitPolicy']
const when = <Item>(condition: boolean, ...items: readonly Item[]): readonly Item[] => (condition ? items : [])

export function headersOfAnswer(route: Route, status: number, hasVersion: boolean): References {
  return referred([
    'RequestId',
    ...when<Name>(route.counted, ...limits),
    ...when<Name>(hasVersion, 'ETag'),
    ...when<Name>(route.method === 'POST', 'Replayed'),
    ...when<Name>(status === 202, 'Location'),
    ...when<Name>(status === 202 && route.longRunning === true, 'PreferenceApplied'),
  ])
}

export function headersOfProblem(route: Pick<Route, 'counted' | 'conditional'>, status: number): References {
  const isCounted = route.counted && ![401, 403, 404, 405, 415].includes(status)
  return referred([
    'RequestId',
    ...when<Name>(isCounted, ...limits),
    ...when<Name>(status === 401, 'Authenticate'),
    ...when<Name>(status === 405, 'Allow'),
    ...when<Name>(status === 412 && route.conditional === true, 'ETag'),
    ...when<Name>(status === 409 || status === 429, 'RetryAfter'),
  ])
}
