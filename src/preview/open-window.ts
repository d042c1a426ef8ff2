import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withoutCoreDumps } from '#base/core-dumps.ts'

/**
 * A separate window with a separate browser profile; the user's own browser is not touched.
 *
 * @param onFailed the browser could not be started, or ended with an error
 * @returns closes the window; one that another start opened first stays
 */
export function openWindow(browser: string, address: string, profile: string, onFailed: () => void): () => void {
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
    // Chromium's sandbox does not work for root, and is never switched off for anyone else.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ]
  const started = withoutCoreDumps(browser, flags)
  const child = spawn(started.command, started.flags, { stdio: 'ignore', detached: true })
  let isClosing = false
  child.once('error', onFailed)
  child.once('exit', (code) => {
    if (code !== 0 && code !== null && !isClosing) onFailed()
  })
  child.unref()
  return () => {
    isClosing = true
    child.kill()
  }
}

/** Leads to the address: on a command line its token could be read by everyone on this machine. */
function doorFile(folder: string, address: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'open.html')
  writeFileSync(path, `<meta http-equiv="refresh" content="0;url=${address}"><title>Afterword</title>`, { mode: 0o600 })
  return path
}
