import type { Context } from 'hono'
import type { AppError, ErrorCode } from '#contract/errors.ts'
import { challengeFor } from './challenge.ts'
import type { Env } from './variables.ts'
import { problemOf } from '#service/kernel/problem.ts'
import { Stale } from '#service/kernel/stale.ts'

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
