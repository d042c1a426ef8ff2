import type { SyncPorts } from './sync-loop.ts'

export type Repetition = ReturnType<typeof repeat>

/** Repeats `turn` until stopped. `turn` returns how long to sleep, in milliseconds, or null to sleep until woken. */
export function repeat(wait: SyncPorts['wait'], turn: (signal: AbortSignal) => Promise<number | null>) {
  let isStopping = false
  let current = new AbortController()
  let running: Promise<void> | null = null
  const run = async (): Promise<void> => {
    while (!isStopping) {
      current = new AbortController()
      const { signal } = current
      const rest = await turn(signal)
      if (!signal.aborted) await wait(rest, signal)
    }
  }
  return {
    start: (): void => void (running ??= run()),
    /** Ends the sleep, and aborts the signal of a running turn. */
    wake: () => current.abort(),
    async stop(): Promise<void> {
      isStopping = true
      current.abort()
      await running
    },
  }
}
