import type { BrowserWindow as RealWindow, BrowserWindowConstructorOptions, WebContents, WindowSessionEndEvent } from 'electron'
import { app } from './app.ts'
import { record } from './journal.ts'
import { type Faithful, nativeEvent, NativeEmitter, onlyOn, throwOnceDestroyed } from './native-emitter.ts'
import { options as standIn } from './options.ts'
import { register, registerSettings } from './registrations.ts'
import { StandInWebContents } from './web-contents.ts'
import { windowList } from './window-list.ts'

const all: StandInWindow[] = []

export class StandInWindow extends NativeEmitter<RealWindow> {
  static readonly getAllWindows = (): StandInWindow[] => [...all]
  static readonly getFocusedWindow = (): StandInWindow | null => all.find((window) => window.#isFocused) ?? null
  static readonly fromWebContents = (contents: object): StandInWindow | null =>
    all.find((window) => window.#contents === contents) ?? null

  readonly #contents: StandInWebContents
  readonly #options: BrowserWindowConstructorOptions
  #isDestroyed = false
  #isClosing = false
  #isVisible: boolean
  #isMinimized = false
  #isFocused = false
  #title: string
  #hasPainted = false

  constructor(given: BrowserWindowConstructorOptions = {}) {
    if (!app.isReady()) throw new Error('Cannot create BrowserWindow before app is ready')
    super('window')
    const { webPreferences = {}, ...own } = given
    const preferences = registerSettings('webPreferences', webPreferences)
    this.#options = { ...own, webPreferences: preferences }
    this.#isVisible = this.#options.show !== false
    this.#title = this.#options.title ?? 'Electron'
    const { preload, contextIsolation, nodeIntegration, sandbox = true } = preferences
    this.#contents = new StandInWebContents({
      sandbox: app.standIn.isSandboxed || (sandbox && nodeIntegration !== true),
      ...(preload === undefined ? {} : { preload }),
      ...(contextIsolation === undefined ? {} : { contextIsolation }),
      ...(nodeIntegration === undefined ? {} : { nodeIntegration }),
      onLoaded: () => this.#paint(),
    })
    all.push(this)
    windowList.add(this)
    record('window', 'opened')
    app.announce('web-contents-created', nativeEvent(), this.#contents as unknown as WebContents)
    app.announce('browser-window-created', nativeEvent(), this as unknown as RealWindow)
  }

  get webContents() {
    return this.#contents
  }

  get id(): number {
    return this.#contents.id
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  loadURL(url: string): Promise<void> {
    return this.#contents.loadURL(url)
  }

  show(): void {
    this.#isVisible = true
    record('window', 'shown')
    this.announce('show')
    this.focus()
  }

  showInactive(): void {
    this.#isVisible = true
    record('window', 'shown')
    this.announce('show')
  }

  hide(): void {
    this.#isVisible = false
    this.#isFocused = false
    this.announce('hide')
  }

  focus(): void {
    this.#isFocused = true
    this.announce('focus')
  }

  minimize(): void {
    this.#isMinimized = true
    this.announce('minimize')
  }

  restore(): void {
    this.#isMinimized = false
    this.announce('restore')
  }

  isVisible(): boolean {
    return this.#isVisible
  }

  isMinimized(): boolean {
    return this.#isMinimized
  }

  isFocused(): boolean {
    return this.#isFocused
  }

  getTitle(): string {
    return this.#title
  }

  setTitle(title: string): void {
    this.#title = title
  }

  setContentProtection(isProtected: boolean): void {
    if (register('window.setContentProtection')) record('content-protection', isProtected)
  }

  /** A `close` listener can prevent it. Otherwise the window closes after the page has unloaded. */
  close(): void {
    if (this.#isClosing) return
    const event = nativeEvent()
    record('window', 'close')
    this.announce('close', event)
    if (event.defaultPrevented) {
      windowList.onCloseCancelled()
      return
    }
    this.#isClosing = true
    setImmediate(() => {
      if (!this.#isDestroyed) this.destroy()
    })
  }

  /** Emits no `close`. */
  destroy(): void {
    this.#contents.standIn.destroy()
    this.#isDestroyed = true
    this.#isVisible = false
    all.splice(all.indexOf(this), 1)
    record('window', 'closed')
    this.announce('closed')
    windowList.remove(this)
  }

  /** For the test only. */
  get standIn() {
    return {
      options: this.#options,
      hang: () => this.announce('unresponsive'),
      recover: () => this.announce('responsive'),
      mayOpenDevTools: this.#options.webPreferences?.devTools !== false,
      setPageTitle: (title: string): void => {
        const event = nativeEvent()
        this.announce('page-title-updated', event, title, true)
        if (!event.defaultPrevented) this.#title = title
      },
      /** @returns whether the app delays the end of the session */
      querySessionEnd: (reasons: WindowSessionEndEvent['reasons']): boolean => {
        onlyOn('win32', 'query-session-end')
        const event = nativeEvent({ reasons })
        this.announce('query-session-end', event)
        return event.defaultPrevented
      },
      endSession: (reasons: WindowSessionEndEvent['reasons']): void => {
        onlyOn('win32', 'session-end')
        this.announce('session-end', nativeEvent({ reasons }))
      },
    }
  }

  #paint(): void {
    if (this.#hasPainted || !standIn.paints) return
    this.#hasPainted = true
    setImmediate(() => {
      if (this.#isDestroyed) return
      this.announce('ready-to-show')
      record('window', 'painted')
    })
  }
}

throwOnceDestroyed(StandInWindow.prototype)

const _checked = (window: StandInWindow): Faithful<StandInWindow, RealWindow, 'webContents'> => window
