import type { Details, RenderProcessGoneDetails, WindowSessionEndEvent } from 'electron'
import { app } from './app.ts'
import { StandInWindow } from './browser-window.ts'
import { clipboard } from './clipboard.ts'
import { answerBox, dismissBox, openBoxes } from './dialog.ts'
import { createFrame, originOf } from './frames.ts'
import { followJournal, journal, record } from './journal.ts'
import { applicationMenu, menuRoles } from './menu.ts'
import { netErrors, type PageRequest, requestFrom } from './network.ts'
import { nativeEvent, onlyOn } from './native-emitter.ts'
import type { Page } from './page.ts'
import { privilegesOf } from './protocol.ts'
import { activeBlockers, type PowerEvent, powerMonitor } from './power.ts'
import { registrations } from './registrations.ts'
import { createSession, defaultSession } from './session.ts'
import { clickNotification, theTray } from './tray.ts'
import { grantedSound } from './system-preferences.ts'

interface PageBridge {
  call(name: string, input: unknown): Promise<unknown>
  on(listener: (name: string, payload: unknown) => void): () => void
}
type MediaKind = 'audio' | 'video'

function theWindow(): StandInWindow {
  const [window] = StandInWindow.getAllWindows()
  if (window === undefined) throw new Error('no window is open')
  return window
}

function thePage(): Page {
  const page = theWindow().webContents.standIn.page()
  if (page === null || page.isGone) throw new Error('the window shows no page')
  return page
}

const bridgeOf = (page: Page): PageBridge => page.world['afterword'] as PageBridge

/** What a test can do to the app: as the page, as the person at the screen, or as the operating system. */
export const controls = {
  registrations,
  journal: () => journal(),
  /** Calls the bridge of the current page. */
  call: (name: string, input: unknown): Promise<unknown> => bridgeOf(thePage()).call(name, input),
  /** Calls a global function that a test put into the app. */
  global: (name: string, ...given: unknown[]): unknown =>
    (Reflect.get(globalThis, name) as (...parts: unknown[]) => unknown)(...given),
  /** Invokes a channel from another frame than the window's main frame. */
  invokeAs(
    from: { readonly url: string; readonly isMainFrame: boolean },
    channel: string,
    ...given: unknown[]
  ): Promise<unknown> {
    const page = thePage()
    return page.invokeFrom(createFrame(from.url, from.isMainFrame ? null : page.frame), channel, given)
  },
  /** The page's globals, with the keys of each object. */
  world(): Record<string, readonly string[] | string> {
    const describe = (value: unknown) => (typeof value === 'object' && value !== null ? Object.keys(value) : typeof value)
    return Object.fromEntries(Object.entries(thePage().world).map(([key, value]) => [key, describe(value)]))
  },
  storage: (key: string, value?: string): string | null => {
    if (!privilegesOf('app').standard) throw new Error('storage is off for schemes that are not standard')
    const { sessionStorage } = thePage()
    if (value !== undefined) sessionStorage.set(key, value)
    return sessionStorage.get(key) ?? null
  },
  window: () => {
    const window = theWindow()
    const { icon: _icon, parent: _parent, ...options } = window.standIn.options
    return {
      count: StandInWindow.getAllWindows().length,
      url: window.webContents.getURL(),
      title: window.getTitle(),
      isVisible: window.isVisible(),
      isMinimized: window.isMinimized(),
      isFocused: window.isFocused(),
      mayOpenDevTools: window.standIn.mayOpenDevTools,
      rtcPolicy: window.webContents.getWebRTCIPHandlingPolicy(),
      options: JSON.parse(JSON.stringify(options)) as Record<string, unknown>,
    }
  },
  windowCount: (): number => StandInWindow.getAllWindows().length,
  async request({ resourceType = 'xhr', ...request }: Omit<PageRequest, 'resourceType'> & Partial<PageRequest>) {
    try {
      const response = await requestFrom(defaultSession(), { ...request, resourceType })
      const body = new Uint8Array(await response.arrayBuffer())
      return { status: response.status, headers: Object.fromEntries(response.headers), body, error: null }
    } catch (error) {
      return { status: 0, headers: {} as Record<string, string>, body: new Uint8Array(), error: (error as { code: string }).code }
    }
  },
  resolveProxy: (url: string): Promise<string> => defaultSession().resolveProxy(url),
  /** Makes another session, as an extension or a partition would, and reports what it may do. */
  async otherSession() {
    const other = createSession()
    const details = { requestingUrl: 'app://afterword/', isMainFrame: true }
    const mayNotify = await other.standIn.mayUse({}, 'notifications', details)
    const isRefused = await other.standIn.isRefused({ url: 'https://elsewhere.example/', resourceType: 'xhr' })
    return { mayNotify, isRefused }
  },
  isSpellChecked: (): boolean => defaultSession().isSpellCheckerEnabled(),
  /** Calls `getUserMedia` in a frame with this address. */
  async getUserMedia(kinds: readonly MediaKind[], from = 'app://afterword/', isMainFrame = true): Promise<string> {
    const details = { requestingUrl: from, isMainFrame, securityOrigin: `${originOf(from)}/`, mediaTypes: kinds }
    const { webContents } = theWindow()
    if (!privilegesOf('app').secure) return 'undefined in an insecure context'
    if (!(await webContents.session.standIn.mayUse(webContents, 'media', details))) return 'refused'
    return grantedSound()
  },
  async askPermission(permission: string, details: Record<string, unknown> = {}): Promise<boolean> {
    const { webContents } = theWindow()
    const full = { requestingUrl: 'app://afterword/', isMainFrame: true, ...details }
    return webContents.session.standIn.mayUse(webContents, permission as never, full)
  },
  checkPermission(permission: string, origin: string, details: Record<string, unknown> = {}): boolean {
    const { webContents } = theWindow()
    return webContents.session.standIn.isAllowed(webContents, permission as never, origin, { isMainFrame: true, ...details })
  },
  openWindowFromPage: (url: string) => theWindow().webContents.standIn.openWindow(url),
  navigateFromPage: (url: string, isRedirect = false) => theWindow().webContents.standIn.navigate(url, isRedirect),
  attachWebview: (): boolean => theWindow().webContents.standIn.attachWebview(),
  /** @returns whether the download continues */
  download: (url: string, filename = 'note.pdf'): boolean => {
    const item = {
      getURL: () => url,
      getURLChain: () => [url],
      getFilename: () => filename,
      setSavePath: () => {},
      cancel: () => {},
    }
    return defaultSession().standIn.download(item, theWindow().webContents)
  },
  boxes: () =>
    openBoxes().map(({ message, detail, buttons, cancelId, defaultId }) => ({ message, detail, buttons, cancelId, defaultId })),
  answerBox,
  dismissBox,
  menuRoles,
  menuBar: () => applicationMenu().described(),
  chooseInMenu: (label: string) => applicationMenu().choose(label),
  tray: () => theTray().state(),
  clickTray: () => theTray().click(),
  chooseInTray: (label: string) => theTray().choose(label),
  clickNotification,
  closeWindow: () => theWindow().close(),
  destroyWindow: () => theWindow().destroy(),
  minimize: () => theWindow().minimize(),
  hide: () => theWindow().hide(),
  quit: () => app.quit(),
  reload: () => theWindow().webContents.reload(),
  crash: (reason: RenderProcessGoneDetails['reason'] = 'crashed') => theWindow().webContents.standIn.crash(reason),
  hang: () => theWindow().standIn.hang(),
  recover: () => theWindow().standIn.recover(),
  setPageTitle: (title: string) => theWindow().standIn.setPageTitle(title),
  /** A second start that only Electron's own lock reports. */
  secondInstance: () => app.announce('second-instance', nativeEvent(), ['afterword'], '/', null as unknown),
  hasInstanceLock: () => app.hasSingleInstanceLock(),
  isSandboxForced: (): boolean => app.standIn.isSandboxed,
  privileges: () => privilegesOf('app'),
  processGone: (type: 'GPU' | 'Utility', reason: 'crashed' | 'oom') => {
    const details: Details = { type, reason, exitCode: 5 }
    app.announce('child-process-gone', nativeEvent(), details)
  },
  activate: (hasVisibleWindows: boolean): void => {
    onlyOn('darwin', 'activate')
    app.announce('activate', nativeEvent(), hasVisibleWindows)
  },
  power: (event: PowerEvent) => powerMonitor.standIn.happen(event),
  setIdleState: (state: 'active' | 'idle' | 'locked' | 'unknown') => powerMonitor.standIn.setIdleState(state),
  blockers: activeBlockers,
  querySessionEnd: (reasons: WindowSessionEndEvent['reasons']) => theWindow().standIn.querySessionEnd(reasons),
  endSession: (reasons: WindowSessionEndEvent['reasons']) => {
    theWindow().standIn.endSession(reasons)
    app.standIn.sessionEnded()
  },
  netErrors: () => netErrors,
  readClipboard: () => clipboard.readText(),
  writeClipboard: (text: string) => clipboard.writeText(text),
  path: (name: 'userData' | 'sessionData') => app.getPath(name),
} satisfies Record<string, (...given: never[]) => unknown>

export type Controls = typeof controls
export interface Question {
  readonly id: number
  readonly name: keyof Controls
  readonly given: unknown[]
}
export type FromApp =
  | { readonly kind: 'answer'; readonly id: number; readonly value?: unknown; readonly error?: string }
  | { readonly kind: 'recorded'; readonly what: string; readonly detail: unknown }

/** Records every event that a page receives. */
function followPage(): void {
  const bridge = theWindow().webContents.standIn.page()?.world['afterword'] as PageBridge | undefined
  bridge?.on((name, payload) => record('event', { name, payload }))
}

export function serveControls(): void {
  const send = (message: FromApp): void => void (process.connected && process.send?.(message, () => {}))
  followJournal(({ what, detail }) => {
    send({ kind: 'recorded', what, detail })
    if (what === 'page') followPage()
  })
  process.on('message', ({ id, name, given }: Question) => {
    void (async () => {
      try {
        const value = await (controls[name] as (...parts: unknown[]) => unknown)(...given)
        send({ kind: 'answer', id, value })
      } catch (error) {
        send({ kind: 'answer', id, error: error instanceof Error ? error.message : String(error) })
      }
    })()
  })
}
