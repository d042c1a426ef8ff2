import type { SyncPorts } from './sync-loop.ts'

export interface Repetition {
  start(): void
  wake(): void
  stop(): Promise<void>
}

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
    start: (): void => void (running ??= run()),
    wake: () => current.abort(),
    async stop() {
      isStopping = true
      current.abort()
      await running
    },
  }
}
