/** The menu bar, the tray icon and notifications: what they offer, what they say, and what they do under the lock. */
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { build } from '#test/support/built-app.ts'
import { canRunAs } from '#test/support/electron/run-as.ts'
import { startApp, type StartedApp, type StartOptions } from '#test/support/electron/started-app.ts'
import { addSession, createVault, expectOk, Ledger, passphrase } from './ledger.ts'

const app = (): StartedApp => started!
let started: StartedApp | undefined

beforeAll(build)
afterEach(() => started?.remove())

async function start(options: StartOptions = {}): Promise<void> {
  started = startApp(options)
  await started.until('window', (what) => what === 'shown')
}

const platforms = (['linux', 'darwin', 'win32'] as const).filter(canRunAs)
const dialogue = `Therapist: How did you sleep?
Client: I woke up at three, and my chest was tight.
Therapist: Let us keep the breathing every evening.`

/** Imports a transcript of a session and has its note drafted; answers once the draft is stored. */
async function draft(): Promise<void> {
  const session_id = await addSession(app())
  const content = new TextEncoder().encode(dialogue)
  await expectOk(app(), 'transcripts.import', { session_id, file_name: 'session.txt', content })
  const from = app().journal.length
  await expectOk(app(), 'notes.draft', { session_id, template: 'soap' })
  await app().event('work.finished', ({ kind }) => kind === 'draft', from)
}
const notifications = (): unknown[] =>
  app()
    .journal.filter(({ what }) => what === 'notification')
    .map(({ detail }) => detail)

describe('the menu bar', () => {
  test.each(platforms)('%s: offers the commands of the app, and none of them while the records are locked', async (platform) => {
    await start({ platform })
    const commands = [
      'File > New appointment (CmdOrCtrl+N)',
      'File > New client (CmdOrCtrl+Shift+N)',
      'File > Search (CmdOrCtrl+K)',
      'View > Today (CmdOrCtrl+1)',
      'View > Clients (CmdOrCtrl+2)',
      'View > Calendar (CmdOrCtrl+3)',
      'View > Reports (CmdOrCtrl+4)',
      `${platform === 'darwin' ? 'Afterword' : 'File'} > Settings (CmdOrCtrl+,)`,
      `${platform === 'darwin' ? 'Afterword' : 'File'} > Lock (CmdOrCtrl+L)`,
      'Help > Keyboard shortcuts',
    ]
    const offered = async (): Promise<string[]> => (await app().ask('menuBar')).filter((item) => / > [A-Z]/.test(item)).toSorted()
    const off = commands.map((command) => `${command}, off`).toSorted()
    expect(await offered()).toEqual(off)
    await createVault(app())
    expect(await offered()).toEqual(commands.toSorted())
    await expectOk(app(), 'vault.lock', {})
    expect(await offered()).toEqual(off)
    await expect(app().ask('chooseInMenu', 'New appointment')).rejects.toThrow('no New appointment')
  })

  test('a command shows the window and reaches the page; Lock saves edits first', async () => {
    await start()
    await createVault(app())
    await app().ask('hide')
    await app().ask('chooseInMenu', 'New appointment')
    expect(await app().event('app.command')).toEqual({ command: 'appointment' })
    expect(await app().ask('window')).toMatchObject({ isVisible: true })
    await app().ask('chooseInMenu', 'Lock')
    await app().event('app.locking')
    await app().call('app.handedOver', { before: 'locking' })
    await app().event('app.changed', (state) => state.phase === 'locked')
  })
})

describe('the tray icon', () => {
  test.each(platforms)('%s: says only whether a recording runs, also under the lock', async (platform) => {
    await start({ platform })
    const idle = { toolTip: 'Not recording', color: '0', isTemplate: platform === 'darwin' }
    const running = { toolTip: 'Recording', color: 'ffa8322b', isTemplate: false }
    const items = (state: string, lock: string): string[] => [`${state}, off`, 'Open Afterword', lock, 'quit']
    expect(await app().ask('tray')).toEqual({ ...idle, items: items('Not recording', 'Lock, off') })
    const ledger = await Ledger.start(app())
    expect(await app().ask('tray')).toEqual({ ...running, items: items('Recording', 'Lock') })
    await expectOk(app(), 'recordings.pause', { recording_id: ledger.recordingId })
    expect(await app().ask('tray')).toMatchObject(idle)
    await expectOk(app(), 'recordings.resume', { recording_id: ledger.recordingId })
    await expectOk(app(), 'vault.lock', {})
    expect(await app().ask('tray')).toEqual({ ...running, items: items('Recording', 'Lock, off') })
    await expectOk(app(), 'vault.unlock', { passphrase })
    await ledger.appendMany(1)
    await ledger.finish()
    expect(await app().ask('tray')).toMatchObject(idle)
  })

  test('opens the window', async () => {
    await start({ platform: 'linux' })
    for (const open of [() => app().ask('clickTray'), () => app().ask('chooseInTray', 'Open Afterword')]) {
      await app().ask('hide')
      await open()
      expect(await app().ask('window')).toMatchObject({ isVisible: true })
    }
  })
})

describe('notifications', () => {
  test('a draft that is ready while another app is in front is told without a name, and a click shows the window', async () => {
    await start()
    await createVault(app())
    await app().ask('hide')
    await draft()
    await app().until('notification')
    expect(notifications()).toEqual([{ title: 'Afterword', body: 'A draft is ready.' }])
    await app().ask('clickNotification')
    expect(await app().ask('window')).toMatchObject({ isVisible: true })
  })

  test('nothing is told in front of the person, or when the setting is off', async () => {
    await start()
    await createVault(app())
    await draft()
    await app().ask('hide')
    await expectOk(app(), 'settings.update', { notify_when_ready: false })
    await draft()
    expect(notifications()).toEqual([])
  })

  test.runIf(canRunAs('win32'))('win32: come from the app’s own shortcut', async () => {
    await start({ platform: 'win32' })
    await app().until('app-user-model-id', (id) => id === 'org.afterword.desktop')
  })
})
