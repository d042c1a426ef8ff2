import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { build } from 'vite'
import type { Answer } from '#contract/bridge/method.ts'
import type { MethodInput, MethodName, MethodOutput } from '#contract/bridge/methods.ts'
import type { RecorderState } from '#renderer/recorder/recorder-state.ts'
import type {} from './recorder-page/page.ts'
import { openBrowser } from '#test/support/chromium.ts'

const wav = new URL('../fixtures/speech/session.wav', import.meta.url).pathname

/** A core with recordings only, the recorder's page, and a real browser with speech at its microphone. */
export interface Harness {
  readonly folder: string
  page(): Page
  readonly complaints: string[]
  /** Until it holds of the window's state and its clock, asked every 20 ms. */
  until(holds: (state: RecorderState & At) => boolean): Promise<RecorderState & At>
  call<Name extends MethodName>(name: Name, input: MethodInput<Name>): Promise<MethodOutput<Name>>
  startBrowser(): Promise<void>
  closeBrowser(): Promise<void>
  /** kill -9 of every process of the browser. */
  killBrowser(): Promise<void>
  killCore(): Promise<void>
  startCore(): Promise<void>
  close(): Promise<void>
}

export interface At {
  /** `Date.now()` in the window at the moment of the state. */
  readonly at: number
}

export async function buildPage(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'afterword-page-'))
  const root = new URL('./recorder-page', import.meta.url).pathname
  await build({ root, configFile: false, logLevel: 'error', worker: { format: 'es' }, build: { outDir, emptyOutDir: true } })
  return outDir
}

export async function startHarness(pageFolder: string, microphone = wav): Promise<Harness> {
  const folder = mkdtempSync(join(tmpdir(), 'afterword-recorder-'))
  const complaints: string[] = []
  let port = 0
  let core: ChildProcess
  let context: BrowserContext | null = null
  let page: Page

  async function startCore(): Promise<void> {
    core = fork(new URL('./recorder-server.ts', import.meta.url), [join(folder, 'profile'), pageFolder, String(port)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const [started] = (await once(core, 'message')) as [{ port: number }]
    port = started.port
  }

  async function startBrowser(): Promise<void> {
    context = await openBrowser(join(folder, 'browser'), microphone)
    page = context.pages()[0] ?? (await context.newPage())
    page.on(
      'console',
      (message) =>
        void (message.type() === 'error' && !/WebSocket|ERR_CONNECTION/.test(message.text()) && complaints.push(message.text())),
    )
    page.on('pageerror', (error) => void complaints.push(error.message))
    await page.goto(`http://127.0.0.1:${port}/`)
  }

  async function killCore(): Promise<void> {
    const gone = once(core, 'exit')
    core.kill('SIGKILL')
    await gone
  }

  await startCore()
  await startBrowser()
  return {
    folder,
    complaints,
    page: () => page,
    startCore,
    startBrowser,
    killCore,
    closeBrowser: async () => context?.close(),
    async killBrowser() {
      const gone = context?.waitForEvent('close')
      for (const process_id of processesOf(join(folder, 'browser'))) kill(process_id)
      await gone
    },
    async until(holds) {
      for (;;) {
        const state = await page.evaluate(() => ({ ...window.recorder.getState(), at: Date.now() }))
        if (holds(state)) return state
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async call(name, input) {
      const question = JSON.stringify({ name, input })
      const answer = await page.evaluate((text) => {
        const asked = JSON.parse(text) as { name: MethodName; input: never }
        return window.bridge.call(asked.name, asked.input) as Promise<Answer<unknown>>
      }, question)
      if (!answer.ok) throw new Error(answer.error.code)
      return answer.value as never
    },
    async close() {
      await context?.close().catch(() => {})
      core.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** The processes that were started with this profile folder: ours alone. */
function processesOf(profile: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => commandLine(name).includes(`--user-data-dir=${profile}`))
    .map(Number)
}

function commandLine(processId: string): string {
  try {
    return readFileSync(`/proc/${processId}/cmdline`, 'latin1')
  } catch {
    return '' // it ended in the meantime
  }
}

function kill(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL')
  } catch {
    // It ended with its parent.
  }
}
