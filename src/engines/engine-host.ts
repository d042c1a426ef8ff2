/** Programs that each run in their own process, so that a crash cannot take down the app. */
export type EngineProgram = 'speech-engine' | 'llama-engine' | 'text-engine'

export interface EngineHost {
  start(program: EngineProgram, limits?: EngineLimits): EngineProcess
}

export interface EngineLimits {
  /** JavaScript heap limit in MiB; the process ends if it needs more. */
  readonly heapMb?: number
}

/** Messages are cloned (typed arrays included) and arrive in order. No message arrives after `onExit`. */
export interface EngineProcess {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** `code` is null if a signal ended the process or it never started. Not every host reports the signal. */
  onExit(listener: (code: number | null, signal?: string | null) => void): void
  kill(): void
}
