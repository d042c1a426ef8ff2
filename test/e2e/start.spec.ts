import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { openBrowser } from '#test/support/chromium.ts'
import { startDisplay } from '#test/support/display.ts'
import { findChromium, unmet } from '#test/support/machine.ts'
import { attach, browserWithDebugger, type NpmStart, npmStart } from '#test/support/npm-start.ts'
import { makeRecords } from './therapist.ts'

let folder = ''
let profile = ''
let browser = ''

test.beforeEach(async () => {
  const notHere = process.platform === 'linux' ? null : 'its window is opened on a display of its own, which Linux has'
  const missing = notHere ?? (await unmet('browser')) ?? (await unmet('display'))
  test.skip(missing !== null, missing ?? '')
  folder = mkdtempSync(join(tmpdir(), 'afterword-start-'))
  profile = join(folder, 'profile')
  browser = browserWithDebugger(folder, (await findChromium()) ?? '')
})

test.afterEach(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

test('npm start opens a window in which a person makes records and sees Today', async () => {
  const display = await startDisplay()
  const started = npmStart({ profile, browser, display: display.name })
  let window: Browser | null = null
  try {
    window = await attach(profile)
    const page = await onlyPage(window)
    await expect(page.getByRole('radio', { name: /On this computer/ })).toBeAttached()
    await makeRecords(page, 'Robin Kay')
    await expect(page.getByRole('link', { name: 'Today', exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('button', { name: 'New appointment' }).first()).toBeVisible()
    // Neither the file that opened the window nor the one-time address can be gone back to.
    expect(await visited(page)).toEqual([page.url()])
    expect(page.url()).not.toContain('token')
    expect(printedBy(started)).toEqual([
      'Electron is not installed, so Afterword opens in a browser.',
      'Afterword is open in its own window. Press Ctrl+C here to quit.',
    ])
    expect(await page.evaluate(() => document.referrer)).toBe('')
  } finally {
    await window?.close()
    await started.interrupt()
    await display.close()
  }
})

test('a second npm start while the first one runs opens another window of the same records, and ends', async () => {
  const display = await startDisplay()
  const started = npmStart({ profile, browser, display: display.name })
  let window: Browser | null = null
  try {
    window = await attach(profile)
    await makeRecords(await onlyPage(window), 'Robin Kay')
    const opened = window.contexts()[0]?.waitForEvent('page')
    const second = npmStart({ profile, browser, display: display.name })
    const page = await opened
    expect(await second.ended).toBe(0)
    await expect(page?.getByRole('link', { name: 'Today', exact: true }) ?? fail()).toHaveAttribute('aria-current', 'page')
  } finally {
    await window?.close()
    await started.interrupt()
    await display.close()
  }
})

test('without a display npm start prints an address that opens the first-run screen', async () => {
  const started = npmStart({ profile, browser, display: null })
  const context = await openBrowser(join(folder, 'browser-profile'))
  try {
    const [address] = await started.waitForLine(/^http:\/\/\S+$/)
    const page = context.pages()[0] ?? (await context.newPage())
    await page.goto(address)
    await expect(page.getByRole('radio', { name: /On this computer/ })).toBeAttached()
  } finally {
    await context.close()
    await started.interrupt()
  }
})

/** Without what npm prints of itself, and without the steps of a first start. */
function printedBy(started: NpmStart): string[] {
  const steps = /^(> |npm warn Unknown|Installing packages|The packages are installed\.|Building Afterword\.|$)/
  return started.lines().filter((line) => !steps.test(line))
}

/** The addresses that Back and Forward lead to, and the current one. */
async function visited(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { entries } = await session.send('Page.getNavigationHistory')
  await session.detach()
  return entries.map((entry) => entry.url)
}

function fail(): never {
  throw new Error('no second window was opened')
}

async function onlyPage(window: Browser): Promise<Page> {
  const context = window.contexts()[0]
  if (context === undefined) throw new Error('the window has no page')
  return context.pages()[0] ?? context.waitForEvent('page')
}
