import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Details, ForkOptions, UtilityProcess } from 'electron'
import { app } from './app.ts'
import { record } from './journal.ts'
import { type Faithful, nativeEvent, NativeEmitter } from './native-emitter.ts'

const portProgram = fileURLToPath(new URL('./utility-port.ts', import.meta.url))

/** A plain Node process with a `process.parentPort`. */
class StandInUtilityProcess extends NativeEmitter<UtilityProcess> {
  readonly #child: ChildProcess
  #isSpawned = false

  constructor(child: ChildProcess) {
    super('utilityProcess')
    this.#child = child
    child.on('error', () => {})
    child.on('spawn', () => {
      this.#isSpawned = true
      this.announce('spawn')
    })
    child.on('message', (message) => this.announce('message', message as unknown))
    child.on('exit', (code, signal) => {
      const exitCode = code ?? 15
      this.announce('exit', exitCode)
      if (signal === null || signal === 'SIGTERM') return
      const details: Details = { type: 'Utility', reason: 'killed', exitCode }
      app.announce('child-process-gone', nativeEvent(), details)
    })
  }

  get pid(): number | undefined {
    return this.#isSpawned && this.#child.exitCode === null ? this.#child.pid : undefined
  }

  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object, () => {})
  }

  /** Sends SIGTERM; false if the process has not started yet. */
  kill(): boolean {
    return this.#isSpawned && this.#child.kill('SIGTERM')
  }
}
export type Checked = Faithful<StandInUtilityProcess, UtilityProcess>

export const utilityProcess = {
  fork(file: string, args: string[] = [], options: ForkOptions = {}): StandInUtilityProcess & Checked {
    if (!app.isReady()) throw new Error('utilityProcess cannot be created before app is ready.')
    if (typeof file !== 'string') throw new Error('Missing UtilityProcess entry script.')
    const { env = process.env, execArgv = [], cwd, serviceName = 'Node Utility Process' } = options
    record('utility-process', serviceName)
    const child = fork(file, args, {
      env: env as NodeJS.ProcessEnv,
      execArgv: [...execArgv, '--import', portProgram],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      ...(cwd === undefined ? {} : { cwd }),
    })
    return new StandInUtilityProcess(child)
  },
}
