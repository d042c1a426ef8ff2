import { setTimeout as later } from 'node:timers/promises'

/** Between two looks at the store: another process may have written. */
const lookMs = 500
const heartbeatMs = 15_000

/** Waits for the next look; true where it is time for a sign of life. Thrown out of by `signal`. */
export function pacer(signal: AbortSignal): () => Promise<boolean> {
  let quietMs = 0
  return async () => {
    await later(lookMs, undefined, { signal, ref: false })
    quietMs += lookMs
    const isDue = quietMs >= heartbeatMs
    if (isDue) quietMs = 0
    return isDue
  }
}
