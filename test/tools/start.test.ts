import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repository } from '#test/support/machine.ts'

let project = ''
let electronProgram = ''

/** A project that is installed and built, whose preview and Electron say how they were started. */
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'afterword-opening-'))
  cpSync(join(repository, 'tools'), join(project, 'tools'), { recursive: true, filter: (file) => !file.includes('node_modules') })
  // Nothing to install and nothing to build is what these two files say; both are made as the tools make them.
  writeFileSync(join(project, 'package.json'), '{"name":"project","version":"1.0.0","type":"module"}')
  writeLock('package-lock.json')
  writeLock(join('node_modules', '.package-lock.json'))
  put(join('node_modules', 'electron-vite', 'bin', 'electron-vite.js'), '')
  for (const name of ['src', 'resources']) mkdirSync(join(project, name))
  writeFileSync(join(project, 'electron.vite.config.ts'), '')
  put(join('out', 'main', 'preview.js'), "console.log('the preview runs')\n")
  put(join('node_modules', 'electron', 'package.json'), '{"version":"45.0.0"}')
  electronProgram = put(join('node_modules', 'electron', 'dist', 'electron'), '')
  put(join('node_modules', 'electron', 'dist', 'version'), '45.0.0')
  put(join('node_modules', 'electron', 'path.txt'), 'electron')
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

function put(name: string, text: string): string {
  const file = join(project, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { mode: 0o755 })
  return file
}

function writeLock(name: string): void {
  put(name, JSON.stringify({ name: 'project', version: '1.0.0', lockfileVersion: 3, packages: {} }))
}

function electronIs(script: string): void {
  writeFileSync(electronProgram, `#!/bin/sh\n${script}\n`)
}

async function start(environment: NodeJS.ProcessEnv = {}): Promise<{ readonly code: number; readonly printed: string[] }> {
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...inherited } = process.env
  const env = { ...inherited, DISPLAY: ':7', ELECTRON_SKIP_BINARY_DOWNLOAD: '1', ...environment }
  const child = spawn(process.execPath, [join(project, 'tools', 'start.mjs')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (printed += part.toString()))
  const [code] = (await once(child, 'close')) as [number]
  return {
    code,
    printed: printed
      .trim()
      .split('\n')
      .filter((line) => line !== 'Building Afterword.'),
  }
}

const needsLinux = process.platform !== 'linux'

test.skipIf(needsLinux)('an installed Electron opens, with its own exit code and without the settings of Node', async () => {
  electronIs('echo "run as node: [$ELECTRON_RUN_AS_NODE] options: [$NODE_OPTIONS]"; exit 7')
  const { code, printed } = await start({ ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--no-warnings' })
  expect(printed).toEqual(['Opening Afterword in Electron.', 'run as node: [] options: []'])
  expect(code).toBe(7)
})

test.skipIf(needsLinux)('the sandbox is switched off for root and for no one else', async () => {
  electronIs('echo "$1"')
  expect((await start()).printed).toEqual(['Opening Afterword in Electron.', process.getuid?.() === 0 ? '--no-sandbox' : project])
})

test.skipIf(needsLinux).each(['TRAP', 'ABRT'])(
  'an Electron that ends at once with SIG%s leaves the person a browser, and says why',
  async (signal) => {
    electronIs(`kill -${signal} $$`)
    const { code, printed } = await start()
    expect(printed).toEqual([
      'Opening Afterword in Electron.',
      'Electron crashed while starting, so Afterword opens in a browser. The usual cause is a blocked sandbox.',
      'the preview runs',
    ])
    expect(code).toBe(0)
  },
)

test.skipIf(needsLinux)('an Electron of another version opens nothing: the browser does, and one line says so', async () => {
  put(join('node_modules', 'electron', 'dist', 'version'), '44.0.0')
  expect((await start()).printed).toEqual(['Electron is not installed, so Afterword opens in a browser.', 'the preview runs'])
})

test.skipIf(needsLinux)('where Electron cannot be downloaded one plain line says so, and nothing waits', async () => {
  rmSync(join(project, 'node_modules', 'electron', 'dist'), { recursive: true })
  for (const file of ['install.js', 'package.json', 'checksums.json'])
    copyFileSync(join(repository, 'node_modules', 'electron', file), join(project, 'node_modules', 'electron', file))
  for (const scope of ['@electron', '@electron-internal'])
    symlinkSync(join(repository, 'node_modules', scope), join(project, 'node_modules', scope))
  const unreachable = {
    ELECTRON_SKIP_BINARY_DOWNLOAD: '',
    ELECTRON_MIRROR: 'http://127.0.0.1:9/',
    electron_config_cache: project,
  }
  expect((await start(unreachable)).printed).toEqual([
    'Electron is not installed and cannot be downloaded now, so Afterword opens in a browser.',
    'the preview runs',
  ])
  expect(JSON.parse(readFileSync(join(project, 'out', 'electron-download.json'), 'utf8'))).toMatchObject({ state: 'failed' })
})

test.skipIf(needsLinux)('without a display the preview alone speaks', async () => {
  expect((await start({ DISPLAY: '' })).printed).toEqual(['the preview runs'])
})
