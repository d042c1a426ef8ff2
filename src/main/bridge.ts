import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import { z } from 'zod'
import type { Answer } from '#contract/bridge/method.ts'
import { errorKind, type Log } from '#base/log.ts'
import type { CoreHost } from '#shell/core-host.ts'
import { appOrigin } from './app-protocol.ts'

const callSchema = z.tuple([z.string().max(100), z.unknown()])
const MAX_INPUT_BYTES = 32 * 1024 * 1024

interface BridgeOptions {
  readonly core: Pick<CoreHost, 'call'>
  readonly calls: ShellCalls
  readonly contents: () => WebContents | null
  readonly log: Log
}

export function serveBridge({ core, calls, contents, log }: BridgeOptions): void {
  ipcMain.handle('afterword:call', async (event, ...parts: unknown[]): Promise<Answer<unknown>> => {
    if (!isMainFrame(event, contents())) throw new Error('a call from a frame that is not the main window')
    const [name, input] = callSchema.parse(parts)
    if (isLargerThan(input, MAX_INPUT_BYTES)) return { ok: false, error: { code: 'too-large' } }
    const toCore = (): Promise<Answer<unknown>> => core.call(name, input)
    const own = Object.hasOwn(calls, name) ? calls[name] : undefined
    try {
      return await (own === undefined ? toCore() : own(input, toCore))
    } catch (error) {
      log.error('bridge.failed', { method: name, kind: errorKind(error) })
      return { ok: false, error: { code: 'internal' } }
    }
  })
}

export function sendEvent(contents: WebContents | null, name: string, payload: unknown): void {
  if (contents !== null && !contents.isDestroyed()) contents.send('afterword:event', name, payload)
}

function isMainFrame({ sender, senderFrame }: IpcMainInvokeEvent, contents: WebContents | null): boolean {
  return (
    contents !== null &&
    sender === contents &&
    senderFrame !== null &&
    senderFrame.parent === null &&
    senderFrame.url.startsWith(`${appOrigin}/`)
  )
}

function isLargerThan(message: unknown, maxBytes: number): boolean {
  let left = maxBytes
  const count = (value: unknown): boolean => {
    if (typeof value === 'string') left -= value.length
    else if (ArrayBuffer.isView(value)) left -= value.byteLength
    else if (typeof value === 'object' && value !== null) {
      left -= 8
      return left < 0 || Object.entries(value).some(([key, part]) => count(key) || count(part))
    } else left -= 8
    return left < 0
  }
  return count(message)
}

export type ShellCall = (input: unknown, core: () => Promise<Answer<unknown>>) => Promise<Answer<unknown>>
export type ShellCalls = Readonly<Record<string, ShellCall>>
