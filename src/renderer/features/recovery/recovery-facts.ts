import type { MethodOutput } from '#contract/bridge/methods.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { Consent } from '#contract/model/consent.ts'
import type { Recording } from '#contract/model/recording.ts'

const HOUR_MS = 60 * 60_000

export type Way = 'resume' | 'ended' | 'no-consent' | 'consent-lost' | 'hour-over' | 'no-session' | 'unknown'

interface SessionAnswer {
  readonly data: MethodOutput<'sessions.get'> | undefined
  readonly error: { readonly code: ErrorCode } | null
}

/** Returns 'resume' only until the session's scheduled end, or until an hour after its scheduled start if that is later. */
export function wayOf(recording: Recording, { data, error }: SessionAnswer, startsAt: string, now: number): Way {
  if (recording.finished_at !== null) return 'ended'
  if (data === undefined) return error?.code === 'not-found' ? 'no-session' : 'unknown'
  if (data.session.status === 'completed') return 'ended'
  if (!data.consent.granted.includes('record')) return 'no-consent'
  const lasts = Math.max(HOUR_MS, data.session.duration_minutes * 60_000)
  return now < new Date(startsAt).getTime() + lasts ? 'resume' : 'hour-over'
}

/** Recordings start only with consent. If the consent is missing and was not withdrawn, its record was lost. */
export function orLost(way: Way, consents: readonly Consent[] | undefined): Way {
  if (way !== 'no-consent') return way
  if (consents === undefined) return 'unknown'
  return consents.some(({ revoked_at }) => revoked_at !== null) ? way : 'consent-lost'
}

export const wasFound = (way: Way): boolean => way === 'ended' || way === 'consent-lost' || way === 'no-session'

export type Lost =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'at-most'; readonly ms: number }
  | { readonly kind: 'after-cut' }
  | { readonly kind: 'unknown' }

/** Rounds up to whole seconds. A bound over an hour is not shown. */
export function lostOf(lostMsAtMost: number | null): Lost {
  if (lostMsAtMost === null) return { kind: 'unknown' }
  if (lostMsAtMost === 0) return { kind: 'nothing' }
  return lostMsAtMost > HOUR_MS ? { kind: 'after-cut' } : { kind: 'at-most', ms: Math.ceil(lostMsAtMost / 1000) * 1000 }
}
