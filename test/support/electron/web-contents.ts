import type {
  Event,
  HandlerDetails,
  RenderProcessGoneDetails,
  WebContents,
  WebContentsWillNavigateEventParams,
  WindowOpenHandlerResponse,
} from 'electron'
import { app } from './app.ts'
import { createFrame, originOf } from './frames.ts'
import { dispatchInvoke } from './ipc-main.ts'
import { record } from './journal.ts'
import { type Faithful, nativeEvent, NativeEmitter, throwOnceDestroyed } from './native-emitter.ts'
import { NetError, netErrors, type NetErrorName, requestFrom } from './network.ts'
import { options } from './options.ts'
import { Page, type PagePreferences } from './page.ts'
import { register } from './registrations.ts'
import { defaultSession } from './session.ts'

type RtcPolicy = ReturnType<WebContents['getWebRTCIPHandlingPolicy']>

interface ContentsPreferences extends PagePreferences {
  readonly onLoaded: () => void
}

let lastId = 0
const failedLoads = [...options.failedLoads]

export class StandInWebContents extends NativeEmitter<WebContents> {
  readonly id: number
  readonly #preferences: ContentsPreferences
  readonly #session = defaultSession()
  #page: Page | null = null
  #url = ''
  #isCrashed = false
  #isLoading = false
  #isDestroyed = false
  #openHandler: ((details: HandlerDetails) => WindowOpenHandlerResponse) | null = null
  #rtcPolicy: RtcPolicy = 'default'
  /** Session storage by origin. It survives reloads and crashes. */
  readonly #storage = new Map<string, Map<string, string>>()

  constructor(preferences: ContentsPreferences) {
    super('webContents')
    lastId += 1
    this.id = lastId
    this.#preferences = preferences
  }

  get session() {
    return this.#session
  }

  get mainFrame() {
    return this.#page?.frame ?? createFrame('about:blank')
  }

  isDestroyed(): boolean {
    return this.#isDestroyed
  }

  isCrashed(): boolean {
    return this.#isCrashed
  }

  /** The page has no process of its own here. */
  getOSProcessId(): number {
    record('page-process', 'asked')
    return process.pid
  }

  isLoadingMainFrame(): boolean {
    return this.#isLoading
  }

  isLoading(): boolean {
    return this.#isLoading
  }

  forcefullyCrashRenderer(): void {
    this.#crash('killed')
  }

  getURL(): string {
    return this.#url
  }

  loadURL(url: string): Promise<void> {
    this.#isLoading = true
    const loaded = this.#load(url).finally(() => (this.#isLoading = false))
    loaded.catch(() => {})
    return loaded
  }

  reload(): void {
    void this.loadURL(this.#url)
  }

  reloadIgnoringCache(): void {
    this.reload()
  }

  /** Electron logs and drops messages to a page that is gone. */
  send(channel: string, ...given: unknown[]): void {
    if (typeof channel !== 'string') throw new TypeError('Missing required channel argument')
    try {
      if (this.#page === null || this.#page.isGone) throw new Error('Render frame was disposed')
      this.#page.receive(channel, given)
    } catch (error) {
      record('send-failed', channel)
      process.stderr.write(`Error sending from webFrameMain: ${String(error)}\n`)
    }
  }

  setWindowOpenHandler(handler: (details: HandlerDetails) => WindowOpenHandlerResponse): void {
    if (register('webContents.setWindowOpenHandler')) this.#openHandler = handler
  }

  setWebRTCIPHandlingPolicy(policy: RtcPolicy): void {
    if (register('webContents.setWebRTCIPHandlingPolicy')) this.#rtcPolicy = policy
  }

  getWebRTCIPHandlingPolicy(): RtcPolicy {
    return this.#rtcPolicy
  }

  isDevToolsOpened(): boolean {
    return false
  }

  /** For the window and the test only. */
  get standIn() {
    return {
      page: () => this.#page,
      openWindow: (url: string): 'allow' | 'deny' => {
        const details = {
          url,
          frameName: '',
          features: '',
          disposition: 'foreground-tab',
          referrer: { url: '', policy: 'default' },
        }
        return this.#openHandler?.(details as HandlerDetails).action ?? 'allow'
      },
      navigate: (url: string, isRedirect: boolean): Promise<boolean> => this.#navigate(url, isRedirect),
      /** @returns whether a <webview> would be attached */
      attachWebview: (): boolean => {
        const event = nativeEvent()
        this.announce('will-attach-webview', event, {}, {})
        return !event.defaultPrevented
      },
      crash: (reason: RenderProcessGoneDetails['reason']) => this.#crash(reason),
      destroy: () => this.#destroy(),
    }
  }

  async #load(url: string): Promise<void> {
    await new Promise((next) => setImmediate(next))
    try {
      const broken = failedLoads.shift() ?? null
      if (broken !== null) throw new NetError(nameOf(broken), url)
      const response = await requestFrom(this.#session, { url, resourceType: 'mainFrame' })
      await response.arrayBuffer()
    } catch (error) {
      if (this.#isDestroyed || !(error instanceof NetError)) throw error
      const { description, errno } = error
      this.#url = url
      this.announce('did-fail-load', nativeEvent(), errno, description as string, url, true, 1, 1)
      throw error
    }
    if (!this.#isDestroyed) this.#commit(url)
  }

  #commit(url: string): void {
    this.#page?.leave()
    this.#url = url
    this.#isCrashed = false
    const origin = originOf(url)
    const storage = this.#storage.get(origin) ?? new Map<string, string>()
    this.#storage.set(origin, storage)
    const page = new Page(url, storage, (frame, channel, given) =>
      dispatchInvoke(nativeEvent(this.#invocation(frame)), channel, given),
    )
    this.#page = page
    try {
      page.runPreload(this.#preferences)
    } catch (error) {
      this.announce('preload-error', nativeEvent(), this.#preferences.preload ?? '', error as Error)
    }
    this.#isLoading = false
    record('page', url)
    this.announce('dom-ready')
    this.announce('did-finish-load')
    this.#preferences.onLoaded()
  }

  #invocation(frame: Page['frame']) {
    return { type: 'frame' as const, processId: 1, frameId: 1, sender: this, senderFrame: frame.isDestroyed() ? null : frame }
  }

  async #navigate(url: string, isRedirect: boolean): Promise<boolean> {
    const params = { url, isSameDocument: false, isMainFrame: true, frame: this.mainFrame as never, initiator: null }
    const event: Event<WebContentsWillNavigateEventParams> = nativeEvent(params)
    if (isRedirect) this.announce('will-redirect', event, url, false, true, 1, 1)
    else this.announce('will-navigate', event, url, false, true, 1, 1)
    if (event.defaultPrevented) return false
    await this.loadURL(url).catch(() => {})
    return true
  }

  #crash(reason: RenderProcessGoneDetails['reason']): void {
    this.#isCrashed = true
    this.#page?.leave()
    const details: RenderProcessGoneDetails = { reason, exitCode: reason === 'clean-exit' ? 0 : 5 }
    this.announce('render-process-gone', nativeEvent(), details)
    app.announce('render-process-gone', nativeEvent(), this as unknown as WebContents, details)
  }

  #destroy(): void {
    if (this.#isDestroyed) return
    this.#page?.leave()
    this.#isDestroyed = true
    this.announce('destroyed')
  }
}

throwOnceDestroyed(StandInWebContents.prototype)

function nameOf(code: number): NetErrorName {
  return (Object.entries(netErrors).find(([, number]) => number === code)?.[0] ?? 'ERR_FAILED') as NetErrorName
}

const _checked = (contents: StandInWebContents): Faithful<StandInWebContents, WebContents, 'session' | 'mainFrame'> => contents
