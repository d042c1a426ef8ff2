import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { openBrowser } from '#test/support/chromium.ts'
import { unmet } from '#test/support/machine.ts'
import { startPreview } from '#test/support/preview.ts'
import { startScriptedSpeech } from '#test/support/speech-server-scripted.ts'
import { addClient, bookSession, chooseSpeechServer, openLastSession } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { makeRecords, sign, unlock, watchFaults } from './therapist.ts'

const client = 'Ottoline Brightwater'
const answer = (text: string) => ({
  status: 200,
  body: JSON.stringify({
    task: 'transcribe',
    language: 'english',
    duration: 2,
    text,
    segments: [{ id: 0, start: 0, end: 2, text, avg_logprob: -0.2, no_speech_prob: 0.01, compression_ratio: 1 }],
  }),
})

const field = (page: Page, section: string) => page.getByRole('textbox', { name: `${section}, your own words` })
const spoken = (page: Page, seconds: number) =>
  expect
    .poll(async () => Number((await page.locator('.dictating .tabular').innerText()).slice(-2)), { timeout: 30_000 })
    .toBeGreaterThanOrEqual(seconds)

test('words are dictated into a section, and a dictation that a lock or a kill cut off is found again at its note', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-dictation-'))
  const profile = join(folder, 'profile')
  const speech = await startScriptedSpeech([answer(' See her in a week.'), answer(' Sleep diary filled in.')])
  let preview = await startPreview({ profile })
  let context: BrowserContext = await openBrowser(join(folder, 'browser'), shortDialogue.wav)
  const sounds = () => readdirSync(join(profile, 'dictations'))
  const toNote = async (page: Page): Promise<void> => {
    await openLastSession(page, client)
    await page.getByRole('tab', { name: 'Note' }).press('Enter')
  }
  try {
    let page = context.pages()[0] ?? (await context.newPage())
    let faults = watchFaults(context)
    await page.goto(preview.address)
    await makeRecords(page, 'Robin Kay')
    await addClient(page, client)
    await bookSession(page, client)
    await page.getByRole('tab', { name: 'Note' }).click()
    await page.getByRole('button', { name: 'Type the note' }).click()
    await page.getByRole('region', { name: 'Plan' }).getByRole('button', { name: 'Dictate' }).click()
    await expect(page.getByText('Dictation needs transcription on this computer')).toBeVisible()
    await chooseSpeechServer(page, speech.address)
    await toNote(page)

    await field(page, 'Plan').fill('Stay with the plan.')
    await page.keyboard.press('Control+d')
    await expect(page.getByText('Dictating. The microphone is on.').first()).toBeVisible()
    await spoken(page, 2)
    expect(sounds()).toHaveLength(1)
    await expect(field(page, 'Plan')).toBeFocused()
    await page.keyboard.press('Control+d')
    await expect(field(page, 'Plan')).toHaveValue('Stay with the plan. See her in a week.')
    await expect(page.getByText('The words were added. The sound was deleted.')).toBeVisible()
    expect(sounds()).toEqual([])

    await page.getByRole('region', { name: 'Assessment' }).getByRole('button', { name: 'Dictate' }).click()
    await spoken(page, 1)
    await page.keyboard.press('Control+l')
    await unlock(page)
    await toNote(page)
    await page.getByRole('region', { name: 'Assessment' }).getByRole('button', { name: 'Delete', exact: true }).click()
    await expect.poll(sounds).toEqual([])

    await page.getByRole('region', { name: 'Objective' }).getByRole('button', { name: 'Dictate' }).click()
    await spoken(page, 2)
    expect(faults).toEqual([])
    await context.close()
    await preview.kill()

    preview = await startPreview({ profile })
    context = await openBrowser(join(folder, 'browser'), shortDialogue.wav)
    faults = watchFaults(context)
    page = context.pages()[0] ?? (await context.newPage())
    await page.goto(preview.address)
    await unlock(page)
    await toNote(page)
    await expect(page.getByText(/^A dictation of [2-9] s was not transcribed\.$/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign note' })).toBeDisabled()
    await page.getByRole('button', { name: 'Transcribe', exact: true }).click()
    await expect(field(page, 'Objective')).toHaveValue('Sleep diary filled in.')
    await expect(page.locator('.sign-saved')).toHaveText('Saved')
    await expect(page.getByRole('button', { name: 'Sign note' })).toBeEnabled()
    expect(sounds()).toEqual([])
    await sign(page)
    await expect(page.getByText('Sleep diary filled in.')).toBeVisible()
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await expect(page.getByText('Nothing was recorded in this session.')).toBeVisible()
    expect(faults).toEqual([])
  } finally {
    await context.close().catch(() => {}) // it may be closed already
    await preview.close()
    await speech.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})
