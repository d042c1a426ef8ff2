import type { Route } from './route.ts'

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

/** Headers of a request, beyond the ones every call has. */
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

/** As tus 1.0.0 has them. Where the address has another operation too, they are what tells the two apart. */
function tusHeaders({ method, when }: Route): HeaderParameter[] {
  return [
    header('Tus-Resumable', '`1.0.0`; the call is one of the tus protocol.', when === undefined),
    ...(method === 'POST' ? [header('Upload-Length', 'Bytes in all.'), header('Upload-Metadata', 'As tus writes it.')] : []),
    ...(method === 'PATCH' ? [header('Upload-Offset', 'Bytes that are here already.', true)] : []),
    ...(method === 'PATCH' || method === 'POST' ? [header('Upload-Checksum', '`sha256` and the checksum in base64.')] : []),
  ]
}

/** Bytes as they come; a method without a body has none. */
export function takesBytes({ stream, method }: Route): boolean {
  return stream === 'in' && (method === 'PATCH' || method === 'POST')
}

export const bytesContent = { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } } as const
export const eventsContent = { 'text/event-stream': { schema: { type: 'string' } } } as const
