import type { IpcMain } from 'electron'
import { type Faithful, NativeEmitter } from './native-emitter.ts'
import { register } from './registrations.ts'

type Handler = (event: never, ...given: never[]) => unknown

const handlers = new Map<string, Handler>()

class StandInIpcMain extends NativeEmitter<IpcMain> {
  constructor() {
    super('ipcMain')
  }

  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`)
    if (register(`ipcMain.handle:${channel}`)) handlers.set(channel, handler)
  }

  handleOnce(channel: string, handler: Handler): void {
    this.handle(channel, (event, ...given) => {
      handlers.delete(channel)
      return handler(event, ...given)
    })
  }

  removeHandler(channel: string): void {
    handlers.delete(channel)
  }
}

/**
 * Runs the handler of one `ipcRenderer.invoke`. Values are cloned both ways; of an error, only the text crosses.
 *
 * @throws the error that the renderer sees
 */
export async function dispatchInvoke(event: object, channel: string, given: unknown[]): Promise<unknown> {
  try {
    const handler = handlers.get(channel)
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`)
    return structuredClone(await handler(event as never, ...(given as never[])))
  } catch (error) {
    process.stderr.write(`Error occurred in handler for '${channel}': ${String(error)}\n`)
    throw new Error(`Error invoking remote method '${channel}': ${String(error)}`, { cause: error })
  }
}

export const ipcMain = new StandInIpcMain() satisfies Faithful<StandInIpcMain, IpcMain>
