import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { EngineHost, EngineLimits, EngineProgram } from './engine-host.ts'

/** Where each begins, from source; built, all programs lie together. */
const sources: Readonly<Record<EngineProgram, string>> = {
  'speech-engine': './speech/local/speech-engine.ts',
  'llama-engine': './language/gguf/llama-engine.ts',
  'text-engine': './texts/text-engine.ts',
}
/** What a process needs of its surroundings to start at all. Keys, tokens and places of records are none of it. */
const needed = ['PATH', 'Path', 'SystemRoot', 'windir', 'TEMP', 'TMP', 'TMPDIR', 'HOME', 'LANG', 'LC_ALL']

/** Engines as child processes of plain Node; from a worker thread as well. They end when this process or thread does. */
export function forkedEngines(): EngineHost {
  return {
    start(program, limits) {
      const child = fork(engineFile(program), [], {
        serialization: 'advanced',
        env: scrubbedEnvironment(),
        execArgv: heapArguments(limits),
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      })
      // A message that no longer arrives: the exit is what is acted on.
      child.on('error', () => {})
      return {
        send: (message) => void (child.connected && child.send(message as object, () => {})),
        onMessage: (listener) => void child.on('message', listener),
        onExit(listener) {
          child.on('close', listener)
          // It never ran, so it never ends.
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
