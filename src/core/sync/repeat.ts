import type { SyncPorts } from './sync-loop.ts'

export interface Repetition {
  start(): void
  /** Ends the sleep, and aborts the signal of a running turn. */
  wake(): void
  stop(): Promise<void>
}

/** Repeats `turn` until stopped. It returns how long to sleep, in milliseconds, or null to sleep until woken. */
export function repeat(wait: SyncPorts['wait'], turn: (signal: AbortSignal) => Promise<number | null>): Repetition {
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
    start: () => void (running ??= run()),
    wake: () => current.abort(),
    async stop() {
      isStopping = true
      current.abort()
      await running
    },
  }
}
