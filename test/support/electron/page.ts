import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type { IpcRenderer } from 'electron'
import { createContextBridge } from './context-bridge.ts'
import { createFrame, type Frame } from './frames.ts'
import { type Faithful, nativeEvent, NativeEmitter } from './native-emitter.ts'

export interface PagePreferences {
  readonly preload?: string
  readonly sandbox?: boolean
  readonly contextIsolation?: boolean
  readonly nodeIntegration?: boolean
}

/** Sends one `invoke` of the page to the main process. */
export type Invoke = (frame: Frame, channel: string, given: unknown[]) => Promise<unknown>

class StandInIpcRenderer extends NativeEmitter<IpcRenderer> {
  readonly #invoke: (channel: string, given: unknown[]) => Promise<unknown>

  constructor(invoke: (channel: string, given: unknown[]) => Promise<unknown>) {
    super('ipcRenderer')
    this.#invoke = invoke
  }

  invoke(channel: string, ...given: unknown[]): Promise<unknown> {
    return this.#invoke(channel, given)
  }
}
type FaithfulRenderer = Faithful<StandInIpcRenderer, IpcRenderer>

/** One document in a window, with its preload. Answers and events from the main process share one ordered queue. */
export class Page {
  readonly frame: Frame
  /** Globals of the page beyond the web platform's. */
  readonly world: Record<string, unknown> = {}
  readonly sessionStorage: Map<string, string>
  readonly #ipcRenderer: StandInIpcRenderer & FaithfulRenderer
  readonly #invoke: Invoke
  #queue: (() => void)[] = []
  #isGone = false

  constructor(url: string, sessionStorage: Map<string, string>, invoke: Invoke) {
    this.frame = createFrame(url)
    this.sessionStorage = sessionStorage
    this.#invoke = invoke
    this.#ipcRenderer = new StandInIpcRenderer((channel, given) => this.invokeFrom(this.frame, channel, given))
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** @throws the preload's own error */
  runPreload({ preload, sandbox = true, contextIsolation = true, nodeIntegration = false }: PagePreferences): void {
    if (nodeIntegration && !contextIsolation) this.world['require'] = createRequire(import.meta.url)
    if (preload === undefined) return
    const electron = { ipcRenderer: this.#ipcRenderer, contextBridge: createContextBridge(this.world, contextIsolation) }
    const node = createRequire(preload)
    const require = (name: string): unknown => {
      if (name === 'electron' || name === 'electron/renderer') return electron
      const isAllowed = /^(node:)?(events|timers|url)$/.test(name)
      if (sandbox && !isAllowed) throw new Error(`module not found: ${name}`)
      return node(name)
    }
    const module = { exports: {} }
    const run = compileFunction(readFileSync(preload, 'utf8'), ['require', 'module', 'exports'], { filename: preload })
    run(require, module, module.exports)
  }

  /** Calls the main process. A page that is gone never gets an answer. */
  async invokeFrom(frame: Frame, channel: string, given: unknown[]): Promise<unknown> {
    const sent = structuredClone(given)
    await new Promise((next) => setImmediate(next))
    if (this.#isGone) return new Promise(() => {})
    const settled = this.#invoke(frame, channel, sent)
    return new Promise((resolve, reject) => {
      settled.then(
        (value) => this.deliver(() => resolve(value)),
        (error: unknown) => this.deliver(() => reject(error as Error)),
      )
    })
  }

  /** Receives a `webContents.send`. */
  receive(channel: string, given: unknown[]): void {
    const sent = structuredClone(given)
    this.deliver(() => void this.#ipcRenderer.emit(channel, nativeEvent({ sender: this.#ipcRenderer, ports: [] }), ...sent))
  }

  deliver(message: () => void): void {
    this.#queue.push(message)
    if (this.#queue.length > 1) return
    setImmediate(() => {
      const messages = this.#queue
      this.#queue = []
      for (const next of messages) if (!this.#isGone) next()
    })
  }

  /** The renderer process ended, or another document replaced this one. */
  leave(): void {
    this.#isGone = true
    this.frame.standIn.dispose()
    this.#ipcRenderer.removeAllListeners()
  }
}
