import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { openBrowser } from '#test/support/chromium.ts'
import { startApp } from '#test/support/electron/started-app.ts'
import { deliverEvents, origin, showInChromium } from '#test/support/electron-window.ts'
import { unmet } from '#test/support/machine.ts'
import { shortDialogue } from './speeches.ts'

test('the window’s part of --self-test: it records from the microphone, plays, seeks, and the app quits with 0', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-self-test-window-'))
  const app = startApp({ isPackaged: true, args: ['--self-test'] })
  const context = await openBrowser(join(folder, 'browser'), shortDialogue.wav)
  try {
    await app.until('page')
    await context.grantPermissions(['microphone'], { origin })
    const served = await showInChromium(context, app)
    const page = context.pages()[0] ?? (await context.newPage())
    deliverEvents(page, app)
    await page.goto(`${origin}/`)
    expect(await app.ended, app.output()).toEqual({ code: 0, signal: null })
    const sound = served.filter(({ path }) => path.startsWith('/media/'))
    expect(sound.length).toBeGreaterThan(0)
    expect(sound.map(({ status }) => status)).toEqual(sound.map(() => 206))
  } finally {
    await context.close()
    await app.remove()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})
