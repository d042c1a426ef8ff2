import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { openBrowser, refuseNetwork } from '#test/support/chromium.ts'
import { startApp } from '#test/support/electron/started-app.ts'
import { deliverEvents, origin, showInChromium } from '#test/support/electron-window.ts'
import { unmet } from '#test/support/machine.ts'
import { type SpeechServer, startSpeechServer } from '#test/support/speech-server.ts'
import { wavSeconds } from '#test/support/wav.ts'
import { addClient, bookSession, openLastSession, setSpeechService } from './office.ts'
import { shortDialogue } from './speeches.ts'
import * as therapist from './therapist.ts'

const client = 'Ottoline Brightwater'
const sentence = 'Client brought the filled diary along on quarto paper.'

test('the main job over Electron’s bridge: record, reload, transcribe, sign, play and seek, lock', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const canTranscribe = (await unmet('recogniser')) === null
  const folder = mkdtempSync(join(tmpdir(), 'afterword-electron-'))
  const { wav } = shortDialogue.sound(folder)
  let speech: SpeechServer | null = null
  const app = startApp()
  const context = await openBrowser(join(folder, 'browser'), wav)
  try {
    await app.until('page')
    const refused = await refuseNetwork(context)
    const faults = therapist.watchFaults(context)
    await context.grantPermissions(['microphone', 'clipboard-write'], { origin })
    const served = await showInChromium(context, app)
    const page = context.pages()[0] ?? (await context.newPage())
    deliverEvents(page, app)
    await page.goto(`${origin}/`)

    await therapist.makeRecords(page, 'Robin Kay')
    if (canTranscribe) {
      speech = await startSpeechServer()
      await setSpeechService(page, speech.address)
    }
    await addClient(page, client)
    await bookSession(page, client)
    await therapist.giveConsent(page, { keepsAudio: true })
    await page.getByRole('button', { name: 'Start recording' }).click()
    await therapist.recordUntil(page, 2)

    const before = await therapist.savedSeconds(page)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    await therapist.recordUntil(page, before + Math.ceil(wavSeconds(wav)) + 2)
    await page.getByRole('button', { name: 'End session' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
    await expect(page.getByRole('tab', { name: canTranscribe ? 'Note' : 'Transcript', selected: true })).toBeVisible()

    if (canTranscribe) {
      const turns = await therapist.transcribe(page, wavSeconds(wav))
      expect(turns.join(' ').split(' ').length).toBeGreaterThan(5)
      await therapist.nameVoices(
        page,
        turns.map((_, index) => (index % 2 === 0 ? 'therapist' : 'client')),
      )
      await therapist.draft(page)
      await therapist.addSentence(page, sentence)
      await therapist.lookAtEverything(page)
      await therapist.sign(page)
      await page.getByRole('tab', { name: 'Transcript' }).click()
    }

    const audio = page.locator('audio')
    await page.getByRole('button', { name: 'Play', exact: true }).first().click()
    await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(0.5)
    const seconds = await audio.evaluate((element: HTMLAudioElement) => element.duration)
    expect(seconds).toBeGreaterThanOrEqual(before)
    await audio.evaluate((element: HTMLAudioElement) => (element.currentTime = element.duration - 2))
    await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(seconds - 1.8)
    expect(await audio.evaluate((element: HTMLAudioElement) => element.error)).toBeNull()
    const sound = served.filter(({ path }) => path.startsWith('/media/'))
    expect(sound.length).toBeGreaterThan(0)
    expect(sound.map(({ status }) => status)).toEqual(sound.map(() => 206))

    await app.ask('power', 'suspend')
    await expect(page.getByLabel('Passphrase', { exact: true })).toBeVisible()
    await expect(page.getByText(client)).toHaveCount(0)
    await therapist.unlock(page)
    await openLastSession(page, client)
    if (canTranscribe) {
      await page.getByRole('tab', { name: 'Note' }).click()
      await expect(page.getByText(sentence)).toBeVisible()
    }
    expect(refused).toEqual([])
    expect(faults).toEqual([])
  } finally {
    await context.close()
    await app.remove()
    await speech?.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})
