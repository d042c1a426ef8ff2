import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Browser, chromium } from '@playwright/test'
import { repository } from './machine.ts'

export interface NpmStart {
  /** Every line printed so far. */
  lines(): readonly string[]
  waitForLine(pattern: RegExp): Promise<RegExpMatchArray>
  readonly ended: Promise<number | null>
  /** Ctrl+C at the terminal: every process of the group is interrupted. */
  interrupt(): Promise<void>
}

interface NpmStartOptions {
  readonly profile: string
  /** The program that CHROME_PATH names. */
  readonly browser: string
  /** DISPLAY, or null for a machine without one. */
  readonly display: string | null
  readonly environment?: NodeJS.ProcessEnv
}

const secondsToStart = 180

/** `npm start` as a person types it: the system's npm and Node, none of the project's own programs in PATH. */
export function npmStart(options: NpmStartOptions): NpmStart {
  const child = spawn('npm', ['start'], {
    cwd: repository,
    env: environmentOf(options),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a process group of its own, which Ctrl+C interrupts as a whole
  })
  const killWithUs = (): void => killGroup(child, 'SIGKILL')
  process.once('exit', killWithUs)
  const ended = once(child, 'exit').then(([code]) => {
    process.off('exit', killWithUs)
    return code as number | null
  })
  const lines: string[] = []
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      for (const listener of listeners) listener()
    })
  }
  return {
    lines: () => lines,
    waitForLine: (pattern) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => finish(null), secondsToStart * 1000)
        const look = (): void => {
          const match = lines.map((line) => line.match(pattern)).find((found) => found !== null)
          if (match) finish(match)
        }
        const finish = (match: RegExpMatchArray | null): void => {
          clearTimeout(timer)
          listeners.delete(look)
          if (match) resolve(match)
          else reject(new Error(`no line like ${pattern}:\n${lines.join('\n')}`))
        }
        listeners.add(look)
        void ended.then(() => setImmediate(() => finish(null)))
        look()
      }),
    ended,
    async interrupt() {
      killGroup(child, 'SIGINT')
      await ended
    },
  }
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid, signal)
}

function environmentOf({ profile, browser, display, environment }: NpmStartOptions): NodeJS.ProcessEnv {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|AFTERWORD_|NODE_OPTIONS|DISPLAY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|TEST_|VITEST)/i.test(name),
    ),
  )
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(join(repository, 'node_modules')))
  return {
    ...inherited,
    PATH: folders.join(delimiter),
    AFTERWORD_PROFILE: profile,
    CHROME_PATH: browser,
    // No Electron here, and none is downloaded: what opens is the preview.
    ELECTRON_OVERRIDE_DIST_PATH: join(profile, 'no-electron'),
    ...(display === null ? {} : { DISPLAY: display }),
    ...environment,
  }
}

/** A browser program that also listens for a debugger on loopback; the app itself never passes such a flag. */
export function browserWithDebugger(folder: string, chromiumPath: string): string {
  mkdirSync(folder, { recursive: true })
  const program = join(folder, 'browser')
  writeFileSync(program, `#!/bin/sh\nexec '${chromiumPath}' --remote-debugging-port=0 --disable-gpu "$@"\n`, { mode: 0o700 })
  return program
}

/** Attaches to the window that the app opened. */
export async function attach(profile: string): Promise<Browser> {
  const portFile = join(profile, 'preview-browser', 'DevToolsActivePort')
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const [port, path] = existsSync(portFile) ? readFileSync(portFile, 'utf8').split('\n') : []
    if (port && path) {
      rmSync(portFile) // the next window writes its own
      return chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error('the app opened no window')
}
