import { readdirSync, readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { seededRandom } from '#test/crash/seeded-random.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { unmet } from '#test/support/machine.ts'
import { type Preview, startPreview } from '#test/support/preview.ts'
import { addClient, bookSession } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { giveConsent, makeRecords, passphrase, recordUntil, savedSeconds } from './therapist.ts'

const isFull = process.env['AFTERWORD_FAULTS'] === 'full'
const browserKills = isFull ? 30 : 2
/** When the next window is opened after one was killed, in milliseconds. */
const moments = isFull ? Array.from({ length: 61 }, (_, index) => index * 50) : [0, 1500]
const coreKills = isFull ? 100 : 3
const client = 'Ottoline Brightwater'

declare global {
  interface Window {
    /** Every other text of the sign in the title bar, and when. */
    said: { after: number; text: string }[]
  }
}

let folder: string
let preview: Preview
let context: BrowserContext
let page: Page

test.beforeEach(async () => {
  const missing = process.platform === 'linux' ? await unmet('browser') : 'its processes are found by /proc'
  test.skip(missing !== null, missing ?? '')
  folder = mkdtempSync(join(tmpdir(), 'afterword-kill-job-'))
  const passphraseFile = join(folder, 'passphrase')
  writeFileSync(passphraseFile, passphrase)
  preview = await startPreview({ profile: join(folder, 'profile'), passphraseFile })
  await openWindow(preview.address)
  await makeRecords(page, 'Robin Kay')
  await addClient(page, client)
  await bookSession(page, client)
  await giveConsent(page)
  await page.getByRole('button', { name: 'Start recording' }).click()
  await recordUntil(page, 1)
})

test.afterEach(async () => {
  await context?.close().catch(() => {}) // it may have been killed
  await preview?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

async function openWindow(address: string): Promise<void> {
  context = await openBrowser(join(folder, 'browser'), shortDialogue.wav)
  page = context.pages()[0] ?? (await context.newPage())
  await page.goto(address)
}

test(`${browserKills} kills of the browser while recording: each next launch names the client and what was saved, and goes on`, async () => {
  const { random, seed } = seededRandom()
  process.stderr.write(`browser kills: ${browserKills}, AFTERWORD_SEED=${seed}\n`)
  for (let kill = 0; kill < browserKills; kill += 1) {
    await page.waitForTimeout(random() * 2000)
    const saved = await savedSeconds(page)
    await killBrowser()
    // A second start of the app answers with an address of the one that runs.
    const again = await startPreview({ profile: join(folder, 'profile') })
    await openWindow(again.address)
    const recovery = page.getByRole('dialog', { name: new RegExp(client) })
    await expect(recovery).toBeVisible()
    await expect(recovery.getByText(/interrupted at \d/)).toBeVisible()
    await recovery.getByRole('button', { name: 'Resume recording' }).click()
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    await recordUntil(page, saved + 1)
  }
  await end()
})

test(`a window opened at ${moments.length} moments after another was killed shows what was cut off, and goes on`, async () => {
  const { origin } = new URL(page.url())
  for (const moment of moments) {
    const saved = await savedSeconds(page)
    // Nothing is asked and nothing handed over, as with a killed window.
    page = await closeFor(page)
    await new Promise((resolve) => setTimeout(resolve, moment))
    await page.goto(origin)
    const recovery = page.getByRole('dialog', { name: new RegExp(client) })
    await expect(recovery, `after ${moment} ms`).toBeVisible()
    await expect(recovery.getByText(/^up to \d+ s$/)).toBeVisible()
    await recovery.getByRole('button', { name: 'Resume recording' }).click()
    await recordUntil(page, saved + 1)
  }
  await end()
})

test('a second window counts the seconds that nobody saves, until it shows what was cut off', async () => {
  const { origin } = new URL(page.url())
  const second = await context.newPage()
  await second.goto(origin)
  const sign = second.locator('.recording-sign')
  await expect(sign).toHaveText(/The microphone is on/)
  await second.evaluate(noteWhatIsSaid)
  await page.close()
  page = second
  await expect(page.getByRole('dialog', { name: new RegExp(client) })).toBeVisible()
  const said = await page.evaluate(() => window.said)
  process.stderr.write(`${said.map(({ after, text }) => `${after} ms: ${text}`).join('\n')}\n`)
  expect(said.map(({ text }) => text).filter((text) => /No sound saved for [23] s/.test(text)).length).toBeGreaterThanOrEqual(2)
  await page.getByRole('button', { name: 'Resume recording' }).click()
  await recordUntil(page, 2)
  await end()
})

test(`${coreKills} kills of the core while recording: the window goes on and not a sound is missing`, async () => {
  const { random, seed } = seededRandom()
  process.stderr.write(`core kills under the app: ${coreKills}, AFTERWORD_SEED=${seed}\n`)
  const before = await savedSeconds(page)
  const began = Date.now()
  for (let kill = 0; kill < coreKills; kill += 1) {
    await page.waitForTimeout(random() * 800)
    const saved = await savedSeconds(page)
    await preview.killCore()
    await recordUntil(page, saved + 1)
  }
  // It goes on meanwhile: what is on the screen is this far behind.
  const ahead = async (): Promise<number> => (await savedSeconds(page)) - before - (Date.now() - began) / 1000
  await expect.poll(ahead).toBeGreaterThanOrEqual(-2)
  await end()
  await page.getByRole('tab', { name: 'Record' }).click()
  await expect(page.getByText(/interruption/i)).toHaveCount(0)
})

/** Runs in the window. */
function noteWhatIsSaid(): void {
  window.said = []
  const began = performance.now()
  const note = (): void => {
    const text = document.querySelector('[role=dialog] h2, .recording-sign')?.textContent ?? ''
    if (window.said.at(-1)?.text !== text) window.said.push({ after: Math.round(performance.now() - began), text })
  }
  note()
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
}

async function end(): Promise<void> {
  await page.getByRole('button', { name: 'End session' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await expect(page.getByRole('tab', { name: 'Transcript', selected: true })).toBeVisible()
}

/** The next one comes first: a browser without a window forgets that it was signed in. */
async function closeFor(dying: Page): Promise<Page> {
  const next = await context.newPage()
  await dying.close()
  return next
}

async function killBrowser(): Promise<void> {
  const gone = context.waitForEvent('close')
  const mark = `--user-data-dir=${join(folder, 'browser')}`
  for (const name of readdirSync('/proc')) if (/^\d+$/.test(name) && commandLine(name).includes(mark)) killQuietly(Number(name))
  await gone
}

function commandLine(processId: string): string {
  try {
    return readFileSync(`/proc/${processId}/cmdline`, 'latin1')
  } catch {
    return '' // it ended in the meantime
  }
}

function killQuietly(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL')
  } catch {
    // It ended with its parent.
  }
}
