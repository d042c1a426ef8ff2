import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { build } from '#test/support/built-app.ts'
import { startApp, type StartedApp, type StartOptions } from '#test/support/electron/started-app.ts'
import { createVault, expectOk, passphrase } from './ledger.ts'

let folder: string
let started: StartedApp[]

beforeAll(build)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-start-'))
  started = []
})
afterEach(async () => {
  await Promise.all(started.map((app) => app.remove()))
  rmSync(folder, { recursive: true, force: true })
})

function start(options: StartOptions = {}): StartedApp {
  const app = startApp({ profile: join(folder, 'profile'), ...options })
  started.push(app)
  return app
}
const isShown = (what: unknown): boolean => what === 'shown'
const logOf = ({ profile }: StartedApp): string => readFileSync(join(profile, 'log', 'main.log'), 'utf8')
const boxes = ({ journal }: StartedApp): unknown[] =>
  journal.filter(({ what }) => what === 'error-box').map(({ detail }) => detail)

test('the app opens its window: nothing before `ready` waits for `ready`', async () => {
  const app = start()
  await app.until('window', isShown)
  expect(await app.ask('window')).toMatchObject({ count: 1, url: 'app://afterword/', title: 'Afterword', isVisible: true })
  expect(await app.call('app.state', {})).toMatchObject({ ok: true, value: { phase: 'first_run', shell: 'electron' } })
})

test('dates follow the region of the system, also where its name is not one that Intl knows', async () => {
  const localeOf = async (systemLocale: string) => {
    const app = start({ systemLocale })
    await app.until('window', isShown)
    const { value } = (await app.call('app.state', {})) as { value?: { system_locale: string } }
    await app.remove()
    return value?.system_locale
  }
  expect(await localeOf('en-GB')).toBe('en-GB')
  expect(await localeOf('de_AT@calendar=gregorian')).toBe('de-AT')
  expect(await localeOf('')).toBe(Intl.DateTimeFormat().resolvedOptions().locale)
})

test('the window’s storage is in the profile', async () => {
  const app = start()
  await app.until('page')
  expect(await app.ask('path', 'userData')).toBe(join(app.profile, 'window'))
  expect(await app.ask('path', 'sessionData')).toBe(join(app.profile, 'window'))
})

test('the window is shown once it has painted', async () => {
  const app = start()
  await app.until('window', (what) => what === 'painted')
  expect(await app.ask('window')).toMatchObject({ isVisible: true })
})

test('a window that never paints is still shown', async () => {
  const app = start({ paints: false })
  await app.until('window', isShown)
})

test('a page that fails to load is loaded once more', async () => {
  const app = start({ failedLoads: [-2] })
  await app.until('page')
  expect(logOf(app)).toContain('window.load-failed')
})

test('a page that fails twice leaves a window that can be closed', async () => {
  const app = start({ failedLoads: [-2, -2], paints: false })
  await app.until('window', isShown)
  expect(app.journal.filter(({ what }) => what === 'page')).toEqual([])
  await app.ask('closeWindow')
  expect(await app.ended).toEqual({ code: 0, signal: null })
})

test('a preload that fails is logged', async () => {
  // Without isolation the preload cannot expose the bridge.
  const app = start({ drop: ['webPreferences.contextIsolation'] })
  await app.until('page')
  expect(logOf(app)).toContain('window.preload-failed')
})

test('a folder that cannot be used ends the start with a sentence', async () => {
  const file = join(folder, 'a file')
  writeFileSync(file, '')
  const app = start({ profile: file })
  expect(await app.ended).toEqual({ code: 1, signal: null })
  expect(boxes(app)).toEqual([{ title: expect.stringMatching(/^Afterword/), content: expect.stringContaining(file) }])
  expect(boxes(app)[0]).not.toMatchObject({ content: expect.stringMatching(/Error|\bat\b .*:\d+/) })
})

test('a folder that cannot hold the window’s storage ends the start with a sentence, and the next start can begin', async () => {
  const blocked = join(folder, 'profile', 'window')
  mkdirSync(join(folder, 'profile'))
  writeFileSync(blocked, '')
  const app = start()
  expect(await app.ended).toEqual({ code: 1, signal: null })
  expect(boxes(app)).toEqual([{ title: expect.any(String), content: expect.stringContaining(app.profile) }])
  rmSync(blocked)
  await start().until('window', isShown)
})

test('a second start shows the first window and ends', async () => {
  const first = start()
  await first.until('window', isShown)
  await first.ask('minimize')
  const second = start()
  expect(await second.ended).toEqual({ code: 0, signal: null })
  expect(await first.ask('window')).toMatchObject({ isMinimized: false, isVisible: true, isFocused: true })
  expect([...boxes(first), ...boxes(second)]).toEqual([])
  expect(second.journal.filter(({ what }) => what === 'window')).toEqual([])
})

test('a second start uses its own session folder', async () => {
  const first = start()
  await first.until('window', isShown)
  const second = start()
  await second.ended
  const path = join(first.profile, 'window', 'second-start')
  expect(second.journal).toContainEqual({ what: 'path', detail: { name: 'sessionData', path } })
})

test('the first start holds Electron’s lock and shows its window for a second start', async () => {
  const app = start()
  await app.until('window', isShown)
  expect(await app.ask('hasInstanceLock')).toBe(true)
  await app.ask('minimize')
  await app.ask('secondInstance')
  expect(await app.ask('window')).toMatchObject({ isMinimized: false })
})

// Windows cannot stop a process.
test.runIf(process.platform !== 'win32')('a second start says so if the first one does not answer', async () => {
  const first = start()
  await first.until('window', isShown)
  process.kill(first.pid, 'SIGSTOP')
  const second = start()
  try {
    expect(await second.ended).toEqual({ code: 1, signal: null })
  } finally {
    process.kill(first.pid, 'SIGCONT')
  }
  expect(boxes(second)).toEqual([{ title: expect.stringContaining('already'), content: expect.stringMatching(/respond/) }])
})

test('two profiles are two apps', async () => {
  const first = start()
  const second = start({ profile: join(folder, 'other') })
  await Promise.all([first, second].map((app) => app.until('window', isShown)))
})

const dangerous = [
  'remote-debugging-port=9222',
  'remote-debugging-pipe',
  'remote-allow-origins=*',
  'proxy-server=elsewhere.example:8080',
  'proxy-pac-url=https://elsewhere.example/pac',
  'load-extension=/tmp',
  'disable-web-security',
  'no-sandbox',
  'js-flags=--expose-gc',
  'use-fake-device-for-media-stream',
  'use-fake-ui-for-media-stream',
  'host-rules=MAP * elsewhere.example',
  'host-resolver-rules=MAP * elsewhere.example',
  'inspect=9229',
]

test.each(dangerous)('the packaged app refuses --%s before it opens anything', async (given) => {
  const app = start({ isPackaged: true, args: [`--${given}`] })
  expect(await app.ended).toEqual({ code: 1, signal: null })
  expect(existsSync(app.profile)).toBe(false)
  expect(app.journal.filter(({ what }) => what === 'window')).toEqual([])
})

test('the packaged app starts with no switch, the unpackaged one with any', async () => {
  await start({ isPackaged: true }).until('window', isShown)
  await start({ profile: join(folder, 'other'), args: ['--remote-debugging-port=0'] }).until('window', isShown)
})

test('the packaged app does not read a passphrase from a file', async () => {
  const first = start()
  await createVault(first)
  await first.kill()
  const file = join(folder, 'passphrase')
  writeFileSync(file, passphrase)
  const environment = { AFTERWORD_PASSPHRASE_FILE: file }
  const packaged = start({ isPackaged: true, environment })
  await packaged.until('page')
  expect(await expectOk(packaged, 'app.state', {})).toMatchObject({ phase: 'locked' })
  await packaged.kill()
  const unpackaged = start({ environment })
  await unpackaged.until('page')
  expect(await expectOk(unpackaged, 'app.state', {})).toMatchObject({ phase: 'ready' })
})
