import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readlinkSync, rmSync, writeFileSync, accessSync, constants } from 'node:fs'
import { join, posix, win32 } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withoutCoreDumps } from '#base/core-dumps.ts'
import { homedir } from 'node:os'
import { attempt } from '#base/control.ts'

const MAX_CLOSING_MS = 5000

const browserFolder = (profile: string): string => join(profile, 'preview-browser')

/**
 * Opens a window with its own browser folder, so that the user's browser profile is not touched.
 * @returns a function that closes the window, unless a browser that was already running with this folder opened it
 */
export function openWindow(browser: string, address: string, profile: string, onFailed: () => void): () => Promise<void> {
  const folder = browserFolder(profile)
  const flags = [
    `--app=${pathToFileURL(doorFile(folder, address)).href}`,
    `--user-data-dir=${folder}`,
    // Private mode: Edge uses `--inprivate`, the other browsers use `--incognito`.
    '--incognito',
    '--inprivate',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-features=Translate,OptimizationHints,MediaRouter',
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-sync',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
    '--disk-cache-size=1',
    // Chromium's sandbox does not work for root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ]
  const started = withoutCoreDumps(browser, flags)
  const child = spawn(started.command, started.flags, { stdio: 'ignore', detached: true })
  let isClosing = false
  let hasEnded = false
  child.once('error', () => {
    hasEnded = true
    onFailed()
  })
  child.once('exit', (code) => {
    hasEnded = true
    emptyBrowserFolder(profile)
    if (code !== 0 && code !== null && !isClosing) onFailed()
  })
  child.unref()
  return async () => {
    isClosing = true
    if (hasEnded) return
    child.ref()
    const ended = once(child, 'exit')
    child.kill()
    const killer = setTimeout(() => child.kill('SIGKILL'), MAX_CLOSING_MS)
    await ended
    clearTimeout(killer)
  }
}

export function emptyBrowserFolder(profile: string): void {
  const folder = browserFolder(profile)
  if (isInUse(folder)) return
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  } catch {} // A browser process may still be ending; the next start empties the folder.
}

/** Chromium marks a folder in use with a link to `<host>-<process id>`; on Windows with a file that Chromium keeps open. */
function isInUse(folder: string): boolean {
  try {
    if (process.platform === 'win32') {
      rmSync(join(folder, 'lockfile'), { force: true })
      return false
    }
    const id = Number(/-(\d+)$/.exec(readlinkSync(join(folder, 'SingletonLock')))?.[1])
    return Number.isInteger(id) && process.kill(id, 0)
  } catch (error) {
    return !['ENOENT', 'ESRCH', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}

/** Keeps the token out of the command line, which every user of this machine can read. */
function doorFile(folder: string, address: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'open.html')
  writeFileSync(path, `<meta http-equiv="refresh" content="0;url=${address}"><title>Afterword</title>`, { mode: 0o600 })
  return path
}

export interface Machine {
  readonly platform: NodeJS.Platform
  readonly environment: NodeJS.ProcessEnv
  readonly home: string
  readonly isProgram: (file: string) => boolean
}

const linuxPrograms = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
]

const macPrograms = ['Google Chrome', 'Microsoft Edge', 'Brave Browser', 'Chromium']

const windowsPrograms = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
  ['BraveSoftware', 'Brave-Browser', 'Application', 'brave.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
]
const windowsFolders = ['ProgramFiles', 'ProgramW6432', 'ProgramFiles(x86)', 'LOCALAPPDATA']

const thisMachine: Machine = {
  platform: process.platform,
  environment: process.env,
  home: homedir(),
  isProgram: isExecutable,
}

export function findBrowser(machine: Machine = thisMachine): string | null {
  const named = machine.environment['CHROME_PATH']
  if (named) return machine.isProgram(named) ? named : null
  return candidates(machine).find((file) => machine.isProgram(file)) ?? null
}

function candidates({ platform, environment, home }: Machine): string[] {
  switch (platform) {
    case 'win32': {
      const folders = windowsFolders.map((name) => environment[name] ?? '').filter((folder) => folder !== '')
      return windowsPrograms.flatMap((parts) => folders.map((folder) => win32.join(folder, ...parts)))
    }
    case 'darwin': {
      const folders = ['/Applications', posix.join(home, 'Applications')]
      return macPrograms.flatMap((name) => folders.map((folder) => posix.join(folder, `${name}.app`, 'Contents', 'MacOS', name)))
    }
    default: {
      const folders = (environment['PATH'] ?? '').split(':').filter((folder) => folder !== '')
      return linuxPrograms.flatMap((name) => folders.map((folder) => posix.join(folder, name)))
    }
  }
}

export function hasDisplay({ platform, environment }: Pick<Machine, 'platform' | 'environment'> = thisMachine): boolean {
  return platform !== 'linux' || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY'])
}

function isExecutable(file: string): boolean {
  return attempt(() => accessSync(file, constants.X_OK) === undefined) ?? false
}

export const words = {
  isOpen: 'Afterword is open in its own window. Press Ctrl+C here to quit.',
  isOpenElsewhere: 'Afterword is already open. Opening another window.',
  isShown: 'Afterword is already open. Its window was brought to the front.',
  openByHand: (address: string) => `Open this address in Chrome, Edge or Firefox on this computer. It works once:\n${address}`,
  noDisplay: 'No display was found, so Afterword cannot open a window.',
  noBrowser: 'No Chrome, Edge, Brave or Chromium was found, so Afterword cannot open a window.',
  browserEnded: (browser: string) => `${browser} ended with an error, so the Afterword window is closed. Your records are safe.`,
  restarted: 'Afterword restarted after an internal error. Your records and recordings are safe.',
  notResponding:
    'Afterword is already running but isn’t responding. Your records are safe. End it in your system’s task manager, then start it again.',
  portInUse: (port: number) =>
    `Port ${port} is in use by another program. Set AFTERWORD_PORT to another number, or leave it out for any free port.`,
  failed(reason: string | null, folder: string): string {
    if (reason === 'profile-in-use')
      return `Another Afterword has the records in ${folder} open, perhaps through another path to the same folder. Your records are safe. Close that one, then start Afterword again.`
    if (reason === 'ENOSPC') return 'The disk is full. Your records are unchanged. Free some space, then start Afterword again.'
    if (reason === 'EACCES' || reason === 'EPERM' || reason === 'EROFS' || reason === 'ENOTDIR')
      return `Afterword cannot write to its folder, ${folder}. Your records are unchanged. Allow writing there, then start Afterword again.`
    return `Afterword stopped because of an internal error${reason === null ? '' : ` (${reason})`}. Your records and recordings are safe. Start Afterword again.`
  },
}
