import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { findHeaders, findWords } from '#test/support/canary.ts'
import { startDisplay } from '#test/support/display.ts'
import { findChromium, unmet } from '#test/support/machine.ts'
import { attach, browserWithDebugger, npmStart } from '#test/support/npm-start.ts'
import { startSpeechServer } from '#test/support/speech-server.ts'
import { doMainJob, openWindow, typed } from './main-job.ts'
import { shortDialogue } from './speeches.ts'
import { makeRecords, passphrase } from './therapist.ts'

const controlWords = 'unprotected control words'

/**
 * Adds a field that Chromium saves to the same document. Chromium saves the fields of a document together, so that once
 * these words are on the disk, the words of every other field that it saves are there too.
 */
async function untilSaved(page: Page, browserFolder: string): Promise<void> {
  const words = `${controlWords} ${crypto.randomUUID()}`
  const control = await page.evaluateHandle((text) => {
    const field = document.createElement('textarea')
    document.body.append(field)
    field.value = text
    return field
  }, words)
  await expect.poll(() => findWords(browserFolder, [words]), { timeout: 60_000 }).not.toEqual([])
  await control.evaluate((field) => field.remove())
}

test('after the main job no file holds a name, a word or a sound in the open', async () => {
  const missing = (await unmet('browser')) ?? (await unmet('recogniser'))
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-canary-job-'))
  const speech = await startSpeechServer()
  const job = {
    profile: join(folder, 'profile'),
    browserProfile: join(folder, 'browser'),
    ...shortDialogue.sound(folder),
    speechAddress: speech.address,
    client: 'Quillon Ferreira-Ždánská',
    beforeKeeping: (page: Page) => untilSaved(page, join(folder, 'browser')),
  }
  try {
    const window = await openWindow(job)
    let turns: readonly string[] = []
    try {
      turns = (await doMainJob(window.page, job)).turns
    } finally {
      // Whatever a crash leaves behind is looked at too: write-ahead logs, half-written files, the browser's own leftovers.
      await window.preview.kill()
      await window.context.close()
    }

    const words = [job.client, 'Quillon', 'Ferreira', passphrase, ...Object.values(typed), ...phrasesOf(turns)]
    // The recogniser's scratch folder and the exported files are outside of both folders, and are the only exceptions.
    expect(findWords(job.profile, words)).toEqual([])
    expect(findHeaders(job.profile)).toEqual([])
    expect(findWords(job.browserProfile, words)).toEqual([])
    expect(window.preview.output()).not.toContain('Quillon')
  } finally {
    await speech.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** The same of a page that is not private, in the same browser: Chromium has then written its session files. */
async function untilOrdinaryPageIsSaved(window: Browser, browserFolder: string): Promise<void> {
  const session = await window.newBrowserCDPSession()
  const words = controlWords.split(' ').map((word) => `'${word}'`)
  // The words as a whole are in the field alone, not in the address.
  const page = `<textarea></textarea><script>document.querySelector('textarea').value=[${words.join()}].join(' ')</script>`
  const { targetId } = await session.send('Target.createTarget', { url: `data:text/html,${page}` })
  await expect.poll(() => findWords(browserFolder, [controlWords])).not.toEqual([])
  await session.send('Target.closeTarget', { targetId })
  await session.detach()
}

test('the app’s own window leaves nothing in its browser folder, which is gone when the app ends', async () => {
  const notHere = process.platform === 'linux' ? null : 'its window is opened on a display of its own, which Linux has'
  const missing = notHere ?? (await unmet('browser')) ?? (await unmet('display'))
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-canary-window-'))
  const profile = join(folder, 'profile')
  const browserFolder = join(profile, 'preview-browser')
  const leftBehind = join(browserFolder, 'Default', 'Sessions', 'Session_1')
  mkdirSync(dirname(leftBehind), { recursive: true })
  writeFileSync(leftBehind, 'left behind by an earlier browser')
  const display = await startDisplay()
  const browser = browserWithDebugger(folder, (await findChromium()) ?? '')
  const started = npmStart({ profile, browser, display: display.name })
  try {
    const window = await attach(profile)
    expect(existsSync(leftBehind)).toBe(false)
    const context = window.contexts()[0]!
    const page = context.pages()[0] ?? (await context.waitForEvent('page'))
    await makeRecords(page, 'Robin Kay')
    await page.getByRole('link', { name: 'Clients' }).click()
    await page.getByRole('button', { name: 'Add client' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).pressSequentially('Quillon Ferreira', { delay: 50 })
    await untilOrdinaryPageIsSaved(window, browserFolder)
    expect(findWords(browserFolder, ['Quillon', 'Ferreira', 'Robin Kay', passphrase])).toEqual([])
    await window.close()
    await started.interrupt()
    // npm may end before the app does.
    await expect.poll(() => existsSync(browserFolder)).toBe(false)
  } finally {
    await started.interrupt()
    await display.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Runs of four words, long enough not to stand in a browser's own files by chance. */
function phrasesOf(turns: readonly string[]): string[] {
  return turns.flatMap((turn) => {
    const words = turn.split(/\s+/)
    return words.length < 4 ? [] : [words.slice(0, 4).join(' '), words.slice(-4).join(' ')]
  })
}
