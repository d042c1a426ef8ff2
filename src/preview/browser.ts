import { spawn } from 'node:child_process'
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'brave-browser']
const macBrowsers = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** An installed Chromium, or null. */
export function findBrowser(environment: NodeJS.ProcessEnv = process.env): string | null {
  const folders = (environment['PATH'] ?? '').split(delimiter)
  const candidates = [
    environment['CHROME_PATH'] ?? '',
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...macBrowsers,
  ]
  return candidates.find((path) => path !== '' && isExecutable(path)) ?? null
}

/** A window of its own, with a browser profile of its own; nothing of the person's browser is touched. */
export function openWindow(browser: string, address: string, profile: string): void {
  const folder = join(profile, 'preview-browser')
  const flags = [
    `--app=${pathToFileURL(doorFile(folder, address)).href}`,
    `--user-data-dir=${folder}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-sync',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
    '--disk-cache-size=1',
    // Chromium's sandbox does not work for root, and for nobody else is it switched off.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ]
  spawn(browser, flags, { stdio: 'ignore', detached: true }).unref()
}

/** Leads to the address: on a command line its token could be read by everybody on this machine. */
function doorFile(folder: string, address: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'open.html')
  writeFileSync(path, `<meta http-equiv="refresh" content="0;url=${address}"><title>Afterword</title>`, { mode: 0o600 })
  return path
}

export function hasDisplay(environment: NodeJS.ProcessEnv = process.env): boolean {
  if (process.platform !== 'linux') return true
  return Boolean(environment['DISPLAY'] ?? environment['WAYLAND_DISPLAY'])
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
