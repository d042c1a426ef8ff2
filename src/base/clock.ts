/** Injected everywhere time matters, so that tests can hold it still. */
export interface Clock {
  /** Wall time, milliseconds since 1970; may jump. For what people read. */
  now(): number
  /** Monotonic milliseconds; never jumps. For durations. */
  elapsed(): number
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
}

/** RFC 3339 in UTC, as every record carries it. */
export function timestamp(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}
