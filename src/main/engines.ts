import { utilityProcess } from 'electron'
import type { EngineHost } from '#service/engine-host.ts'
import { engineFile, scrubbedEnvironment } from '#service/forked-engines.ts'

/** Engines as utility processes: the packaged app cannot start plain Node. */
export function utilityEngines(): EngineHost {
  return {
    start(program) {
      const child = utilityProcess.fork(engineFile(program), [], {
        env: scrubbedEnvironment(),
        execArgv: [],
        stdio: 'ignore',
        serviceName: `Afterword ${program}`,
      })
      return {
        send: (message) => child.postMessage(message),
        onMessage: (listener) => void child.on('message', listener),
        onExit: (listener) => void child.on('exit', listener),
        kill: () => void child.kill(),
      }
    },
  }
}
