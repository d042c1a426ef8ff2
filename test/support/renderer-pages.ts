import { createServer } from 'node:http'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { staticFiles } from '#shell/static-files.ts'
import { launchOptions } from './chromium.ts'
import type { DemoScene } from './demo-bridge.ts'
import { repository } from './machine.ts'

export interface OpenPage {
  readonly page: Page
  /** Faults and refusals of the content security policy, in the order they came. */
  readonly faults: readonly string[]
}

export interface RendererPages {
  /** Answers when the window shows what it has to show, and no longer that it starts. */
  open(hash: string, scene: DemoScene): Promise<OpenPage>
  close(): Promise<void>
}

/**
 * The renderer as it is built, under the product's own content security policy, on records invented in the page.
 *
 * @param tools scripts that are there before the page's own
 */
export async function rendererPages(...tools: readonly string[]): Promise<RendererPages> {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-pages-'))
  const demo = await asShipped(() => buildAll(folder))
  const serve = staticFiles(folder, [])
  const speech = readFileSync(join(repository, 'test', 'fixtures', 'speech', 'session.ogg'))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname.startsWith('/media/')) {
      response.writeHead(200, { 'content-type': 'audio/ogg' })
      response.end(speech)
      return
    }
    void serve(pathname).then(async (answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = await chromium.launch(await launchOptions())
  return {
    open: await openWindow(browser, origin, [demo, ...tools]),
    async close() {
      await browser.close()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The runner's own NODE_ENV would build a window that knows it is being tested, and lays out its lists otherwise. */
async function asShipped<Built>(work: () => Promise<Built>): Promise<Built> {
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    return await work()
  } finally {
    process.env['NODE_ENV'] = before
  }
}

/** @returns the script that puts the invented records in the page */
async function buildAll(folder: string): Promise<string> {
  const renderer = join(repository, 'src', 'renderer')
  const common = { configFile: false as const, logLevel: 'error' as const }
  await build({
    ...common,
    root: renderer,
    plugins: [react()],
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, assetsInlineLimit: 0 },
  })
  const built = await build({
    ...common,
    root: repository,
    build: {
      write: false,
      lib: { entry: join(repository, 'test', 'support', 'demo-bridge.ts'), formats: ['iife'], name: 'afterwordDemo' },
    },
  })
  const output = Array.isArray(built) ? built[0] : built
  if (output === undefined || !('output' in output)) throw new Error('the demo was not built')
  return output.output[0].code
}

/**
 * One window for all, loaded anew for every scene: a new one costs more than what it shows. Nothing of a scene is left to
 * the next.
 */
async function openWindow(browser: Browser, origin: string, scripts: readonly string[]) {
  const context = await browser.newContext({
    viewport: size,
    locale: 'en-US',
    timezoneId: 'Europe/Prague',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  // Guards against waiting for ever; no page takes this long.
  context.setDefaultTimeout(90_000)
  for (const content of [takeScene, ...scripts]) await context.addInitScript({ content })
  const page = await context.newPage()
  let faults: string[] = []
  let visits = 0
  let shownVisit: string | null = null
  page.on('framenavigated', (frame) => {
    const visit = new URL(frame.url()).searchParams.get('visit')
    // Within one visit it goes from page to page; what the scene before did wrong to its end is not the next one's fault.
    if (frame !== page.mainFrame() || visit === shownVisit) return
    shownVisit = visit
    faults = []
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  return async (hash: string, scene: DemoScene): Promise<OpenPage> => {
    await page.setViewportSize(size)
    await page.emulateMedia({ media: 'screen', colorScheme: 'light', forcedColors: 'none', reducedMotion: 'reduce' })
    // The invented day, on the clock of the page's own time zone.
    await page.clock.setFixedTime('2026-11-24T13:48:00+01:00')
    visits += 1
    // Its own address, or it would not be loaded anew; an empty page in between would cost a process with all it has read.
    await page.goto(`${origin}/?${new URLSearchParams({ scene: JSON.stringify(scene), visit: `${visits}` })}#${hash}`)
    const shown = scene.held === undefined ? 'h1:not(.gate-starting *)' : '#root > *'
    await page.locator(shown).first().waitFor({ state: 'attached' })
    return { page, faults }
  }
}

const size = { width: 1280, height: 800 }
const takeScene = `if (location.protocol === 'http:') {
  window.demo = JSON.parse(new URLSearchParams(location.search).get('scene'))
  if (performance.getEntriesByType('navigation')[0].type !== 'reload') {
    localStorage.clear()
    sessionStorage.clear()
    if (window.demo.language) localStorage.setItem('afterword.language', window.demo.language)
  }
}`
