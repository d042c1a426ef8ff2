import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { openBrowser } from '#test/support/chromium.ts'
import { unmet } from '#test/support/machine.ts'
import { startPreview } from '#test/support/preview.ts'
import { addClient, bookSession } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { giveConsent, makeRecords, passphrase, recordUntil } from './therapist.ts'

test('another language does not interrupt a recording; after it, the window and its lock screen are in Spanish', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-language-'))
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
    await page.keyboard.press('Control+5')
    await page.getByRole('link', { name: 'Appearance' }).click()
    await page.getByRole('button', { name: /Language$/ }).click()
    await page.getByRole('option', { name: 'Español' }).click()
    await expect(page.getByText('You can change the language now when it ends.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Use it now' })).toBeDisabled()
    await page.getByRole('button', { name: /^Recording\. The microphone is on/ }).click()
    await page.getByRole('button', { name: 'End session' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
    await expect(page.getByRole('tab', { name: 'Transcript', selected: true })).toBeVisible()
    await page.keyboard.press('Control+5')
    await page.getByRole('button', { name: 'Use it now' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Apariencia' })).toBeVisible()
    await page.keyboard.press('Control+l')
    await expect(page.getByRole('heading', { name: 'Afterword está bloqueado' })).toBeVisible()
    await page.reload()
    await page.getByLabel('Frase de contraseña', { exact: true }).fill(passphrase)
    await page.getByRole('button', { name: 'Desbloquear' }).click()
    await expect(page.getByRole('link', { name: 'Configuración' })).toBeVisible()
  } finally {
    await context.close()
    await preview.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})
