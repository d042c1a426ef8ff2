import { AppError } from '#contract/errors.ts'
import { Interruption, type SourceAnswer } from './source.ts'

/** Longer than this a source's wish to wait is told to the person instead. */
const patienceMs = 120_000

/** What an answer that brings no content means: worth asking again (an interruption), or for a person to know. */
export function refusalOf({ status, headers }: SourceAnswer, clock: () => number = Date.now): Error {
  if (status === 429 || status === 503) {
    const waitMs = retryAfterMs(headers['retry-after'], clock())
    if (waitMs === null || waitMs <= patienceMs) return new Interruption(`status ${status}`, waitMs)
    return failed(`The source asks to wait ${Math.ceil(waitMs / 60_000)} minutes before asking again.`)
  }
  if (status >= 500 || status === 408 || status === 425) return new Interruption(`status ${status}`)
  if (status === 404 || status === 410) return failed('The source does not have this file, or no longer.')
  if (status === 401 || status === 403)
    return failed(`The source refuses this file (${status}). A network in between may refuse it too; a mirror may have it.`)
  if (status === 407) return failed('The proxy of this network asks for a name and a password (407).')
  return failed(`The source answers with status ${status}.`)
}

const failed = (detail: string): AppError => new AppError('download-failed', detail)

/** RFC 9110, 10.2.3: seconds or a date. */
export function retryAfterMs(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  if (/^\d{1,7}$/.test(value.trim())) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
