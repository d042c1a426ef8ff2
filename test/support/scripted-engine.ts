import type { EngineHost } from '#engines/engine-host.ts'

export interface ScriptedEngine {
  readonly host: EngineHost
  /** What it was sent. */
  readonly sent: unknown[]
  isKilled(): boolean
  /** Whatever an engine may come to say. */
  say(message: unknown): void
}

/** An engine process of which a test says every word. */
export function scriptedEngine(): ScriptedEngine {
  const listeners: ((message: unknown) => void)[] = []
  const exits: ((code: number | null) => void)[] = []
  const sent: unknown[] = []
  let isKilled = false
  return {
    sent,
    isKilled: () => isKilled,
    say: (message) => listeners.forEach((listener) => listener(message)),
    host: {
      start: () => ({
        send: (message) => void sent.push(message),
        onMessage: (listener) => void listeners.push(listener),
        onExit: (listener) => void exits.push(listener),
        kill() {
          if (isKilled) return
          isKilled = true
          // As with a real process, its end is heard later.
          setImmediate(() => exits.forEach((listener) => listener(null)))
        },
      }),
    },
  }
}
