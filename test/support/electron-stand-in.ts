/**
 * The parts of Electron that the shell uses, in plain Node: messages cross by structured clone as they do there, and
 * what was set is kept for tests to look at. The real runtime runs the same Playwright specs where it is installed.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { fileURLToPath } from 'node:url'

type Listener = (...parts: never[]) => unknown

export const seen = {
  privileges: [] as unknown[],
  windows: [] as { options: unknown; url: string }[],
  protocols: new Map<string, (request: Request) => Response | Promise<Response>>(),
  permissionRequest: null as null | Listener,
  permissionCheck: null as null | Listener,
  external: [] as string[],
  sandboxed: false,
  spellChecker: true,
  blockers: new Set<number>(),
  paths: new Map<string, string>(),
  services: [] as string[],
}

const invokeHandlers = new Map<string, (event: unknown, ...parts: unknown[]) => unknown>()
const rendererEvents = new EventEmitter()
/** The frame a call seems to come from; tests change it. */
export const sender = { url: 'app://afterword/', parent: null as unknown }
export const exposed: Record<string, unknown> = {}

export const ipcMain = {
  handle: (channel: string, handler: (event: unknown, ...parts: unknown[]) => unknown) =>
    void invokeHandlers.set(channel, handler),
}

export const ipcRenderer = {
  async invoke(channel: string, ...parts: unknown[]): Promise<unknown> {
    const handler = invokeHandlers.get(channel)
    if (handler === undefined) throw new Error(`no handler for ${channel}`)
    return structuredClone(
      await handler(
        { sender: BrowserWindow.all[0]?.webContents, senderFrame: { ...sender } },
        ...(structuredClone(parts) as unknown[]),
      ),
    )
  },
  on: (channel: string, listener: (...parts: unknown[]) => void) => rendererEvents.on(channel, listener),
  off: (channel: string, listener: (...parts: unknown[]) => void) => rendererEvents.off(channel, listener),
}

export const contextBridge = {
  exposeInMainWorld: (name: string, value: unknown) => void (exposed[name] = value),
}

export class BrowserWindow extends EventEmitter {
  static readonly all: BrowserWindow[] = []
  static getAllWindows = (): BrowserWindow[] => BrowserWindow.all
  readonly webContents = {
    isDestroyed: (): boolean => false,
    send: (channel: string, ...parts: unknown[]) => rendererEvents.emit(channel, {}, ...(structuredClone(parts) as unknown[])),
  }
  readonly #record: { options: unknown; url: string }

  constructor(options: unknown) {
    super()
    this.#record = { options, url: '' }
    seen.windows.push(this.#record)
    BrowserWindow.all.push(this)
  }
  loadURL(url: string): Promise<void> {
    this.#record.url = url
    return Promise.resolve()
  }
  isDestroyed = (): boolean => false
  isMinimized = (): boolean => false
  restore(): void {}
  show(): void {}
  focus(): void {}
}

export const protocol = {
  registerSchemesAsPrivileged: (schemes: unknown[]) => void seen.privileges.push(...schemes),
  handle: (scheme: string, handler: (request: Request) => Response | Promise<Response>) =>
    void seen.protocols.set(scheme, handler),
}

class App extends EventEmitter {
  enableSandbox(): void {
    seen.sandboxed = true
  }
  whenReady = (): Promise<void> => Promise.resolve()
  getVersion = (): string => '0.0.0'
  setPath(name: string, path: string): void {
    seen.paths.set(name, path)
  }
  /** As Electron does: asks first, and a listener may say not yet. */
  quit(): void {
    let isHeldBack = false
    this.emit('before-quit', { preventDefault: () => (isHeldBack = true) })
    if (!isHeldBack) this.emit('quit')
  }
}
export const app = new App()

export const session = {
  defaultSession: {
    setPermissionRequestHandler: (handler: Listener) => void (seen.permissionRequest = handler),
    setPermissionCheckHandler: (handler: Listener) => void (seen.permissionCheck = handler),
    setSpellCheckerEnabled: (enabled: boolean) => void (seen.spellChecker = enabled),
  },
}

export const shell = { openExternal: (url: string) => void seen.external.push(url) }
export const powerMonitor = new EventEmitter()
export const powerSaveBlocker = {
  start: () => {
    seen.blockers.add(1)
    return 1
  },
  stop: (id: number) => void seen.blockers.delete(id),
}

interface ForkOptions {
  readonly env: Record<string, string>
  readonly execArgv: string[]
  readonly serviceName: string
}

/** A process of plain Node whose other end is `process.parentPort`, as in a utility process. */
export const utilityProcess = {
  fork(file: string, args: string[], { env, execArgv, serviceName }: ForkOptions) {
    seen.services.push(serviceName)
    const port = fileURLToPath(new URL('./parent-port-stand-in.ts', import.meta.url))
    const child = fork(file, args, {
      env,
      execArgv: [...execArgv, '--import', port],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    }) as ChildProcess
    child.on('error', () => {})
    return {
      postMessage: (message: object) => void (child.connected && child.send(message, () => {})),
      on: (event: string, listener: (...given: unknown[]) => void) => void child.on(event, listener),
      once: (event: string, listener: (...given: unknown[]) => void) => void child.once(event, listener),
      get pid() {
        return child.exitCode === null && child.signalCode === null ? child.pid : undefined
      },
      kill: () => child.kill('SIGTERM'),
    }
  },
}
