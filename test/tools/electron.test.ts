import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { repository } from '#test/support/machine.ts'
import { zip } from '#test/support/zip.ts'
import { loadTool } from './tool.ts'

interface Fetching {
  readonly begun: boolean
  watch(print: (line: string) => void): () => void
}
interface Ended {
  readonly code: number | null
  readonly signal: string | null
}
const { electronRuntime, fetchInBackground, isSandboxCrash, sandboxProblem, withoutNodeSettings } = await loadTool<{
  electronRuntime(folder: string, parts?: { platform?: string; env?: NodeJS.ProcessEnv }): string | null
  fetchInBackground(parts: Record<string, unknown>): Promise<Fetching>
  isSandboxCrash(end: Ended, milliseconds: number): boolean
  sandboxProblem(program: string, parts: Record<string, unknown>): string | null
  withoutNodeSettings: Record<string, undefined>
}>('electron.mjs')

const installed = join(repository, 'node_modules', 'electron')
const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { version: string }
const programs: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
}
const program = programs[process.platform] ?? 'electron'
const archiveName = `electron-v${version}-${process.platform}-${process.arch}.zip`

let folder = ''
let electron = ''
let stateFile = ''
let server: Server
let requests: string[] = []
/** How the release server answers; each test may change it. */
let release: Buffer
let sendsHalf = false

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-electron-'))
  electron = join(folder, 'node_modules', 'electron')
  stateFile = join(folder, 'out', 'electron-download.json')
  mkdirSync(electron, { recursive: true })
  // Electron's own installer and downloader, on a copy: nothing may be written into the project's own packages.
  for (const file of ['install.js', 'package.json']) copyFileSync(join(installed, file), join(electron, file))
  for (const scope of ['@electron', '@electron-internal'])
    symlinkSync(join(repository, 'node_modules', scope), join(folder, 'node_modules', scope), 'junction')
  release = zip({ version, LICENSE: 'x'.repeat(200_000), [program]: '#!/bin/sh\n' }, { executable: [program] })
  publish(release)
  requests = []
  sendsHalf = false
  server = createServer((request, answer) => {
    requests.push(request.url ?? '')
    answer.setHeader('content-length', release.length)
    answer.write(release.subarray(0, release.length / 2))
    if (!sendsHalf) answer.end(release.subarray(release.length / 2))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** The checksum that comes with the package. */
function publish(archive: Buffer): void {
  const checksum = createHash('sha256').update(archive).digest('hex')
  writeFileSync(join(electron, 'checksums.json'), JSON.stringify({ [archiveName]: checksum }))
}

const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ELECTRON_MIRROR: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  electron_config_cache: join(folder, 'cache'),
})

/** npm run electron: in the foreground. */
async function fetchNow(): Promise<{ readonly code: number; readonly printed: string }> {
  const script = join(repository, 'tools', 'fetch-electron.mjs')
  const child = spawn(process.execPath, [script, electron], { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (printed += part.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return { code, printed }
}

const inBackground = () => fetchInBackground({ node: process.execPath, folder: electron, stateFile, env: environment() })
const runtime = () => electronRuntime(electron, { env: {} })
const stateOf = () => JSON.parse(readFileSync(stateFile, 'utf8')) as { pid: number; percent: number; state: string }
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
const guard = { timeout: 60_000 }

describe('npm run electron', () => {
  test('downloads, checks and unpacks the runtime, says how far it is, and does nothing the second time', async () => {
    const { code, printed } = await fetchNow()
    expect(printed).toContain('Downloading Electron: 100%')
    expect(printed).toContain('Electron is installed.')
    expect(code).toBe(0)
    expect(runtime()).toBe(join(electron, 'dist', program))
    expect(requests).toEqual([`/v${version}/${archiveName}`])
    expect((await fetchNow()).code).toBe(0)
    expect(requests).toHaveLength(1)
  })

  test('refuses a runtime whose checksum is another one', async () => {
    release = zip({ version, [program]: '#!/bin/sh\nsomething else\n' }, { executable: [program] })
    const { code, printed } = await fetchNow()
    expect(code).toBe(1)
    expect(printed).toContain('Electron could not be installed')
    expect(printed).not.toMatch(/^\s+at /m)
    expect(runtime()).toBeNull()
    expect(existsSync(join(electron, 'dist'))).toBe(false)
  })

  test('says in one sentence that there is no network', async () => {
    server.closeAllConnections()
    const address = environment()
    server.close()
    const script = join(repository, 'tools', 'fetch-electron.mjs')
    const child = spawn(process.execPath, [script, electron], { env: address, stdio: ['ignore', 'ignore', 'pipe'] })
    let printed = ''
    child.stderr.on('data', (part: Buffer) => (printed += part.toString()))
    expect(((await once(child, 'close')) as [number])[0]).toBe(1)
    expect(printed.trim()).toBe(
      'Electron could not be installed (ECONNREFUSED). Check the network connection and the free disk space, then try again.',
    )
  })
})

describe('npm start', () => {
  test('goes on with the download in the background, and the next start uses the runtime', async () => {
    const lines: string[] = []
    const fetching = await inBackground()
    expect(fetching.begun).toBe(true)
    fetching.watch((line) => lines.push(line))
    await expect.poll(() => lines.at(-1), guard).toBe('Electron is installed. The next npm start opens the desktop app.')
    expect(runtime()).toBe(join(electron, 'dist', program))
  })

  test('does not begin a second download while one runs, and the first one outlives the start that began it', async () => {
    sendsHalf = true
    expect((await inBackground()).begun).toBe(true)
    const first = stateOf()
    await expect.poll(() => stateOf().percent, guard).toBeGreaterThan(0)
    expect((await inBackground()).begun).toBe(true)
    expect(stateOf().pid).toBe(first.pid)
    expect(requests).toHaveLength(1)
    process.kill(first.pid, 'SIGKILL')
  })

  test('never uses a runtime that came only in part, and the next download completes it', async () => {
    sendsHalf = true
    await inBackground()
    await expect.poll(() => stateOf().percent, guard).toBeGreaterThan(0)
    const { pid } = stateOf()
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid), guard).toBe(false)
    expect(runtime()).toBeNull()
    sendsHalf = false
    const lines: string[] = []
    ;(await inBackground()).watch((line) => lines.push(line))
    await expect.poll(() => lines.at(-1), guard).toContain('Electron is installed.')
    expect(runtime()).not.toBeNull()
  })

  test('learns within a moment that nothing can be downloaded', async () => {
    const address = environment()
    server.closeAllConnections()
    server.close()
    const parts = { node: process.execPath, folder: electron, stateFile, env: address, patience: 60_000 }
    expect((await fetchInBackground(parts)).begun).toBe(false)
  })
})

describe('a runtime', () => {
  beforeEach(async () => {
    await fetchNow()
    expect(runtime()).not.toBeNull()
  })

  test('of another version is not used', () => {
    writeFileSync(join(electron, 'dist', 'version'), 'v1.2.3')
    expect(runtime()).toBeNull()
  })

  test.each(['path.txt', join('dist', 'version'), join('dist', program)])('without %s is not used', (file) => {
    rmSync(join(electron, file))
    expect(runtime()).toBeNull()
  })

  test.skipIf(process.platform === 'win32')('that may not be executed is not used', () => {
    chmodSync(join(electron, 'dist', program), 0o644)
    expect(runtime()).toBeNull()
  })

  test('of another platform is not used', () => {
    expect(electronRuntime(electron, { platform: process.platform === 'win32' ? 'linux' : 'win32', env: {} })).toBeNull()
  })

  test('elsewhere is used where ELECTRON_OVERRIDE_DIST_PATH names it', () => {
    const own = { ELECTRON_OVERRIDE_DIST_PATH: join(electron, 'dist') }
    rmSync(join(electron, 'path.txt'))
    expect(electronRuntime(electron, { env: own })).toBe(join(electron, 'dist', program))
    expect(electronRuntime(electron, { env: { ELECTRON_OVERRIDE_DIST_PATH: folder } })).toBeNull()
  })
})

describe('the sandbox', () => {
  const settings = (set: Record<string, string>) => ({ read: (file: string) => set[file] ?? null, isSuid: () => false })
  const ubuntu = { '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1' }
  const person = { platform: 'linux', uid: 1000 }
  const at = '/opt/afterword/node_modules/electron/dist/electron'

  test('of Ubuntu 23.10 and newer refuses Electron, which is said with the way out', () => {
    const sentence = sandboxProblem(at, { ...person, ...settings(ubuntu) })
    expect(sentence).toContain('Afterword opens in a browser')
    expect(sentence).toContain('sudo chmod 4755 "/opt/afterword/node_modules/electron/dist/chrome-sandbox"')
    expect(sentence).not.toContain('--no-sandbox')
  })

  test.each(['unprivileged_userns_clone', 'max_user_namespaces'])('is refused where %s is 0', (name) => {
    const file = name === 'max_user_namespaces' ? `/proc/sys/user/${name}` : `/proc/sys/kernel/${name}`
    expect(sandboxProblem(at, { ...person, ...settings({ [file]: '0' }) })).not.toBeNull()
    expect(sandboxProblem(at, { ...person, ...settings({ [file]: '1' }) })).toBeNull()
  })

  test('works with a helper that belongs to root, on other systems, and is no question for root', () => {
    expect(sandboxProblem(at, { ...person, ...settings(ubuntu), isSuid: () => true })).toBeNull()
    expect(sandboxProblem(at, { ...person, ...settings({}) })).toBeNull()
    expect(sandboxProblem(at, { ...person, platform: 'darwin', ...settings(ubuntu) })).toBeNull()
    expect(sandboxProblem(at, { ...person, uid: 0, ...settings(ubuntu) })).toBeNull()
  })

  test('is what ended an Electron that aborts within three seconds, and nothing else is', () => {
    for (const end of [
      { code: null, signal: 'SIGTRAP' },
      { code: null, signal: 'SIGABRT' },
      { code: 133, signal: null },
      { code: 134, signal: null },
    ]) {
      expect(isSandboxCrash(end, 500)).toBe(true)
      expect(isSandboxCrash(end, 3500)).toBe(false)
    }
    for (const end of [
      { code: 0, signal: null },
      { code: 1, signal: null },
      { code: null, signal: 'SIGINT' },
      { code: null, signal: 'SIGSEGV' },
    ])
      expect(isSandboxCrash(end, 500)).toBe(false)
  })
})

test('Electron is started without the settings of Node that would make it something else', () => {
  expect(Object.entries(withoutNodeSettings)).toEqual([
    ['ELECTRON_RUN_AS_NODE', undefined],
    ['NODE_OPTIONS', undefined],
  ])
})
