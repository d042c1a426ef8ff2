import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withoutCoreDumps } from '#base/core-dumps.ts'

/** A browser that does not end when asked is killed after this time. */
const MAX_CLOSING_MS = 5000

const browserFolder = (profile: string): string => join(profile, 'preview-browser')

/**
 * A separate window with a separate browser folder, which is emptied once the browser has ended; the user's own browser is
 * not touched.
 *
 * @param onFailed the browser could not be started, or ended with an error
 * @returns closes the window; a window that another start opened first stays
 */
export function openWindow(browser: string, address: string, profile: string, onFailed: () => void): () => Promise<void> {
  const folder = browserFolder(profile)
  const flags = [
    `--app=${pathToFileURL(doorFile(folder, address)).href}`,
    `--user-data-dir=${folder}`,
    // A private window has no session files, history, form data or disk cache. Edge has its own name for it.
    '--incognito',
    '--inprivate',
    // A crash report holds the window's memory.
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
    // Chromium's sandbox does not work for root, and is never switched off for anyone else.
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

/** A folder that a running browser uses stays as it is. */
export function emptyBrowserFolder(profile: string): void {
  const folder = browserFolder(profile)
  if (isInUse(folder)) return
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  } catch {
    // A process of the browser is still ending. The next start empties the folder.
  }
}

/** Chromium marks its folder with a link to `<host>-<process id>`; on Windows with a file that it keeps open. */
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

/** Leads to the address: on a command line its token could be read by everyone on this machine. */
function doorFile(folder: string, address: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'open.html')
  writeFileSync(path, `<meta http-equiv="refresh" content="0;url=${address}"><title>Afterword</title>`, { mode: 0o600 })
  return path
}
