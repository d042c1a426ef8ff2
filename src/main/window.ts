import { app, BrowserWindow, dialog, type MessageBoxOptions } from 'electron'
import { forbidCoreDumps } from '#base/core-dumps.ts'
import type { Log } from '#base/log.ts'
import { appOrigin, preloadFile } from './app-protocol.ts'
import { words } from './words.ts'

const SHOW_AFTER_MS = 5000
const MAX_RELOADS_PER_MINUTE = 3

export type MainWindow = ReturnType<typeof openWindow>

/** Always titled "Afterword", so that no client name appears in a title or the task bar. */
export function openWindow(log: Log) {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    minWidth: 640,
    minHeight: 480,
    show: false,
    title: 'Afterword',
    backgroundColor: '#F2F0EB',
    titleBarStyle: process.platform === 'darwin' ? 'hiddenInset' : 'default',
    autoHideMenuBar: true,
    webPreferences: {
      preload: preloadFile,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
      devTools: !app.isPackaged,
      backgroundThrottling: false,
    },
  })
  window.on('page-title-updated', (event) => event.preventDefault())
  window.webContents.on('dom-ready', () => forbidCoreDumps(window.webContents.getOSProcessId()))
  showWhenReady(window)
  reloadAfterFailure(window, log)
  void window.loadURL(`${appOrigin}/`).catch(() => {}) // the `did-fail-load` handler reloads the page once
  return {
    contents: window.webContents,
    browserWindow: window,
    isAlive: (): boolean => !window.isDestroyed() && !window.webContents.isCrashed() && !window.webContents.isLoadingMainFrame(),
    show(): void {
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
    },
  }
}

/** Shows the window after 5 s even if it is not ready: a user can close an empty window but not an invisible one. */
function showWhenReady(window: BrowserWindow): void {
  const show = (): void => {
    clearTimeout(timer)
    if (!window.isDestroyed() && !window.isVisible()) window.show()
  }
  const timer = setTimeout(show, SHOW_AFTER_MS)
  window.once('ready-to-show', show)
  window.once('closed', () => clearTimeout(timer))
}

/**
 * Reloads the page after a crash, and once after a failed load; the page then reattaches to an open recording. Asks the user
 * first if the page hangs, or if it crashed more than 3 times within a minute.
 */
function reloadAfterFailure(window: BrowserWindow, log: Log): void {
  const { webContents: contents } = window
  let reloads: number[] = []
  let hasFailedToLoad = false

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.error('window.gone', { reason, exit_code: exitCode })
    const now = performance.now()
    reloads = [...reloads.filter((at) => now - at < 60_000), now]
    if (reloads.length > MAX_RELOADS_PER_MINUTE) void offerRetry(window)
    else setImmediate(() => window.isDestroyed() || contents.reload())
  })
  contents.on('did-fail-load', (_event, code, _description, _url, isMainFrame) => {
    log.error('window.load-failed', { code })
    if (!isMainFrame || hasFailedToLoad) return
    hasFailedToLoad = true
    setImmediate(() => window.isDestroyed() || contents.reload())
  })
  contents.on('preload-error', () => log.error('window.preload-failed'))
  window.on('unresponsive', () => {
    log.warn('window.unresponsive')
    void offerReload(window)
  })
}

async function offerReload(window: BrowserWindow): Promise<void> {
  const { message, detail, wait, reload } = words.windowNotResponding
  const responsive = new AbortController()
  window.once('responsive', () => responsive.abort())
  const { signal } = responsive
  const buttons = [wait, reload]
  const options: MessageBoxOptions = { type: 'warning', message, detail, buttons, defaultId: 0, cancelId: 0, signal }
  const { response } = await dialog.showMessageBox(window, options)
  if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer()
}

/** Uses a message box, because `showErrorBox` would block this process, including locking and shutdown. */
async function offerRetry(window: BrowserWindow): Promise<void> {
  const { message, detail, retry, quit } = words.windowKeepsCrashing
  const { response } = await dialog.showMessageBox({ type: 'error', message, detail, buttons: [retry, quit], cancelId: 0 })
  if (response === 1) app.quit()
  else if (!window.isDestroyed()) window.webContents.reload()
}
