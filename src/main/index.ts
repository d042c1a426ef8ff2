/** Electron: one core, one window, one channel. What the app does is in the core and the renderer. */
import { app, type BrowserWindow } from 'electron'
import { startCore } from '#shell/core-host.ts'
import { profileFolder } from '#shell/profile-folder.ts'
import { lockProfile } from '#shell/profile-lock.ts'
import { declareProtocol, serveProtocol } from './app-protocol.ts'
import { broadcast, serveBridge } from './bridge.ts'
import { utilityEngines } from './engines.ts'
import { resourcesFolder } from './places.ts'
import { lockWithSystem, stayAwakeWhileRecording } from './power.ts'
import { restrictEverything } from './security.ts'
import { openWindow, showWindow } from './window.ts'

let window: BrowserWindow | null = null

declareProtocol()
restrictEverything()

const folder = await profileFolder()
// The window's own cache and storage lie beside the records; what it stores holds nothing clinical.
app.setPath('userData', `${folder}/window`)
const lock = await lockProfile(folder, () => {
  if (window !== null) showWindow(window)
  return ''
})

if ('answered' in lock) {
  app.quit()
} else {
  const followRecording = stayAwakeWhileRecording()
  await app.whenReady()
  const host = await startCore({
    folder,
    resources: resourcesFolder,
    shell: 'electron',
    app_version: app.getVersion(),
    startLocked: false,
    passphraseFile: process.env['AFTERWORD_PASSPHRASE_FILE'],
    engines: utilityEngines(),
    onEvent: (name, payload) => {
      followRecording(name, payload)
      broadcast(name, payload)
    },
  })
  serveProtocol(host)
  serveBridge(host)
  lockWithSystem(host)
  window = openWindow()

  let isClosed = false
  app.on('window-all-closed', () => app.quit())
  app.on('before-quit', (event) => {
    if (isClosed) return
    event.preventDefault()
    void host.close().finally(() => {
      isClosed = true
      app.quit()
    })
  })
}
