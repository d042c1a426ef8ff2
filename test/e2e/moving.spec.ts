import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { createServiceClient } from '#client/client.ts'
import { freshFolder, startAlone } from '#test/service/alone-kit.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { lineTo } from '#test/support/line.ts'
import { unmet } from '#test/support/machine.ts'
import { startPreview } from '#test/support/preview.ts'
import { addClient, bookSession, openSettings } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { makeRecords } from './therapist.ts'

test('a therapist moves to a practice from the window, with a client there already, and back to the laptop by the keyboard', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const pictures = process.env['AFTERWORD_PICTURES']
  const folder = mkdtempSync(join(tmpdir(), 'afterword-moving-'))
  const practice = freshFolder()
  const service = await startAlone(practice.data)
  const owner = createServiceClient({ base_url: service.address, token: service.ownerKey!, fetch })
  await owner.call('createClient', { body: { display_name: 'Already There' } })
  // This machine has no keychain to keep a key in.
  const line = await lineTo(service.address, service.ownerKey!)
  const preview = await startPreview({ profile: join(folder, 'profile') })
  const context = await openBrowser(join(folder, 'browser'), shortDialogue.wav)
  try {
    const page = context.pages()[0] ?? (await context.newPage())
    const look = async (name: string): Promise<void> => {
      if (pictures === undefined) return
      await page.getByRole('heading', { name: 'Practice and sync' }).evaluate((heading) => heading.scrollIntoView())
      await page.screenshot({ path: join(pictures, `moving-${name}.png`) })
    }
    await page.goto(preview.address)
    await makeRecords(page, 'Robin Kay')
    await addClient(page, 'Ottoline Brightwater')
    await bookSession(page, 'Ottoline Brightwater')
    await openSettings(page, 'Practice')
    await page.getByLabel('Server address').fill('practice')
    await page.getByRole('button', { name: 'Preview the switch' }).click()
    await expect(page.getByLabel('Server address')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('Server address').fill(line.address)
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^1 client, 1 session, 0 consents/)).toBeVisible()
    await look('looked')
    expect((await owner.call('listClients', {})).data.data).toHaveLength(1)

    await page.getByRole('button', { name: 'Send all records' }).click()
    await expect(page.getByText('All records match: 2 records compared.')).toBeVisible()
    await look('checked')
    await page.getByRole('button', { name: 'Switch now' }).click()
    await expect(page.getByText(/^Changes sync to 127\.0\.0\.1/)).toBeVisible()
    await look('moved')
    const names = (await owner.call('listClients', {})).data.data.map(({ display_name }) => display_name)
    expect(names.toSorted()).toEqual(['Already There', 'Ottoline Brightwater'])

    await page.getByRole('button', { name: 'Preview the switch back' }).focus()
    for (const step of ['Preview the switch back', 'Send all records', 'Switch back now']) {
      const button = page.getByRole('button', { name: step })
      await button.focus()
      await page.keyboard.press('Enter')
      await expect(button).toHaveCount(0)
    }
    await expect(page.getByText('Everything is stored on this computer. Nothing is sent to a practice.')).toBeVisible()
    await look('back')
  } finally {
    await context.close()
    await preview.close()
    await line.close()
    await service.stop()
    practice.remove()
    rmSync(folder, { recursive: true, force: true })
  }
})
