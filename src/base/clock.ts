import { setTimeout as later } from 'node:timers/promises'

export interface Clock {
  /** Unix milliseconds of the wall clock, which may jump. */
  now(): number
  elapsed(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
}

/** Milliseconds to wait, from a Retry-After value (RFC 9110, 10.2.3: seconds or a date); null if missing or unreadable. */
export function retryAfterMs(value: string | null | undefined, now: number): number | null {
  const text = value?.trim() ?? ''
  if (/^\d{1,7}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}

export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await later(ms, undefined, { signal }).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error
  })
}

export const timestamp = (clock: Clock): string => new Date(clock.now()).toISOString()

/** Node caches the time zone. Deleting the unset TZ makes it read the system's again. In a worker this needs `env: SHARE_ENV`. */
export function systemTimeZone(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment['TZ'] === undefined) delete environment['TZ']
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

type Timer = (ms: number, ring: () => void) => () => void

const startTimer: Timer = (ms, ring) => {
  const timer = setTimeout(ring, ms)
  return () => clearTimeout(timer)
}

/** Milliseconds. Node changes a longer `setTimeout` delay to 1 ms. */
const MAX_TIMER = 2 ** 31 - 1

export function waitInTime(ms: number | null, signal: AbortSignal, timer: Timer = startTimer): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    let stop = (): void => {}
    const end = (): void => {
      stop()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const waitFor = (left: number): void => {
      const piece = Math.min(left, MAX_TIMER)
      stop = timer(piece, () => (left > piece ? waitFor(left - piece) : end()))
    }
    signal.addEventListener('abort', end)
    if (ms !== null) waitFor(ms)
  })
}
