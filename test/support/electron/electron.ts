/**
 * A stand-in for Electron's main-process module in plain Node. Every member is type-checked against electron.d.ts.
 *
 * To run the built app in a test:
 *
 *     const app = startApp({ platform: 'darwin', isPackaged: true })    // started-app.ts; forks boot.ts
 *     await app.until('window', (what) => what === 'shown')             // waits for a journal entry (journal.ts)
 *     await app.call('app.state', {})                                   // calls the bridge as the page does
 *     await app.ask('power', 'suspend')                                 // all actions: controls.ts
 *     await app.remove()
 *
 * boot.ts resolves `electron` to this module, loads `out/main/index.js`, and emits `ready` after that module has settled.
 * `drop: ['app.on:before-quit']` runs the app without that registration or setting (registrations.ts).
 */
export { app } from './app.ts'
export { StandInWindow as BrowserWindow } from './browser-window.ts'
export { clipboard } from './clipboard.ts'
export { dialog } from './dialog.ts'
export { ipcMain } from './ipc-main.ts'
export { Menu } from './menu.ts'
export { powerMonitor, powerSaveBlocker } from './power.ts'
export { protocol } from './protocol.ts'
export { session } from './session.ts'
export { shell } from './shell.ts'
export { nativeImage, Notification, Tray } from './tray.ts'
export { systemPreferences } from './system-preferences.ts'
export { utilityProcess } from './utility-process.ts'
