/** The Electron stand-in behaves as Electron's documentation and sources say. Each test starts a small app of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { canRunAs } from '#test/support/electron/run-as.ts'
import { startApp, type StartedApp } from '#test/support/electron/started-app.ts'

let folder: string
let app: StartedApp

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-stand-in-'))
})
afterEach(async () => {
  await app.remove()
  rmSync(folder, { recursive: true })
})

/** `say(…)` puts a value into the journal. */
function start(code: string, platform: NodeJS.Platform = process.platform): void {
  const entry = join(folder, 'entry.mjs')
  const imports = "import { app, BrowserWindow, dialog, ipcMain, powerMonitor, protocol, session } from 'electron'"
  writeFileSync(entry, `${imports}\nconst say = (...said) => dialog.showErrorBox('said', JSON.stringify(said))\n${code}`)
  app = startApp({ entry, platform })
}
const said = (): unknown[] =>
  app.journal.filter(({ what }) => what === 'error-box').map(({ detail }) => JSON.parse((detail as { content: string }).content))
const lifecycle = (): unknown[] =>
  app.journal.filter(({ what }) => what === 'app' || what === 'window').map(({ detail }) => detail)
const thrown = `const thrown = (act) => { try { act() } catch (error) { return error.message } return 'nothing' }`

test('an entry module that waits for `ready` never gets it, because `ready` waits for the entry module', async () => {
  start('await app.whenReady()')
  expect(await app.ended).toEqual({ code: 13, signal: null })
  expect(app.output()).toContain('the entry module waits for `ready`')
})

test('quitting asks the app, then each window, and then ends', async () => {
  start(`app.whenReady().then(() => { new BrowserWindow(); app.quit() })`)
  expect(await app.ended).toEqual({ code: 0, signal: null })
  expect(lifecycle()).toEqual(['ready', 'opened', 'before-quit', 'close', 'closed', 'will-quit', 'quit'])
})

test('a window that refuses to close cancels quitting, and quitting can be asked for again', async () => {
  start(`app.whenReady().then(() => {
    let refusals = 1
    new BrowserWindow().on('close', (event) => refusals-- > 0 && event.preventDefault())
    app.quit()
    setTimeout(() => app.quit(), 50)
  })`)
  await app.ended
  expect(lifecycle().slice(2)).toEqual(['before-quit', 'close', 'before-quit', 'close', 'closed', 'will-quit', 'quit'])
})

test('before-quit and will-quit can both be refused', async () => {
  start(`app.whenReady().then(() => {
    app.once('before-quit', (event) => event.preventDefault())
    app.once('will-quit', (event) => event.preventDefault())
    for (let time = 0; time < 3; time += 1) app.quit()
  })`)
  await app.ended
  expect(lifecycle()).toEqual(['ready', 'before-quit', 'before-quit', 'will-quit', 'before-quit', 'will-quit', 'quit'])
})

test('exit closes the windows without asking and ends with its code', async () => {
  start(`app.whenReady().then(() => { new BrowserWindow().on('close', (event) => event.preventDefault()); app.exit(3) })`)
  expect(await app.ended).toEqual({ code: 3, signal: null })
  expect(lifecycle()).toEqual(['ready', 'opened', 'closed', 'quit'])
})

test('the last window’s end quits an app that does not listen for it, and no other', async () => {
  start(`app.whenReady().then(() => new BrowserWindow().close())`)
  expect(await app.ended).toEqual({ code: 0, signal: null })
  await app.remove()
  start(`app.on('window-all-closed', () => say('closed')); app.whenReady().then(() => new BrowserWindow().close())`)
  await app.until('error-box')
  expect(await app.ask('windowCount')).toBe(0)
})

test('a destroyed window throws on every use', async () => {
  start(`${thrown}
  app.on('window-all-closed', () => {})
  app.whenReady().then(() => {
    const window = new BrowserWindow()
    const { webContents } = window
    window.destroy()
    say(window.isDestroyed(), webContents.isDestroyed(), ...[() => window.show(), () => window.webContents, () => window.getTitle(),
      () => webContents.send('x'), () => webContents.reload()].map(thrown))
  })`)
  await app.until('error-box')
  expect(said()).toEqual([[true, true, ...Array.from({ length: 5 }, () => 'Object has been destroyed')]])
})

test('what must come before `ready` or after it throws at the wrong time', async () => {
  start(`${thrown}
  const early = [() => new BrowserWindow(), () => protocol.handle('app', () => new Response()), () => session.defaultSession].map(thrown)
  app.whenReady().then(() => say(early, [() => protocol.registerSchemesAsPrivileged([]), () => app.enableSandbox(),
    () => app.setPath('nothing', '/tmp'), () => app.setPath('userData', '/no/such/folder')].map(thrown)))`)
  await app.until('error-box')
  const [[early, late]] = said() as [[string[], string[]]]
  expect([...early, ...late]).not.toContain('nothing')
})

test('an error in a listener is shown in Electron’s own dialog and ends nothing; a rejection nobody handles is a warning', async () => {
  start(`app.whenReady().then(() => { void Promise.reject(new Error('unhandled')); throw new Error('also unhandled') })
  app.on('ready', () => { throw new Error('in a listener') })`)
  await expect(app.until('error-box')).rejects.toThrow('in a listener')
  expect(await app.ask('windowCount')).toBe(0)
})

test.runIf(canRunAs('linux'))('an event that a platform does not have never comes there', async () => {
  start('', 'linux')
  await app.until('app')
  await expect(app.ask('power', 'lock-screen')).rejects.toThrow('linux has no event lock-screen')
  await app.remove()
  start('', 'win32')
  await app.until('app')
  await expect(app.ask('power', 'shutdown')).rejects.toThrow('win32 has no event shutdown')
  await expect(app.ask('activate', false)).rejects.toThrow('win32 has no event activate')
})

test('a second process with the same user data does not get the lock, and the first hears of it', async () => {
  const code = `app.setPath('userData', ${JSON.stringify(folder)})
  const isFirst = app.requestSingleInstanceLock({ note: 'hello' })
  app.on('second-instance', (_event, _argv, _folder, data) => say('second', data))
  app.whenReady().then(() => say(isFirst))`
  start(code)
  await app.until('error-box')
  const first = app
  start(code)
  await app.until('error-box')
  expect(said()).toEqual([[false]])
  await app.remove()
  app = first
  await app.until('error-box', (detail) => (detail as { content: string }).content.includes('second'))
  expect(said()).toEqual([[true], ['second', { note: 'hello' }]])
})

test('a call to main crosses as copies, and of an error only its text comes back', async () => {
  const preload = join(folder, 'preload.cjs')
  writeFileSync(
    preload,
    `const { contextBridge, ipcRenderer } = require('electron')
    contextBridge.exposeInMainWorld('afterword', { on: () => {}, call: (name, input) => ipcRenderer.invoke(name, input) })`,
  )
  start(`protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true } }])
  ipcMain.handle('type', (event, input) => [event.senderFrame.origin, input.constructor.name, input.length])
  ipcMain.handle('refuse', () => { throw new TypeError('refused') })
  ipcMain.handle('uncloneable', () => () => {})
  app.whenReady().then(() => {
    protocol.handle('app', () => new Response('<!doctype html>'))
    new BrowserWindow({ webPreferences: { preload: ${JSON.stringify(preload)} } }).loadURL('app://here/')
  })`)
  await app.until('page')
  expect(await app.ask('call', 'type', Buffer.from('bytes'))).toEqual(['app://here', 'Uint8Array', 5])
  await expect(app.ask('call', 'refuse', null)).rejects.toThrow("Error invoking remote method 'refuse': TypeError: refused")
  await expect(app.ask('call', 'uncloneable', null)).rejects.toThrow("Error invoking remote method 'uncloneable'")
  await expect(app.ask('call', 'nothing', null)).rejects.toThrow("No handler registered for 'nothing'")
})
