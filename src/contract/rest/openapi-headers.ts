import type { Route } from './route.ts'

type Header = { readonly description: string; readonly schema: { readonly type: string } }

const text = (description: string): Header => ({ description, schema: { type: 'string' } })

/** Every header an answer may carry, once; answers refer to them. */
export const responseHeaders = {
  RequestId: text('Id of this call; say it when you ask about it. It stands in the audit log.'),
  ETag: text('Current version of the record, in double quotes. Send it as `If-Match` with a change.'),
  RateLimit: text('What is left of the day’s quota and when it begins anew, in seconds (IETF RateLimit fields).'),
  RateLimitPolicy: text('The plan’s daily quota; absent for a plan without one.'),
  Replayed: text('`true` where the call had been done before under this Idempotency-Key; nothing was done again.'),
  Location: text('Where the operation is asked for its progress.'),
  PreferenceApplied: text('`respond-async` where that was asked for.'),
  RetryAfter: text('Seconds after which the same call may succeed.'),
  Authenticate: text('How to authenticate (RFC 6750).'),
  Allow: text('The methods this address takes.'),
} as const

type Name = keyof typeof responseHeaders

const onTheWire: Readonly<Record<Name, string>> = {
  RequestId: 'X-Request-Id',
  ETag: 'ETag',
  RateLimit: 'RateLimit',
  RateLimitPolicy: 'RateLimit-Policy',
  Replayed: 'Idempotency-Replayed',
  Location: 'Location',
  PreferenceApplied: 'Preference-Applied',
  RetryAfter: 'Retry-After',
  Authenticate: 'WWW-Authenticate',
  Allow: 'Allow',
}

type References = Readonly<Record<string, { readonly $ref: string }>>

function referred(names: readonly Name[]): References {
  return Object.fromEntries(names.map((name) => [onTheWire[name], { $ref: `#/components/headers/${name}` }]))
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
  // What is refused before the quota is looked at carries nothing of it.
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
