// Finds, checks and downloads Electron's runtime. npm no longer installs it since Electron 42.
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const programs = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }
const LOOK_EVERY = 500

/**
 * The runtime's program, or null if it is missing, of another version or incomplete. Electron's installer writes
 * path.txt last; tools/fetch-electron.mjs removes it first.
 * @param folder node_modules/electron
 */
export function electronRuntime(folder, { platform = process.platform, env = process.env } = {}) {
  try {
    const program = programs[platform] ?? 'electron'
    const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    const own = env['ELECTRON_OVERRIDE_DIST_PATH']
    if (!own && readFileSync(path.join(folder, 'path.txt'), 'utf8').trim() !== program) return null
    const dist = own || path.join(folder, 'dist')
    if (readFileSync(path.join(dist, 'version'), 'utf8').trim().replace(/^v/, '') !== version) return null
    accessSync(path.join(dist, program), constants.X_OK)
    return path.join(dist, program)
  } catch {
    return null // a file is missing
  }
}

/**
 * Why Electron's sandbox cannot work for this user, or null. Electron would end with "The SUID sandbox helper binary
 * was found, but is not configured correctly" (Ubuntu 23.10 and newer). Uses the kernel's settings.
 */
export function sandboxProblem(program, { platform, uid, read = readSetting, isSuid = isSuidRoot }) {
  if (platform !== 'linux' || uid === 0) return null
  const isBlocked =
    read('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === '1' ||
    read('/proc/sys/kernel/unprivileged_userns_clone') === '0' ||
    read('/proc/sys/user/max_user_namespaces') === '0'
  const helper = path.join(path.dirname(program), 'chrome-sandbox')
  if (!isBlocked || isSuid(helper)) return null
  return [
    'This Linux system blocks the sandbox that Electron needs, so Afterword opens in a browser.',
    `To use Electron, run: sudo chown root "${helper}" && sudo chmod 4755 "${helper}"`,
  ].join(' ')
}

/** Electron's sandbox check ends with one of these signals; a shell reports them as 128 plus the number. */
export function isSandboxCrash({ code, signal }, milliseconds) {
  const isAbort = signal === 'SIGTRAP' || signal === 'SIGABRT' || code === 133 || code === 134
  return isAbort && milliseconds < 3000
}

/** With these inherited, Electron would run as plain Node or load the modules they name. */
export const withoutNodeSettings = { ELECTRON_RUN_AS_NODE: undefined, NODE_OPTIONS: undefined }

function readSetting(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

function isSuidRoot(file) {
  if (!existsSync(file)) return false
  const { uid, mode } = statSync(file)
  return uid === 0 && (mode & 0o7777) === 0o4755
}

function readState(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null // none yet
  }
}

function isRunning(state) {
  if (state?.state !== 'running') return false
  try {
    process.kill(state.pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Downloads the runtime in a process that outlives this one. A running download is not started twice.
 * @param parts `folder` is node_modules/electron; the download writes its progress to `stateFile`
 * @returns `begun`: true if the download is still running after a moment, false if it has already failed.
 * `watch(print)` prints a line at each quarter and at the end, and returns a function that stops it.
 */
export async function fetchInBackground({ node, folder, stateFile, env = process.env, patience = 3000 }) {
  if (!isRunning(readState(stateFile))) {
    mkdirSync(path.dirname(stateFile), { recursive: true })
    const script = fileURLToPath(new URL('fetch-electron.mjs', import.meta.url))
    const child = spawn(node, [script, folder, stateFile], {
      env: { ...env, ...withoutNodeSettings },
      stdio: 'ignore',
      detached: true,
      windowsHide: true,
    })
    writeFileSync(stateFile, JSON.stringify({ pid: child.pid, percent: 0, state: 'running' }))
    child.on('error', () => {})
    child.unref()
  }
  const until = Date.now() + patience
  while (Date.now() < until && isRunning(readState(stateFile)) && readState(stateFile).percent === 0) await pause(LOOK_EVERY)
  return {
    begun: isRunning(readState(stateFile)) || readState(stateFile)?.state === 'done',
    watch: (print) => watch(stateFile, print),
  }
}

function watch(stateFile, print) {
  let said = readState(stateFile)?.percent ?? 0
  const timer = setInterval(() => {
    const state = readState(stateFile)
    if (isRunning(state)) {
      if (state.percent < said + 25) return
      said = state.percent
      return print(`Downloading Electron: ${state.percent}%`)
    }
    clearInterval(timer)
    if (state?.state === 'done') print('Electron is installed. The next npm start opens the desktop app.')
    else print('The Electron download stopped. The next npm start tries again.')
  }, LOOK_EVERY)
  timer.unref()
  return () => clearInterval(timer)
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))
