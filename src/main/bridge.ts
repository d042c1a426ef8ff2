import { BrowserWindow, ipcMain, type IpcMainInvokeEvent } from 'electron'
import { z } from 'zod'
import type { CoreHost } from '#shell/core-host.ts'
import { appOrigin } from './places.ts'

const callSchema = z.tuple([z.string().max(100), z.unknown()])

/** The one channel in: name and input. What it may hold is the contract's business, parsed in the core. */
export function serveBridge(host: CoreHost): void {
  ipcMain.handle('afterword:call', (event, ...parts: unknown[]) => {
    if (!isOurWindow(event)) throw new Error('a call from a frame that is not ours')
    const [name, input] = callSchema.parse(parts)
    return host.call(name, input)
  })
}

/** The one channel out: facts the core broadcasts. */
export function broadcast(name: string, payload: unknown): void {
  for (const window of BrowserWindow.getAllWindows()) {
    if (!window.isDestroyed()) window.webContents.send('afterword:event', name, payload)
  }
}

function isOurWindow(event: IpcMainInvokeEvent): boolean {
  const frame = event.senderFrame
  return frame !== null && frame.parent === null && frame.url.startsWith(`${appOrigin}/`)
}
