/** The main job in Electron itself, where its runtime is installed; elsewhere electron-bridge.spec.ts comes closest. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, expect, type Page, test } from '@playwright/test'
import { findElectron, repository, unmet } from '#test/support/machine.ts'
import { wavSeconds } from '#test/support/wav.ts'
import { addClient, bookSession, openLastSession, setSpeechService } from './office.ts'
import { shortDialogue } from './speeches.ts'
import * as therapist from './therapist.ts'

const client = 'Ottoline Brightwater'
const sentence = 'Client brought the filled diary along on quarto paper.'
const answer = JSON.stringify({
  text: 'I slept badly again this week. We agreed that you keep the sleep diary until Thursday.',
  data: [],
})

let speech: Server
let folder: string

test.beforeAll(async () => {
  // Answers whatever it is asked with the same words: recognition is not what is tested here.
  speech = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer))
  })
  await new Promise<void>((resolve) => speech.listen(0, '127.0.0.1', resolve))
})
test.afterAll(() => {
  speech.closeAllConnections()
  speech.close()
})
test.beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'afterword-electron-'))))
test.afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

/** From the sources' own folder, with a WAV as microphone. */
async function launch(): Promise<{ app: ElectronApplication; page: Page }> {
  const sound = ['--use-fake-device-for-media-stream', `--use-file-for-fake-audio-capture=${shortDialogue.wav}`]
  const app = await _electron.launch({
    executablePath: findElectron()!,
    // Chromium's sandbox does not work for root.
    args: [repository, ...sound, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...(process.env as Record<string, string>), AFTERWORD_PROFILE: join(folder, 'profile') },
  })
  return { app, page: await app.firstWindow() }
}

test('the main job in Electron: consent, recording, transcript, draft, signature, playback, lock, and all of it after a restart', async () => {
  const why = await unmet('electron')
  if (process.env['AFTERWORD_NEEDS_ELECTRON'] !== '1') test.skip(why !== null, `NOT RUN: ${why}`)
  expect(why).toBe(null)
  const first = await launch()
  const faults = therapist.watchFaults(first.app.context())
  await doJob(first.page)
  await first.page.reload()
  await playAndSeek(first.page)
  await first.page.keyboard.press('ControlOrMeta+l')
  await therapist.unlock(first.page)
  await first.app.close()
  expect(faults).toEqual([])

  const again = await launch()
  await therapist.unlock(again.page)
  await openLastSession(again.page, client)
  await again.page.getByRole('tab', { name: 'Note' }).click()
  await expect(again.page.getByText(sentence)).toBeVisible()
  await expect(again.page.getByText(/^Signed by/)).toBeVisible()
  await again.app.close()
})

async function doJob(page: Page): Promise<void> {
  await therapist.makeRecords(page, 'Robin Kay')
  await setSpeechService(page, `http://127.0.0.1:${(speech.address() as AddressInfo).port}/v1`)
  await addClient(page, client)
  await bookSession(page, client)
  await therapist.giveConsent(page, { keepsAudio: true })
  const seconds = wavSeconds(shortDialogue.wav)
  await therapist.record(page, { seconds, mark: 'Hands unclenched here' })
  const turns = await therapist.transcribe(page, seconds)
  await therapist.nameVoices(
    page,
    turns.map(() => 'client' as const),
  )
  await therapist.draft(page)
  await therapist.addSentence(page, sentence)
  await therapist.lookAtEverything(page)
  await therapist.sign(page)
}

/** By the range requests of the window's player, over app:// here. */
async function playAndSeek(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Transcript' }).click()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await expect(page.getByRole('button', { name: 'Pause', exact: true }).first()).toBeVisible()
  const position = page.getByRole('slider').first()
  const seconds = async (): Promise<number> => Number(await position.getAttribute('aria-valuenow'))
  const last = Number(await position.getAttribute('aria-valuemax'))
  await position.press('End')
  await expect.poll(seconds).toBeGreaterThanOrEqual(last - 1)
  await position.press('Home')
  await expect.poll(seconds).toBeLessThan(last / 2)
}
