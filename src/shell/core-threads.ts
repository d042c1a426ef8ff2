import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { MessageChannel, type MessagePort, SHARE_ENV, Worker, type WorkerOptions } from 'node:worker_threads'
import type { AppState } from '#contract/bridge/app.ts'
import type { Answer } from '#contract/bridge/method.ts'
import { serial, within } from '#base/control.ts'
import { systemLocale } from '#base/locale.ts'
import { errorKind, type Log } from '#base/log.ts'
import { openLog } from '#base/log-file.ts'
import { AppError } from '#contract/errors.ts'
import type { EngineHost } from '#engines/engine-host.ts'
import { serveEngines } from './engine-relay.ts'
import { OpenRecordings, type OpenRecordingsOptions } from './open-recordings.ts'
import { createRpc, type Rpc, type RpcHandlers } from './rpc.ts'
import { threadFile } from './thread-file.ts'

export type AppendThreadData = Pick<HostOptions, 'folder'>

export interface CoreThreadData extends Pick<HostOptions, 'folder' | 'resources' | 'shell' | 'app_version'> {
  readonly is_packaged: boolean
  readonly system_locale: string
  readonly append: MessagePort
  readonly engines: MessagePort | null
  readonly resolves_proxy: boolean
  /** True after a lock: the records stay closed until a user opens them, even if the keychain holds their key. */
  readonly start_locked: boolean
}

export interface HostOptions extends OpenRecordingsOptions {
  readonly folder: string
  readonly resources: string
  readonly shell: 'electron' | 'preview'
  readonly app_version: string
  readonly isPackaged?: boolean
  readonly systemLocale?: string
  readonly startLocked: boolean
  /** Path of a file whose passphrase unlocks the vault when a core thread starts, except after a lock. */
  readonly passphraseFile: string | undefined
  readonly onEvent: (name: string, payload: unknown) => void
  readonly log?: Log
  readonly engines?: EngineHost
  readonly resolveProxy?: (address: string) => Promise<string>
}

type Thread = ReturnType<typeof startThread>

export interface ThreadParts {
  readonly fileOf?: (name: string) => URL
  /** Milliseconds for the core to close before it is terminated. */
  readonly closeTimeout?: number
}

/**
 * Milliseconds to wait for pending appends. The default `closeTimeout`, this value and two terminations add up to 10 s, after
 * which the Electron app exits anyway (main/closing.ts).
 */
const DRAIN_TIMEOUT = 1000
const TERMINATE_TIMEOUT = 500

/** Milliseconds before a thread that ended is replaced; more after each failure, up to 30 s. */
const replacementPause = (failures: number): number => Math.min(200 * 2 ** failures, 30_000)
/** Milliseconds to wait for the core's state at start. A keychain prompt may take longer; startup then continues. */
const START_TIMEOUT = 5000

export const appendThreadLimits = { maxYoungGenerationSizeMb: 2 }

export class CoreThreads {
  readonly #options: HostOptions
  readonly #log: Log
  readonly #fileOf: (name: string) => URL
  readonly #closeTimeout: number
  readonly #openRecordings: OpenRecordings
  #append: Thread
  #core: Thread
  #isLocked: boolean
  #isClosing = false
  #failures = 0
  #closed: Promise<void> | null = null
  readonly #inTurn = serial()

  static async start(options: HostOptions, parts: ThreadParts = {}): Promise<CoreThreads> {
    const threads = new CoreThreads(options, parts)
    try {
      await Promise.race([threads.core.call('state', {}), pause(START_TIMEOUT, undefined, { ref: false })])
    } catch (error) {
      await threads.close()
      throw error
    }
    await threads.#unlockFromFile()
    return threads
  }

  private constructor(options: HostOptions, { fileOf = threadFile, closeTimeout = 8000 }: ThreadParts) {
    this.#options = options
    this.#log = options.log ?? openLog(options.folder, 'main')
    this.#fileOf = fileOf
    this.#closeTimeout = closeTimeout
    this.#isLocked = options.startLocked
    this.#openRecordings = new OpenRecordings(options, this.#log)
    this.#append = this.#startAppend()
    this.#core = this.#startCore()
  }

  get log(): Log {
    return this.#log
  }

  get append(): Rpc {
    return this.#append.rpc
  }

  get core(): Rpc {
    return this.#core.rpc
  }

  get isLocked(): boolean {
    return this.#isLocked
  }

  lock(): Promise<Answer<unknown>> {
    return this.#inTurn(async () => {
      const answer = (await this.core.call('call', { name: 'vault.lock', input: {} })) as Answer<unknown>
      if (!answer.ok) return answer
      this.#isLocked = true
      await this.#renewCore()
      return answer
    })
  }

  /** Waits while a lock or a crash replaces the core thread, so that the new one opens the records. */
  async open(name: 'vault.unlock' | 'vault.retry', input: unknown): Promise<unknown> {
    await this.#inTurn(async () => {})
    return this.core.call('call', { name, input })
  }

  get hasEnded(): boolean {
    return this.#core.worker.threadId === -1 && this.#append.worker.threadId === -1
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close())
  }

  async #close(): Promise<void> {
    const inOrder = this.#inTurn(async () => {
      this.#isClosing = true
      await this.core.call('close', {})
    })
    await this.#within('core', this.#closeTimeout, inOrder)
    this.#isClosing = true
    await this.#within('core', TERMINATE_TIMEOUT, this.#core.worker.terminate())
    // Calls are answered in order, so an answer to this one means that all earlier appends are on disk.
    await this.#within('append', DRAIN_TIMEOUT, this.append.call('status', {}))
    await this.#within('append', TERMINATE_TIMEOUT, this.#append.worker.terminate())
  }

  async #within(thread: string, ms: number, work: Promise<unknown>): Promise<void> {
    try {
      await within(work, ms, () => this.#log.warn('host.closing-late', { thread, ms }))
    } catch (error) {
      this.#log.error('host.closing-failed', { thread, kind: errorKind(error) })
    }
  }

  #watch(thread: Thread): void {
    thread.worker.on('exit', () => {
      thread.rpc.abandon()
      if (this.#isClosing || (thread !== this.#core && thread !== this.#append)) return
      void this.#inTurn(() => this.#replace(thread)).catch(() => {})
    })
  }

  async #replace(thread: Thread): Promise<void> {
    await pause(replacementPause(this.#failures), undefined, { ref: false })
    this.#failures += 1
    if (this.#isClosing) return
    if (thread === this.#append) this.#append = this.#startAppend()
    await this.#renewCore()
    await this.#unlockFromFile()
  }

  async #renewCore(): Promise<void> {
    if (this.#isClosing) throw new AppError('vault-locked')
    const ending = this.#core
    this.#core = this.#startCore()
    await ending.worker.terminate()
    this.#options.onEvent('app.changed', await this.core.call('state', {}))
    this.#failures = 0
  }

  #startCore(): Thread {
    const { folder, resources, shell, app_version, isPackaged = false, systemLocale: ofSystem, resolveProxy } = this.#options
    const { port1, port2 } = new MessageChannel()
    // Not awaited: the port keeps the core's calls until the append thread listens on it.
    void this.append.call('serve-core', { port: port1 }, [port1]).catch(() => {})
    const engines = this.#enginesPort()
    const workerData: CoreThreadData = {
      folder,
      resources,
      shell,
      app_version,
      is_packaged: isPackaged,
      system_locale: systemLocale(ofSystem),
      append: port2,
      engines,
      resolves_proxy: resolveProxy !== undefined,
      start_locked: this.#isLocked,
    }
    const transferList = [port2, ...(engines === null ? [] : [engines])]
    const handlers: RpcHandlers = { 'resolve-proxy': ({ address }: { address: string }) => resolveProxy?.(address) }
    // SHARE_ENV: systemTimeZone() needs the environment of the process, not a copy.
    const thread = startThread(this.#fileOf('core-thread'), { workerData, transferList, env: SHARE_ENV }, handlers, this.#log)
    thread.worker.on('message', (message: { kind: string; name: string; payload: unknown }) => {
      if (message.kind === 'event') this.#forward(message.name, message.payload)
    })
    this.#watch(thread)
    return thread
  }

  #startAppend(): Thread {
    const workerData: AppendThreadData = { folder: this.#options.folder }
    const thread = startThread(this.#fileOf('append-thread'), { workerData, resourceLimits: appendThreadLimits }, {}, this.#log)
    this.#openRecordings.follow(thread.worker, thread.rpc)
    this.#watch(thread)
    return thread
  }

  #enginesPort(): MessagePort | null {
    const { engines } = this.#options
    if (engines === undefined) return null
    const { port1, port2 } = new MessageChannel()
    serveEngines(port1, engines)
    port1.unref()
    return port2
  }

  #forward(name: string, payload: unknown): void {
    if (name === 'app.changed' && (payload as AppState).phase === 'ready') this.#isLocked = false
    this.#options.onEvent(name, payload)
  }

  async #unlockFromFile(): Promise<void> {
    const { passphraseFile } = this.#options
    if (passphraseFile === undefined || this.#isLocked) return
    const state = (await this.core.call('state', {})) as AppState
    if (state.phase !== 'locked') return
    const passphrase = readFileSync(passphraseFile, 'utf8').replace(/\r?\n$/, '')
    await this.core.call('call', { name: 'vault.unlock', input: { passphrase } })
  }
}

function startThread(file: URL, options: WorkerOptions, handlers: RpcHandlers, log: Log) {
  const worker = new Worker(file, options)
  worker.on('error', (error) => log.error('host.thread-failed', { kind: errorKind(error) }))
  return { worker, rpc: createRpc(worker, handlers) }
}
