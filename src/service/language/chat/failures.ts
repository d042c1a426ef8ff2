import { APICallError } from 'ai'
import { AppError } from '#contract/errors.ts'
import type { Manners } from './manners.ts'
import { learn } from './manners.ts'
import { keyRefused } from './server-models.ts'

export type Failure =
  | { readonly kind: 'final'; readonly error: AppError }
  | { readonly kind: 'again'; readonly error: AppError; readonly after_ms: number | null }
  | { readonly kind: 'learned'; readonly manners: Manners }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'refused' }

/**
 * What a failed call means. Errors of the SDK carry the whole question, and a server's words may repeat it: neither is
 * passed on, as a cause or in words.
 */
export function readFailure(error: unknown, manners: Manners, now: number): Failure {
  const own = ours(error)
  if (own !== null) return { kind: 'final', error: own }
  if (!APICallError.isInstance(error) || error.statusCode === undefined || error.statusCode < 400)
    return again('The model server does not answer or broke off.')
  const status = error.statusCode
  if (status === 401 || status === 403) return notReady(keyRefused)
  if (status === 404 || status === 405) return notReady('The model server has no chat at this address, or not this model.')
  if (status === 413) return { kind: 'too-long' }
  if (status === 429 || (status >= 500 && status !== 501))
    return again(`The model server is busy or broken (${status}).`, retryAfter(error.responseHeaders, now))
  const lesson = learn(manners, `${error.responseBody ?? ''} ${error.message}`)
  if (lesson === 'too-long' || lesson === 'refused') return { kind: lesson }
  if (lesson !== 'unknown') return { kind: 'learned', manners: lesson.manners }
  return { kind: 'final', error: new AppError('engine-failed', `The model server refuses the request (${status}).`) }
}

/** The SDK puts errors of the connection into its own. */
function ours(error: unknown): AppError | null {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof AppError) return each
  return null
}

function again(detail: string, after: number | null = null): Failure {
  return { kind: 'again', error: new AppError('engine-failed', detail), after_ms: after }
}

function notReady(detail: string): Failure {
  return { kind: 'final', error: new AppError('engine-not-ready', detail) }
}

/** RFC 9110, 10.2.3: seconds or a date. */
function retryAfter(headers: Record<string, string> | undefined, now: number): number | null {
  const value = headers?.['retry-after']
  if (value === undefined) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
