import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { openBrowser } from '#test/support/chromium.ts'
import { unmet } from '#test/support/machine.ts'
import { startPreview } from '#test/support/preview.ts'
import { addClient, bookSession } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { giveConsent, makeRecords, recordUntil, savedSeconds, unlock } from './therapist.ts'

const client = 'Ottoline Brightwater'

test('after the core of a passphrase profile was killed, what is said is saved before anybody unlocks', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-kill-locked-'))
  const preview = await startPreview({ profile: join(folder, 'profile') })
  const context = await openBrowser(join(folder, 'browser'), shortDialogue.wav)
  try {
    let page = context.pages()[0] ?? (await context.newPage())
    await page.goto(preview.address)
    const { origin } = new URL(page.url())
    await makeRecords(page, 'Robin Kay')
    await addClient(page, client)
    await bookSession(page, client)
    await giveConsent(page)
    await page.getByRole('button', { name: 'Start recording' }).click()
    await recordUntil(page, 2)
    const before = await savedSeconds(page)
    await preview.killCore()
    const killedAt = Date.now()
    await expect(page.getByLabel('Passphrase', { exact: true })).toBeVisible()
    await expect(page.getByText('One is running and is being saved.')).toBeVisible()
    const lastRecordAt = (): number => {
      const recordings = join(folder, 'profile', 'recordings')
      return Math.max(...readdirSync(recordings).map((name) => statSync(join(recordings, name)).mtimeMs))
    }
    await expect.poll(lastRecordAt).toBeGreaterThan(killedAt + 4000)
    // Even a window that dies now has left everything on the disk.
    const next = await context.newPage()
    await page.close()
    page = next
    await page.goto(origin)
    await expect(page.getByText('No recording is running.')).toBeVisible()
    await unlock(page)
    const recovery = page.getByRole('dialog', { name: new RegExp(client) })
    await recovery.getByRole('button', { name: 'Resume recording' }).click()
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    expect(await savedSeconds(page)).toBeGreaterThanOrEqual(before + 4)
  } finally {
    await context.close()
    await preview.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})
