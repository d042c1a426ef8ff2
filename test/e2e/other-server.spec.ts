import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { openBrowser } from '#test/support/chromium.ts'
import { unmet } from '#test/support/machine.ts'
import { startOtherServer } from '#test/support/other-server.ts'
import { startPreview } from '#test/support/preview.ts'
import { addClient, bookSession } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { giveConsent, makeRecords, passphrase, recordUntil } from './therapist.ts'

test('a window says that its Afterword has ended, and a program that takes the port is sent no sound and no passphrase', async () => {
  const missing = process.platform === 'win32' ? 'its processes are not found there' : await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-other-server-'))
  const passphraseFile = join(folder, 'passphrase')
  writeFileSync(passphraseFile, passphrase)
  const preview = await startPreview({ profile: join(folder, 'profile'), passphraseFile })
  const context = await openBrowser(join(folder, 'browser'), shortDialogue.wav)
  try {
    const page = context.pages()[0] ?? (await context.newPage())
    await page.goto(preview.address)
    await makeRecords(page, 'Robin Kay')
    await addClient(page, 'Ottoline Brightwater')
    await bookSession(page, 'Ottoline Brightwater')
    await giveConsent(page)
    await page.getByRole('button', { name: 'Start recording' }).click()
    await recordUntil(page, 2)
    await page.keyboard.press('Control+l')
    await expect(page.getByLabel('Passphrase', { exact: true })).toBeVisible()

    await preview.kill()
    const gone = page.getByRole('alertdialog', { name: 'Afterword isn’t running anymore.' })
    await expect(gone).toContainText(/Everything saved before \d+:\d\d [AP]M is safe/)
    const other = await startOtherServer(preview.port)
    await expect(page.getByRole('alertdialog', { name: 'Don’t type anything in this window.' })).toBeVisible()
    // Typed all the same.
    await page.keyboard.type(passphrase)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.waitForTimeout(5000) // sound goes on arriving from the microphone
    await expect(page.getByRole('alertdialog')).toBeVisible()

    // One socket, one frame, and in it a random number.
    expect(other.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /bridge'])
    expect(other.frames.map((frame) => Object.keys(JSON.parse(frame.toString('utf8', 4)) as object))).toEqual([['window_nonce']])
    other.close()

    // The cookie that the browser sent along is of no use: the next run has another one and another name.
    const cookie = other.requests[0]?.headers.cookie ?? ''
    const host = other.requests[0]?.headers.host ?? ''
    const next = await startPreview({ profile: join(folder, 'profile'), port: preview.port })
    expect(await statusOf(next.port, host, cookie)).toBe(421)
    expect(await statusOf(next.port, new URL(next.address).host, cookie)).toBe(403)
    await next.close()
  } finally {
    await context.close()
    await preview.kill()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})

function statusOf(port: number, host: string, cookie: string): Promise<number> {
  return new Promise((done, fail) => {
    const headers = { host, cookie, 'sec-fetch-site': 'none' }
    get({ host: '127.0.0.1', port, path: '/', headers }, (answer) => {
      answer.resume()
      done(answer.statusCode ?? 0)
    }).on('error', fail)
  })
}
