/** A heavy native engine that the shell runs in a process of its own: what it does to itself, it does to nobody else. */
export type EngineProgram = 'speech-engine' | 'llama-engine' | 'text-engine'

export interface EngineHost {
  start(program: EngineProgram, limits?: EngineLimits): EngineProcess
}

export interface EngineLimits {
  /** Mebibytes of JavaScript heap; the process ends when it needs more. */
  readonly heapMb?: number
}

/** Messages are cloned, typed arrays included; they keep their order. After `onExit` nothing more comes. */
export interface EngineProcess {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** `code` is null where a signal ended it; not every host knows which. */
  onExit(listener: (code: number | null, signal?: string | null) => void): void
  kill(): void
}
