import { utilityProcess } from 'electron'
import { engineFile, type EngineHost, heapArguments, scrubbedEnvironment } from '#engines/engine-host.ts'

const SIGTERM_TIMEOUT = 1000

/** The packaged app cannot start plain Node, so engines run in Electron utility processes. */
export function utilityEngines(fork: typeof utilityProcess.fork = utilityProcess.fork): EngineHost {
  return {
    start(program, limits) {
      const child = fork(engineFile(program), [], {
        env: scrubbedEnvironment(),
        execArgv: heapArguments(limits),
        stdio: 'ignore',
        serviceName: `Afterword ${program}`,
      })
      /** A native library can delay SIGTERM while it computes, so SIGKILL follows. */
      const kill = (): void => {
        // Electron ignores `kill` before the process has started.
        child.once('spawn', () => void child.kill())
        child.kill()
        const timer = setTimeout(() => child.pid !== undefined && process.kill(child.pid, 'SIGKILL'), SIGTERM_TIMEOUT)
        child.once('exit', () => clearTimeout(timer))
      }
      return {
        send: (message) => child.postMessage(message),
        onMessage: (listener) => void child.on('message', listener),
        onExit: (listener) => void child.on('exit', listener),
        kill,
      }
    },
  }
}
