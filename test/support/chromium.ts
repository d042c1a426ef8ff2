import { type BrowserContext, chromium, type LaunchOptions } from '@playwright/test'
import { findChromium } from './machine.ts'

const quietFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-features=Translate,OptimizationHints,MediaRouter',
]

/** Chromium plays a WAV file as its microphone, over and over, and grants the permission by itself. */
function microphoneFlags(wav: string): string[] {
  return ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${wav}`]
}

export async function launchOptions(microphone?: string): Promise<LaunchOptions> {
  const executablePath = await findChromium()
  if (executablePath === null) throw new Error('no Chromium was found')
  const args = [...quietFlags, ...(microphone === undefined ? [] : microphoneFlags(microphone))]
  // Chromium's sandbox does not work for root; for nobody else is it switched off.
  return { executablePath, headless: true, chromiumSandbox: process.getuid?.() !== 0, args }
}

/** A browser with a profile folder that stays, as a person's window has; closing it is closing the window. */
export async function openBrowser(profile: string, microphone?: string, timezoneId = 'Europe/Prague'): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    ...(await launchOptions(microphone)),
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId,
    acceptDownloads: true,
  })
}

/** Stops every request that does not go to this machine and answers which ones there were. */
export async function refuseNetwork(context: BrowserContext): Promise<readonly string[]> {
  const refused: string[] = []
  await context.route(
    (url) => !isLoopback(url),
    (route) => {
      refused.push(route.request().url())
      return route.abort('internetdisconnected')
    },
  )
  await context.routeWebSocket(
    (url) => !isLoopback(url),
    (socket) => {
      refused.push(socket.url())
      return socket.close()
    },
  )
  return refused
}

function isLoopback(url: URL): boolean {
  // Chromium takes every name under .localhost to this machine without asking a name server.
  return (
    url.hostname === '127.0.0.1' ||
    url.hostname.endsWith('.localhost') ||
    url.protocol === 'data:' ||
    url.protocol === 'blob:' ||
    url.protocol === 'about:'
  )
}
