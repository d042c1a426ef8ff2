import { AppError } from '#contract/errors.ts'
import type { Manners } from './manners.ts'
import { learn } from './manners.ts'
import { keyRefused } from './server-models.ts'
import { ChatRefusal } from './stream.ts'

export type Failure =
  | { readonly kind: 'final'; readonly error: AppError }
  | { readonly kind: 'again'; readonly error: AppError; readonly after_ms: number | null }
  | { readonly kind: 'learned'; readonly manners: Manners }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'refused' }

/** What a failed call means. A server's words may repeat the question: they are never passed on, also not as a cause. */
export function readFailure(error: unknown, manners: Manners, now: number): Failure {
  if (error instanceof AppError) return { kind: 'final', error }
  if (!(error instanceof ChatRefusal) || error.status < 400) return again('The model server does not answer or broke off.')
  const { status } = error
  if (status === 401 || status === 403) return notReady(keyRefused)
  if (status === 404 || status === 405) return notReady('The model server has no chat at this address, or not this model.')
  if (status === 413) return { kind: 'too-long' }
  if (status === 429 || (status >= 500 && status !== 501))
    return again(`The model server is busy or broken (${status}).`, retryAfter(error.headers, now))
  const lesson = learn(manners, error.words)
  if (lesson === 'too-long' || lesson === 'refused') return { kind: lesson }
  if (lesson !== 'unknown') return { kind: 'learned', manners: lesson.manners }
  return { kind: 'final', error: new AppError('engine-failed', `The model server refuses the request (${status}).`) }
}

function again(detail: string, after: number | null = null): Failure {
  return { kind: 'again', error: new AppError('engine-failed', detail), after_ms: after }
}

function notReady(detail: string): Failure {
  return { kind: 'final', error: new AppError('engine-not-ready', detail) }
}

/** RFC 9110, 10.2.3: seconds or a date. */
function retryAfter(headers: Headers, now: number): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}
