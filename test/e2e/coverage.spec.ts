import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { openBrowser } from '#test/support/chromium.ts'
import { unmet } from '#test/support/machine.ts'
import { startPreview } from '#test/support/preview.ts'
import { addClient } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { makeRecords } from './therapist.ts'

test('a card is entered, the payer is asked, and what it said stands with its lines; an approval is added', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-coverage-'))
  const preview = await startPreview({ profile: join(folder, 'profile') })
  const context = await openBrowser(join(folder, 'browser'), shortDialogue.wav)
  const pictures = process.env['AFTERWORD_PICTURES']
  try {
    const page = context.pages()[0] ?? (await context.newPage())
    const look = async (name: string): Promise<void> => {
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
    }
    await page.goto(preview.address)
    await makeRecords(page, 'Robin Kay')
    await addClient(page, 'Ottoline Brightwater')
    await page.getByRole('tab', { name: 'Coverage' }).click()
    await look('coverage-none')
    await page.getByRole('button', { name: 'Add the card' }).click()
    await page.getByLabel('First name for drafts').fill('Ottoline')
    await page.getByRole('group', { name: 'Date of birth' }).getByRole('spinbutton').first().click()
    await page.keyboard.type('09031992')
    await page.getByLabel('Payer', { exact: true }).fill('Sandbox payer')
    await page.getByLabel('Member id').fill('AWTEST-ACTIVE')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('A card needs the id of its payer')).toBeVisible()
    await look('coverage-card-wrong')
    await page.getByLabel('Payer id').fill('AWSANDBOX')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Details saved.')).toBeVisible()
    await page.getByRole('tab', { name: 'Coverage' }).click()
    await page.getByRole('button', { name: 'Check coverage' }).click()
    await expect(page.getByText('The question was not asked: the payer needs more.')).toBeVisible()
    await look('coverage-more')
    await page.getByRole('button', { name: 'Open details' }).click()
    await page.getByLabel('Last name on the card').fill('Brightwater')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Details saved.')).toBeVisible()
    await page.getByRole('tab', { name: 'Coverage' }).click()
    await page.getByRole('button', { name: 'Check coverage' }).click()
    await expect(page.getByRole('heading', { name: 'Ottoline is covered. A visit will likely cost $20.' })).toBeVisible()
    await expect(page.getByText('An invented answer')).toBeVisible()
    await look('coverage-covered')
    await page.getByRole('button', { name: 'Show the original answer' }).click()
    await expect(page.getByRole('dialog').getByText(/EB\*1\*IND\*30/)).toBeVisible()
    await look('coverage-original')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Add an approval' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Approval number').fill('A-1')
    await dialog.getByLabel('Visits approved').fill('20')
    await dialog.getByRole('group', { name: 'From' }).getByRole('spinbutton').first().click()
    await page.keyboard.type('01092026')
    await dialog.getByRole('button', { name: 'Add approval' }).click()
    await expect(page.getByText('0 of 20 visits used')).toBeVisible()
    await page.getByText('Approval A-1').scrollIntoViewIfNeeded()
    await look('coverage-approval')
    await page.keyboard.press('Control+Shift+h')
    await expect(page.getByRole('heading', { name: 'O. is covered. A visit will likely cost $20.' })).toBeVisible()
    await page.getByRole('button', { name: 'Show the original answer' }).click()
    await expect(page.getByRole('dialog').getByText('Names are hidden, and the answer holds some.')).toBeVisible()
    await expect(page.getByText('BRIGHTWATER')).toHaveCount(0)
  } finally {
    await context.close()
    await preview.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
