import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from 'electron'
import { commandLine, freezeSwitches } from './command-line.ts'
import { record } from './journal.ts'
import { type Faithful, nativeEvent, NativeEmitter } from './native-emitter.ts'
import { options } from './options.ts'
import { fixSessionData, type PathName, pathOf, setPathOf } from './paths.ts'
import { register } from './registrations.ts'
import { holdInstanceLock, type InstanceLock } from './single-instance.ts'
import { windowList } from './window-list.ts'

const { version, productName } = packageOf(options.appPath)

/** `quit` and `exit` follow shell/browser/browser.cc of Electron. */
class StandInApp extends NativeEmitter<App> {
  readonly commandLine = commandLine
  readonly isPackaged = options.isPackaged
  readonly name = productName
  #isReady = false
  #isQuitting = false
  #isExiting = false
  #isShutDown = false
  #exitCode = 0
  #isSandboxed = false
  #instanceLock: InstanceLock | null = null
  readonly #ready = Promise.withResolvers<void>()
  /** Set by the boot program: ends the process. */
  #end: (code: number) => void = () => {}

  constructor() {
    super('app')
    windowList.onCloseCancelled = () => (this.#isQuitting = false)
    windowList.onEmpty = () => this.#allWindowsClosed()
  }

  get standIn() {
    return {
      isSandboxed: this.#isSandboxed,
      /** Windows, shell/browser/native_window_views_win.cc: once the listeners returned, the process ends unless it is quitting. */
      sessionEnded: () => this.#isQuitting || this.#end(0),
      onEnd: (end: (code: number) => void) => (this.#end = end),
      /** Called after the entry module has settled, as Electron does. */
      finishLaunching: () => this.#finishLaunching(),
    }
  }

  isReady(): boolean {
    return this.#isReady
  }

  whenReady(): Promise<void> {
    return this.#ready.promise
  }

  quit(): void {
    if (this.#isQuitting) return
    const event = nativeEvent()
    record('app', 'before-quit')
    this.announce('before-quit', event)
    this.#isQuitting = !event.defaultPrevented
    if (!this.#isQuitting) return
    if (windowList.isEmpty()) this.#notifyAndShutDown()
    else windowList.closeAll()
  }

  exit(code = 0): void {
    if (!this.#isReady) {
      record('app', 'exit before ready')
      this.#end(code)
      return
    }
    this.#exitCode = code
    this.#isQuitting = true
    this.#isExiting = true
    if (windowList.isEmpty()) this.#shutDown()
    else windowList.destroyAll()
  }

  relaunch(): void {
    record('app', 'relaunch')
  }

  focus(): void {
    record('app', 'focus')
  }

  getName(): string {
    return productName
  }

  getVersion(): string {
    return version
  }

  getAppPath(): string {
    return options.appPath
  }

  getLocale(): string {
    if (!this.#isReady) return ''
    return 'en-US'
  }

  getSystemLocale(): string {
    if (!this.#isReady) throw new Error('app.getSystemLocale() can only be called after app is ready')
    return options.systemLocale
  }

  resolveProxy(_url: string): Promise<string> {
    if (!this.#isReady) throw new Error('app.resolveProxy can only be called after app is ready')
    return Promise.resolve(options.systemProxy === null ? 'DIRECT' : `PROXY ${options.systemProxy}`)
  }

  getPath(name: PathName): string {
    return pathOf(name)
  }

  setPath(name: string, path: string): void {
    if (!register(`app.setPath:${name}`)) return
    setPathOf(name as PathName, path)
    record('path', { name, path })
  }

  setAppUserModelId(id: string): void {
    if (process.platform !== 'win32') return
    if (register('app.setAppUserModelId')) record('app-user-model-id', id)
  }

  enableSandbox(): void {
    if (this.#isReady) throw new Error('app.enableSandbox() can only be called before app is ready')
    if (register('app.enableSandbox')) this.#isSandboxed = true
  }

  requestSingleInstanceLock(additionalData: Record<string, unknown> = {}): boolean {
    if (!register('app.requestSingleInstanceLock') || this.#instanceLock !== null) return true
    const notice = { argv: process.argv, workingDirectory: process.cwd(), additionalData }
    this.#instanceLock = holdInstanceLock(pathOf('userData'), notice, (second) => {
      const announceSecond = (): void =>
        this.announce('second-instance', nativeEvent(), second.argv, second.workingDirectory, second.additionalData)
      if (this.#isReady) announceSecond()
      else void this.#ready.promise.then(announceSecond)
    })
    return this.#instanceLock !== null
  }

  hasSingleInstanceLock(): boolean {
    return this.#instanceLock !== null
  }

  releaseSingleInstanceLock(): void {
    this.#instanceLock?.release()
    this.#instanceLock = null
  }

  #finishLaunching(): void {
    freezeSwitches()
    mkdirSync(fixSessionData(), { recursive: true })
    this.announce('will-finish-launching')
    this.#isReady = true
    record('app', 'ready')
    this.announce('ready', nativeEvent(), {})
    this.#ready.resolve()
    if (this.#isShutDown) this.#endSoon()
  }

  #allWindowsClosed(): void {
    if (this.#isExiting) this.#shutDown()
    else if (this.#isQuitting) this.#notifyAndShutDown()
    else {
      record('app', 'window-all-closed')
      if (this.listenerCount('window-all-closed') === 0) this.quit()
      else this.announce('window-all-closed')
    }
  }

  #notifyAndShutDown(): void {
    if (this.#isShutDown) return
    const event = nativeEvent()
    record('app', 'will-quit')
    this.announce('will-quit', event)
    if (event.defaultPrevented) this.#isQuitting = false
    else this.#shutDown()
  }

  #shutDown(): void {
    if (this.#isShutDown) return
    this.#isShutDown = true
    this.#isQuitting = true
    record('app', 'quit')
    this.announce('quit', nativeEvent(), this.#exitCode)
    // Before `ready` there is no message loop to leave yet.
    if (this.#isReady) this.#endSoon()
  }

  #endSoon(): void {
    this.#instanceLock?.release()
    setImmediate(() => this.#end(this.#exitCode))
  }
}

function packageOf(folder: string): { version: string; productName: string } {
  const file = join(folder, 'package.json')
  const found = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  return { version: found['version'] ?? '', productName: found['productName'] ?? found['name'] ?? 'Electron' }
}

const fake = new StandInApp()
export const app = fake satisfies Faithful<StandInApp, App, 'commandLine'>
