import type { Context } from 'hono'
import { type AppError, type ErrorCode, errorKinds } from '#contract/errors.ts'
import { problemOf } from '#service/kernel/problem.ts'
import { Stale } from '#service/kernel/stale.ts'
import type { Route } from '#contract/rest/route.ts'
import { scopesFor } from '#service/oauth/scopes.ts'
import type { Env } from './variables.ts'
import { bearerToken } from './bearer-authentication.ts'

const extraHeaders: Partial<Record<ErrorCode, Record<string, string>>> = {
  'sign-in-unavailable': { 'Retry-After': '5' },
  'practice-moved': { 'Retry-After': '30' },
  'still-running': { 'Retry-After': '1' },
  'service-unreachable': { 'Retry-After': '1' },
  'tus-version': { 'Tus-Version': '1.0.0' },
  'unsupported-media': { 'Accept-Post': 'application/json' },
}

export function problemResponse(c: Context<Env>, error: AppError, requestId: string): Response {
  const problem = problemOf(error, requestId)
  const challenge = challengeFor(error, c.req.header('authorization'), c.get('route')?.route)
  return c.body(JSON.stringify(problem), problem.status as 400, {
    'Content-Type': 'application/problem+json',
    ...extraHeaders[error.code],
    ...(error instanceof Stale && error.etag !== null ? { ETag: error.etag } : {}),
    ...(challenge === null ? {} : { 'WWW-Authenticate': challenge }),
    ...(error.retrySeconds === undefined ? {} : { 'Retry-After': String(error.retrySeconds) }),
  })
}

const realm = 'Bearer realm="afterword"'

/** RFC 6750, section 3: how to authenticate, or what is missing; null where neither is the matter. */
function challengeFor(error: AppError, authorization: string | undefined, route: Route | undefined): string | null {
  // Whoever sent nothing is not told of an error.
  if (errorKinds[error.code].status === 401)
    return bearerToken(authorization ?? null) === null ? realm : `${realm}, error="invalid_token"`
  if (error.code !== 'forbidden' || route === undefined) return null
  return `${realm}, error="insufficient_scope", scope="${scopesFor(route).join(' ')}"`
}
