import { BrowserWindow } from 'electron'
import { appOrigin, preloadFile } from './places.ts'

/** One window, always titled "Afterword": no name stands in a title or the task bar. */
export function openWindow(): BrowserWindow {
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
      // A hidden window goes on recording at full pace.
      backgroundThrottling: false,
    },
  })
  window.on('page-title-updated', (event) => event.preventDefault())
  window.once('ready-to-show', () => window.show())
  void window.loadURL(`${appOrigin}/`)
  return window
}

export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
