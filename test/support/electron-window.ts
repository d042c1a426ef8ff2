/**
 * The built renderer in Chromium over the built Electron app: pages and sound come from the app's own protocol handler, and
 * `window.afterword` is the preload's bridge. Chromium knows no app: scheme, so the page has a stand-in https origin.
 */
import type { BrowserContext, Page, Route } from '@playwright/test'
import { attachBytes, detachBytes } from '#contract/bridge/preview-socket.ts'
import type { StartedApp } from './electron/started-app.ts'

export const origin = 'https://afterword.invalid'

/** JSON and the bytes of its Uint8Arrays, in base64: Playwright's bindings carry JSON only. */
interface Packed {
  readonly json: string
  readonly bytes: string
}

const pack = (value: unknown): Packed => {
  const { message, parts } = detachBytes(value)
  return { json: JSON.stringify(message) ?? 'null', bytes: Buffer.concat(parts).toString('base64') }
}
const unpack = ({ json, bytes }: Packed): unknown => attachBytes(JSON.parse(json), new Uint8Array(Buffer.from(bytes, 'base64')))

export interface Served {
  readonly path: string
  readonly status: number
  readonly range: string | undefined
}

/** @returns every request that was served, in order */
export async function showInChromium(context: BrowserContext, app: StartedApp): Promise<readonly Served[]> {
  const served: Served[] = []
  await context.exposeBinding('afterwordCall', async (_source, name: string, input: Packed) => {
    try {
      return { packed: pack(await app.ask('call', name, unpack(input))) }
    } catch (error) {
      return { rejected: (error as Error).message }
    }
  })
  await context.exposeBinding('afterwordMicrophone', () => app.ask('getUserMedia', ['audio']))
  // As text: the page's policy forbids `eval`.
  await context.addInitScript({ content: `(${installBridge.toString()})(${attachBytes.toString()}, ${detachBytes.toString()})` })
  await context.route(`${origin}/**`, (route) => serve(route, app, served))
  return served
}

/** Delivers the app's events to the page, in order, from now on. */
export function deliverEvents(page: Page, app: StartedApp): void {
  let next = app.journal.length
  const deliver = async (): Promise<void> => {
    for (;;) {
      const detail = await app.until('event', undefined, next)
      next = app.journal.findIndex((entry, index) => index >= next && entry.detail === detail) + 1
      const { name, payload } = detail as { name: string; payload: unknown }
      // Between two documents there is no listener, as in Electron.
      await page.evaluate(emitInPage, [name, pack(payload)] as const).catch(() => {})
    }
  }
  void deliver().catch(() => {}) // the app ended
}

async function serve(route: Route, app: StartedApp, served: Served[]): Promise<void> {
  const request = route.request()
  const { pathname } = new URL(request.url())
  const { range } = request.headers()
  const answer = await app.ask('request', {
    url: `app://afterword${pathname}`,
    method: request.method(),
    headers: range === undefined ? {} : { range },
    resourceType: request.resourceType() === 'media' ? 'media' : 'other',
  })
  served.push({ path: pathname, status: answer.status, range })
  await route.fulfill({ status: answer.status, headers: answer.headers, body: Buffer.from(answer.body) })
}

/** Runs in the page before its own scripts. */
function installBridge(attachParts: typeof attachBytes, detachParts: typeof detachBytes): void {
  interface InPage {
    afterwordCall(name: string, input: Packed): Promise<{ packed: Packed } | { rejected: string }>
    afterwordMicrophone(): Promise<string>
    afterwordEmit(name: string, payload: Packed): void
    afterword: unknown
  }
  const page = window as unknown as InPage
  const open = ({ json, bytes }: Packed): unknown =>
    attachParts(
      JSON.parse(json),
      Uint8Array.from(atob(bytes), (letter) => letter.codePointAt(0)!),
    )
  const close = (value: unknown): Packed => {
    const { message, parts } = detachParts(value)
    const bytes = parts.map((part) => Array.from(part, (byte) => String.fromCodePoint(byte)).join('')).join('')
    return { json: JSON.stringify(message), bytes: btoa(bytes) }
  }
  const listeners = new Set<(name: string, payload: unknown) => void>()
  page.afterwordEmit = (name, payload) => {
    const value = open(payload)
    for (const listener of listeners) listener(name, value)
  }
  page.afterword = Object.freeze({
    async call(name: string, input: unknown) {
      const answer = await page.afterwordCall(name, close(input))
      if ('rejected' in answer) throw new Error(answer.rejected)
      return open(answer.packed)
    },
    on(listener: (name: string, payload: unknown) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onConnection: () => () => {},
  })
  // The app decides about the microphone; Chromium's own question is answered by a flag.
  const { mediaDevices } = navigator
  if (mediaDevices === undefined) return
  const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (constraints) => {
    if ((await page.afterwordMicrophone()) !== 'sound') throw new DOMException('Permission denied', 'NotAllowedError')
    return getUserMedia(constraints)
  }
}

function emitInPage([name, payload]: readonly [string, Packed]): void {
  ;(window as unknown as { afterwordEmit(name: string, payload: Packed): void }).afterwordEmit(name, payload)
}
