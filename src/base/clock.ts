export interface Clock {
  /** Wall clock, Unix milliseconds. It may jump; use it for displayed times. */
  now(): number
  /** Monotonic milliseconds, for durations. */
  elapsed(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
}

export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}
