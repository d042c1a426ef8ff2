import { app, type WebContents, clipboard, powerMonitor, powerSaveBlocker } from 'electron'
import type { Log } from '#base/log.ts'
import { type CoreHost, startCore } from '#shell/core-host.ts'
import type { AppState } from '#contract/bridge/app.ts'
import type { Settings } from '#contract/bridge/settings.ts'
import { serveProtocol, resourcesFolder } from './app-protocol.ts'
import { sendEvent, serveBridge, type ShellCalls } from './bridge.ts'
import { Closing, createHandOver, type HandOver, within } from './closing.ts'
import { createDesktop } from './desktop.ts'
import { utilityEngines } from './engines.ts'
import type { MicrophonePermission, RecordingState } from './microphone.ts'
import type { SelfTest } from './self-test.ts'
import type { SignInPages } from './security.ts'
import { openUpdates } from './updates/open-updates.ts'
import { type MainWindow, openWindow } from './window.ts'

const MAX_SAVE_MS = 1000
/** Limit, because on Wayland another program may never deliver the clipboard text that it owns. */
const MAX_CLIPBOARD_MS = 1000

interface OpenAppOptions {
  readonly folder: string
  readonly log: Log
  readonly recording: RecordingState
  readonly microphone: MicrophonePermission
  readonly signInPages: SignInPages
  readonly selfTest: SelfTest | null
}

export type OpenApp = Awaited<ReturnType<typeof openApp>>

const resolveProxy = (address: string): Promise<string> => app.resolveProxy(address)

function coreOptions() {
  return {
    resources: resourcesFolder,
    shell: 'electron',
    app_version: app.getVersion(),
    isPackaged: app.isPackaged,
    systemLocale: app.getSystemLocale(),
    startLocked: false,
    passphraseFile: app.isPackaged ? undefined : process.env['AFTERWORD_PASSPHRASE_FILE'],
    engines: utilityEngines(),
    resolveProxy,
  } as const
}

export async function openApp({ folder, log, recording, microphone, signInPages, selfTest }: OpenAppOptions) {
  let window: MainWindow | null = null
  const contents = (): WebContents | null => window?.contents ?? null
  const send = (name: string, payload: unknown): void => sendEvent(contents(), name, payload)
  let followEvents = (_name: string, _payload: unknown): void => {}
  const updates = openUpdates({
    resources: resourcesFolder,
    emit: send,
    log,
    resolveProxy,
    closeCore: () => closing.closeForUpdate(),
  })
  const started = await startCore({
    ...coreOptions(),
    folder,
    log,
    onEvent(name, payload) {
      recording.onEvent(name, payload)
      updates.hear(name, payload)
      followEvents(name, payload)
      send(name, payload)
    },
  })
  const core = updates.follow(started)
  const copied = createCopiedText()
  const handOver = createHandOver({ window: () => window, send })
  const close = (): Promise<unknown> => Promise.all([core.close(), within(MAX_CLIPBOARD_MS, copied.clear())])
  const closing = new Closing({ core: { ...core, close }, window: () => window, recording, handOver, log })
  serveProtocol(core)
  serveBridge({
    core,
    contents,
    log,
    calls: {
      ...microphone.calls,
      ...signInPages.calls,
      ...handOver.calls,
      ...copied.calls,
      ...updates.calls,
      ...selfTest?.calls,
    },
  })
  stayAwakeWhileRecording(recording)
  const onAway = (): void => void lock(core, closing, handOver)
  followPower({ onAway, onResumed: () => send('app.resumed', {}), onShutdown: () => closing.now() })
  window = openWindow(log)
  window.browserWindow.once('closed', () => (window = null))
  closeWith(window, closing, core)
  followEvents = followWithDesktop({ core, recording, send, lock: onAway, window: () => window })
  // Not awaited: a second start can show the window only after this function returns.
  void core.call('app.state', {}).then((state) => state.ok && followEvents('app.changed', state.value))
  app.on('activate', () => window?.show())
  app.on('child-process-gone', (_event, { type, reason }) => log.warn('process.gone', { type, reason }))
  void selfTest?.run({ call: core.call, media: core.media, send, close })
  return { contents, isClosing: () => closing.isClosing, show: () => window?.show() }
}

/** Edits are saved first, because the core refuses them once the records are locked. */
async function lock(core: CoreHost, closing: Closing, handOver: HandOver): Promise<void> {
  if (closing.isClosing) return
  await handOver.before('locking', MAX_SAVE_MS)
  await core.lock()
}

function closeWith({ browserWindow }: MainWindow, closing: Closing, core: CoreHost): void {
  browserWindow.on('close', (event) => closing.onClose(event))
  browserWindow.on('query-session-end', (event) => {
    if (closing.isClosed) return
    event.preventDefault()
    closing.now()
  })
  app.on('before-quit', (event) => closing.onQuit(event))
  // At exit, Node waits for its worker threads, and forever if one is stuck in a system call.
  app.on('quit', () => core.hasEnded() || process.kill(process.pid, 'SIGKILL'))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => closing.now())
}

interface FollowOptions {
  readonly core: Pick<CoreHost, 'call'>
  readonly recording: RecordingState
  readonly send: (name: string, payload: unknown) => void
  readonly lock: () => void
  readonly window: () => MainWindow | null
}

function followWithDesktop({ core, recording, send, lock, window }: FollowOptions): (name: string, payload: unknown) => void {
  const desktop = createDesktop({
    recording,
    lock,
    onCommand: (command) => send('app.command', { command }),
    show: () => window()?.show(),
    isFocused: () => window()?.browserWindow.isFocused() ?? false,
  })
  const apply = (settings: Settings): void => {
    window()?.browserWindow.setContentProtection(settings.hide_from_capture)
    desktop.apply(settings)
  }
  return (name, payload) => {
    desktop.onEvent(name, payload)
    if (name === 'settings.changed') apply(payload as Settings)
    if (name !== 'app.changed' || (payload as AppState).phase !== 'ready') return
    void core.call('settings.get', {}).then((answer) => answer.ok && apply(answer.value as Settings))
  }
}

const CLEAR_AFTER_S = 60

/** Clears copied text after 60 s and at closing: other programs can read the clipboard, and some systems sync it. */
function createCopiedText() {
  let copied: string | null = null
  let timer: NodeJS.Timeout | undefined
  const clear = async (): Promise<void> => {
    clearTimeout(timer)
    const text = copied
    copied = null
    if (text !== null && (await clipboard.readText()) === text) clipboard.clear()
  }
  return {
    clear,
    calls: {
      async 'app.copied'() {
        copied = await clipboard.readText()
        clearTimeout(timer)
        timer = setTimeout(() => void clear(), CLEAR_AFTER_S * 1000)
        return { ok: true, value: { cleared_after_s: CLEAR_AFTER_S } }
      },
    } satisfies ShellCalls,
  }
}

const IDLE_CHECK_MS = 5000

interface PowerListener {
  onAway(): void
  onResumed(): void
  /** Called before the system shuts down, except on Windows, where the window gets `query-session-end`. */
  onShutdown(): void
}

function followPower({ onAway, onResumed, onShutdown }: PowerListener, platform = process.platform): void {
  powerMonitor.on('suspend', onAway)
  powerMonitor.on('resume', onResumed)
  if (platform === 'linux') followLockedScreen(onAway)
  else powerMonitor.on('lock-screen', onAway)
  if (platform !== 'win32') {
    const delay = (event: { preventDefault(): void }): void => {
      event.preventDefault()
      onShutdown()
    }
    powerMonitor.on('shutdown', delay as () => void)
  }
}

function followLockedScreen(onLocked: () => void): void {
  let wasLocked = false
  const check = (): void => {
    const isLocked = powerMonitor.getSystemIdleState(1) === 'locked'
    if (isLocked && !wasLocked) onLocked()
    wasLocked = isLocked
  }
  setInterval(check, IDLE_CHECK_MS).unref()
}

/** Laptops with Modern Standby (Windows) sleep when the display turns off. */
function stayAwakeWhileRecording(recording: RecordingState, platform = process.platform): void {
  let blocker: number | null = null
  recording.onChange(() => {
    if (recording.isRunning && blocker === null)
      blocker = powerSaveBlocker.start(platform === 'win32' ? 'prevent-display-sleep' : 'prevent-app-suspension')
    if (!recording.isRunning && blocker !== null) {
      powerSaveBlocker.stop(blocker)
      blocker = null
    }
  })
}
