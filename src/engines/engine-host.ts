import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type EngineProgram = 'speech-engine' | 'llama-engine' | 'text-engine'

export interface EngineHost {
  start(program: EngineProgram, limits?: EngineLimits): EngineProcess
}

export interface EngineLimits {
  readonly heapMb?: number
}

/** Messages are copied and arrive in order. */
export interface EngineProcess {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** `signal` is undefined if the host does not report signals. */
  onExit(listener: (code: number | null, signal?: string | null) => void): void
  kill(): void
}

const sources: Readonly<Record<EngineProgram, string>> = {
  'speech-engine': './speech/local/speech-engine.ts',
  'llama-engine': './language/gguf/llama-engine.ts',
  'text-engine': './texts/text-engine.ts',
}
/** Engines get only these environment variables, so that they receive no keys or tokens. */
const needed = ['PATH', 'Path', 'SystemRoot', 'windir', 'TEMP', 'TMP', 'TMPDIR', 'HOME', 'LANG', 'LC_ALL']

export function forkedEngines(): EngineHost {
  return {
    start(program, limits) {
      const child = fork(engineFile(program), [], {
        serialization: 'advanced',
        env: scrubbedEnvironment(),
        execArgv: heapArguments(limits),
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      })
      // Without a listener, an `error` event would throw.
      child.on('error', () => {})
      return {
        send: (message) => void (child.connected && child.send(message as object, () => {})),
        onMessage: (listener) => void child.on('message', listener),
        onExit(listener) {
          child.on('close', listener)
          // If the process did not start, `close` may not fire.
          child.once('error', () => child.pid === undefined && listener(null))
        },
        kill: () => void child.kill('SIGKILL'),
      }
    },
  }
}

export function engineFile(program: EngineProgram): string {
  const isSource = import.meta.url.endsWith('.ts')
  return fileURLToPath(new URL(isSource ? sources[program] : `./${program}.js`, import.meta.url))
}

export function heapArguments({ heapMb }: EngineLimits = {}): string[] {
  return heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]
}

export function scrubbedEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(needed.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])))
}
