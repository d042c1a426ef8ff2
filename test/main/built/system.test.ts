/** The system around the app: screen lock, sleep, log-off, other processes, and a window that crashes or hangs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { build } from '#test/support/built-app.ts'
import { canRunAs } from '#test/support/electron/run-as.ts'
import { startApp, type StartedApp, type StartOptions } from '#test/support/electron/started-app.ts'
import { blockCore, createVault, expectOk, Ledger, passphrase } from './ledger.ts'

/** Windows has no pipes that are files. */
const hasPipes = process.platform !== 'win32'

const app = (): StartedApp => started!
let started: StartedApp | undefined

beforeAll(build)
afterEach(() => started?.remove())

async function start(options: StartOptions = {}): Promise<StartedApp> {
  started = startApp(options)
  await started.until('window', (what) => what === 'shown')
  void handOver(started).catch(() => {}) // the app may never close
  return started
}
async function handOver(page: StartedApp): Promise<void> {
  await page.event('app.closing')
  await page.call('app.handedOver', {})
}
const locked = (): Promise<unknown> => app().event('app.changed', ({ phase }) => phase === 'locked')
const count = (what: string): number => app().journal.filter((entry) => entry.what === what).length
const log = (): string => readFileSync(join(app().profile, 'log', 'main.log'), 'utf8')
const ended = { code: 0, signal: null }

describe('the records lock', () => {
  test.each((['darwin', 'win32'] as const).filter(canRunAs))('%s: with the screen', async (platform) => {
    await start({ platform })
    await createVault(app())
    await app().ask('power', 'lock-screen')
    await locked()
  })

  test.runIf(canRunAs('linux'))('linux: with the screen, whose state is polled', async () => {
    await start({ platform: 'linux' })
    await createVault(app())
    await app().ask('setIdleState', 'locked')
    await locked()
    await expectOk(app(), 'vault.unlock', { passphrase })
  })

  test.each((['linux', 'darwin', 'win32'] as const).filter(canRunAs))('%s: when the computer sleeps', async (platform) => {
    await start({ platform })
    await createVault(app())
    await app().ask('power', 'suspend')
    await locked()
    await app().ask('power', 'resume')
    await app().event('app.resumed')
  })
})

describe('sleep', () => {
  const blockers = [
    ['linux', 'prevent-app-suspension'],
    ['darwin', 'prevent-app-suspension'],
    ['win32', 'prevent-display-sleep'],
  ] as const
  test.each(blockers.filter(([platform]) => canRunAs(platform)))(
    '%s: is prevented while a recording runs, and only then',
    async (platform, blocker) => {
      await start({ platform })
      const ledger = await Ledger.start(app())
      expect(await app().ask('blockers')).toEqual([blocker])
      await expectOk(app(), 'recordings.pause', { recording_id: ledger.recordingId })
      expect(await app().ask('blockers')).toEqual([])
      await expectOk(app(), 'recordings.resume', { recording_id: ledger.recordingId })
      expect(await app().ask('blockers')).toEqual([blocker])
      await ledger.appendMany(1)
      await ledger.finish()
      expect(await app().ask('blockers')).toEqual([])
    },
  )
})

describe('quitting', () => {
  test.each(['quit', 'closeWindow'] as const)('%s: asks nothing while nothing is recorded', async (way) => {
    await start()
    await createVault(app())
    await app().ask(way)
    expect(await app().ended).toEqual(ended)
    expect(count('message-box')).toBe(0)
    expect(
      app()
        .journal.filter(({ what }) => what === 'app')
        .map(({ detail }) => detail)
        .slice(-2),
    ).toEqual(['will-quit', 'quit'])
  })

  test('shows one question, however often the person quits', async () => {
    await start()
    const ledger = await Ledger.start(app())
    await app().ask('quit')
    await app().until('message-box')
    await app().ask('closeWindow')
    await app().ask('quit')
    expect(count('message-box')).toBe(1)
    expect((await app().ask('boxes'))[0]).toMatchObject({
      buttons: ['Keep recording', 'Finish and quit'],
      cancelId: 0,
      defaultId: 0,
    })
    await app().ask('dismissBox')
    await ledger.appendMany(2)
    expect(await app().ask('windowCount')).toBe(1)
    await ledger.finish()
  })

  test('shows the question for a paused recording too', async () => {
    await start()
    const ledger = await Ledger.start(app())
    await ledger.appendMany(2)
    await expectOk(app(), 'recordings.pause', { recording_id: ledger.recordingId })
    await app().ask('quit')
    await app().until('message-box')
  })

  test('the question still appears after the window was destroyed', async () => {
    await start()
    await Ledger.start(app())
    await app().ask('destroyWindow')
    expect(await app().until('message-box')).toMatchObject({ hasParent: false })
    await app().ask('answerBox', 'Finish and quit')
    expect(await app().ended).toEqual(ended)
  })

  test.runIf(canRunAs('linux'))('a shutdown closes the open question and finishes', async () => {
    await start({ platform: 'linux' })
    const ledger = await Ledger.start(app())
    await ledger.appendMany(1)
    await app().ask('quit')
    await app().until('message-box')
    expect(await app().ask('power', 'shutdown')).toBe(true)
    expect(await app().ended).toEqual(ended)
  })

  test.runIf(hasPipes)('a second quit while the app closes ends it at once', async () => {
    await start()
    await createVault(app())
    await blockCore(app())
    let isEnded = false
    void app().ended.then(() => (isEnded = true))
    await app().ask('quit')
    await app().event('app.closing')
    void app()
      .call('app.handedOver', {})
      .catch(() => {})
    while (!isEnded)
      await app()
        .ask('quit')
        .catch(() => {})
    expect(app().journal.at(-1)).toEqual({ what: 'app', detail: 'quit' })
    expect(log()).not.toMatch(/too-long|late/)
  })

  test.runIf(hasPipes)('the app ends although a thread of the core hangs', async () => {
    await start()
    await createVault(app())
    await blockCore(app())
    await app().ask('quit')
    await app().ended
    expect(app().journal.at(-1)).toEqual({ what: 'app', detail: 'quit' })
  })

  test.runIf(canRunAs('darwin'))('macOS: a click on the app’s icon shows the hidden window', async () => {
    await start({ platform: 'darwin' })
    await app().ask('hide')
    await app().ask('activate', false)
    expect(await app().ask('window')).toMatchObject({ isVisible: true })
  })

  test.runIf(canRunAs('win32'))('win32: a log-off waits until edits are saved, also with nothing recorded', async () => {
    await start({ platform: 'win32' })
    const from = app().journal.length
    expect(await app().ask('querySessionEnd', ['logoff'])).toBe(true)
    await app().event('app.closing', undefined, from)
    expectOk(app(), 'app.handedOver', {}).catch(() => {})
    expect(await app().ended).toEqual(ended)
  })
})

describe('a window', () => {
  test('that crashes is reloaded at most three times a minute; then a box appears and the recording stays open', async () => {
    await start()
    const ledger = await Ledger.start(app())
    for (let crash = 0; crash < 3; crash += 1) {
      const from = app().journal.length
      await app().ask('crash')
      await app().until('page', undefined, from)
    }
    await ledger.attach('reload')
    await ledger.appendMany(5)
    await app().ask('crash')
    await app().until('message-box', (detail) => JSON.stringify(detail).includes('Try again'))
    expect(count('page')).toBe(4)
    const from = app().journal.length
    await app().ask('answerBox', 'Try again')
    await app().until('page', undefined, from)
    await ledger.attach('reload')
    await ledger.appendMany(5)
  })

  test('that crashes is logged with its reason', async () => {
    await start()
    const from = app().journal.length
    await app().ask('crash', 'oom')
    await app().until('page', undefined, from)
    expect(log()).toMatch(/window\.gone.*oom/)
  })

  test('keeps its session storage over a crash, so its recorder finds the recording', async () => {
    await start()
    await app().ask('storage', 'window', 'window-one')
    const from = app().journal.length
    await app().ask('crash')
    await app().until('page', undefined, from)
    expect(await app().ask('storage', 'window')).toBe('window-one')
  })

  test('that hangs gets a dialog to reload it, which closes if the window recovers', async () => {
    await start()
    await app().ask('hang')
    await app().until('message-box')
    await app().ask('recover')
    expect(await app().ask('boxes')).toEqual([])
    const from = app().journal.length
    await app().ask('hang')
    await app().until('message-box', undefined, from)
    await app().ask('answerBox', 'Reload window')
    await app().until('page', undefined, from)
  })

  test('a GPU process that crashes is logged', async () => {
    await start()
    await app().ask('processGone', 'GPU', 'crashed')
    expect(log()).toMatch(/process\.gone.*GPU/)
  })
})

describe('privacy of the screen', () => {
  test.each([
    ['copied text leaves the clipboard', 'a note', 1],
    ['text that was copied elsewhere stays', 'something else', 0],
  ])('when the app quits, %s', async (_name, onClipboard, cleared) => {
    await start()
    await createVault(app())
    await app().ask('writeClipboard', 'a note')
    await expectOk(app(), 'app.copied', {})
    await app().ask('writeClipboard', onClipboard)
    await app().ask('quit')
    await app().ended
    expect(count('clipboard')).toBe(cleared)
  })

  test('the window is hidden from screen captures where the setting says so', async () => {
    await start()
    await createVault(app())
    await app().until('content-protection')
    const { hide_from_capture } = await expectOk(app(), 'settings.get', {})
    const from = app().journal.length
    await expectOk(app(), 'settings.update', { hide_from_capture: !hide_from_capture })
    expect(await app().until('content-protection', undefined, from)).toBe(!hide_from_capture)
  })
})
