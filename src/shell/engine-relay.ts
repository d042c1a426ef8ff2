import { EventEmitter } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import type { EngineHost, EngineLimits, EngineProcess, EngineProgram } from '#engines/engine-host.ts'

/** Messages from the core thread: in Electron only the main thread can start engine processes. */
type ToMain =
  | { readonly kind: 'start'; readonly engine: number; readonly program: EngineProgram; readonly limits: EngineLimits }
  | { readonly kind: 'send'; readonly engine: number; readonly message: unknown }
  | { readonly kind: 'kill'; readonly engine: number }
type FromMain =
  | { readonly kind: 'message'; readonly engine: number; readonly message: unknown }
  | { readonly kind: 'exit'; readonly engine: number; readonly code: number | null }

export function serveEngines(port: MessagePort, host: EngineHost): void {
  const running = new Map<number, EngineProcess>()
  const tell = (message: FromMain): void => port.postMessage(message)
  port.on('message', (asked: ToMain) => {
    const { engine } = asked
    if (asked.kind === 'send') running.get(engine)?.send(asked.message)
    else if (asked.kind === 'kill') running.get(engine)?.kill()
    else {
      const started = host.start(asked.program, asked.limits)
      running.set(engine, started)
      started.onMessage((message) => tell({ kind: 'message', engine, message }))
      started.onExit((code) => {
        running.delete(engine)
        tell({ kind: 'exit', engine, code })
      })
    }
  })
  port.on('close', () => {
    for (const engine of running.values()) engine.kill()
  })
}

export function relayedEngines(port: MessagePort): EngineHost {
  const engines = new Map<number, EventEmitter>()
  let last = 0
  const ask = (message: ToMain): void => port.postMessage(message)
  port.on('message', (told: FromMain) => {
    const events = engines.get(told.engine)
    if (told.kind === 'exit') engines.delete(told.engine)
    events?.emit(told.kind, told.kind === 'message' ? told.message : told.code)
  })
  return {
    start(program, limits = {}) {
      last += 1
      const engine = last
      const events = new EventEmitter()
      engines.set(engine, events)
      ask({ kind: 'start', engine, program, limits })
      return {
        send: (message) => ask({ kind: 'send', engine, message }),
        onMessage: (listener) => void events.on('message', listener),
        onExit: (listener) => void events.on('exit', listener),
        kill: () => ask({ kind: 'kill', engine }),
      }
    },
  }
}
