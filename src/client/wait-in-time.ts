import { realTimer, type Timer } from '#client/patience.ts'

/** `setTimeout` with a longer delay fires at once. */
const MAX_TIMER = 2 ** 31 - 1

export function waitInTime(ms: number | null, signal: AbortSignal, timer: Timer = realTimer): Promise<void> {
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
