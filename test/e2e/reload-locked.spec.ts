import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { openBrowser } from '#test/support/chromium.ts'
import { unmet } from '#test/support/machine.ts'
import { startPreview } from '#test/support/preview.ts'
import { addClient, bookSession } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { giveConsent, makeRecords, passphrase, recordUntil, savedSeconds, unlock } from './therapist.ts'

test('a window reloaded under the lock goes on recording by itself, and says so once it is unlocked', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-reload-'))
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
    const before = await savedSeconds(page)
    await page.keyboard.press('Control+l')
    await expect(page.getByLabel('Passphrase', { exact: true })).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Passphrase', { exact: true })).toBeVisible()
    await page.waitForTimeout(12_000) // spoken under the lock, for longer than a window may be silent
    await unlock(page)
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
    // At once: no more than a moment of it can have been spoken since it was unlocked.
    expect(await savedSeconds(page)).toBeGreaterThanOrEqual(before + 6)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'End session' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
    await expect(page.getByRole('tab', { name: 'Transcript', selected: true })).toBeVisible()
  } finally {
    await context.close()
    await preview.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})
