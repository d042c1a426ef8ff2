import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { createServiceClient } from '#client/client.ts'
import { freshFolder, startAlone } from '#test/service/alone-kit.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { lineTo } from '#test/support/line.ts'
import { unmet } from '#test/support/machine.ts'
import { type Preview, startPreview } from '#test/support/preview.ts'
import { addClient, openSettings } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { makeRecords } from './therapist.ts'

interface Laptop {
  readonly page: Page
  close(): Promise<void>
}

async function openLaptop(folder: string, name: string): Promise<Laptop> {
  const preview: Preview = await startPreview({ profile: join(folder, name) })
  const context: BrowserContext = await openBrowser(join(folder, `${name}-browser`), shortDialogue.wav)
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(preview.address)
  await makeRecords(page, 'Robin Kay')
  return {
    page,
    async close() {
      await context.close()
      await preview.close()
    },
  }
}

/** To the practice's service, as a person does it. */
async function joinPractice(page: Page, address: string): Promise<void> {
  await openSettings(page, 'Practice')
  await page.getByLabel('Server address').fill(address)
  await page.getByRole('button', { name: 'Preview the switch' }).click()
  await page.getByRole('button', { name: 'Send all records' }).click()
  await page.getByRole('button', { name: 'Switch now' }).click()
  await expect(page.getByText(/127\.0\.0\.1/).first()).toBeVisible()
}

/** A key for somebody who treats clients there. */
async function clinicianKey(base_url: string, token: string): Promise<string> {
  const owner = createServiceClient({ base_url, token, fetch })
  const roles: ['clinician'] = ['clinician']
  const { id } = (await owner.call('createStaff', { body: { name: 'Robin Kay', roles } })).data
  return (await owner.call('createApiKey', { body: { name: 'laptops', roles, person_id: id } })).data.secret!
}

async function openDetails(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Clients' }).click()
  await page.getByRole('option', { name: new RegExp(name) }).click()
  await page.getByRole('tab', { name: 'Details' }).click()
}

async function change(page: Page, name: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await openDetails(page, name)
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Details saved.')).toBeVisible()
}

async function expectDetails(page: Page, name: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await openDetails(page, name)
  for (const [label, value] of Object.entries(fields)) await expect(page.getByLabel(label, { exact: true })).toHaveValue(value)
}

test('two laptops of a practice, one of them away: what both changed is put together or shown side by side, and the choice stands on both', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-two-laptops-'))
  const pictures = process.env['AFTERWORD_PICTURES']
  const practice = freshFolder()
  const service = await startAlone(practice.data, {}, ['--plan', 'enterprise'])
  const key = await clinicianKey(service.address, service.ownerKey!)
  const [steady, line] = [await lineTo(service.address, key), await lineTo(service.address, key)]
  const laptops: Laptop[] = []
  const name = 'Ottoline Brightwater'
  try {
    laptops.push(await openLaptop(folder, 'one'), await openLaptop(folder, 'two'))
    const [one, two] = laptops.map(({ page }) => page) as [Page, Page]
    const look = async (page: Page, file: string): Promise<void> => {
      if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${file}.png`) })
    }
    await joinPractice(one, steady.address)
    await joinPractice(two, line.address)
    await addClient(one, name)
    await two.getByRole('link', { name: 'Clients' }).click()
    await expect(two.getByRole('option', { name: new RegExp(name) })).toBeVisible()

    line.cut()
    await change(one, name, { Phone: '555 0111', Email: 'ottoline@example.org' })
    await change(two, name, { Phone: '555 0122', Pronouns: 'she/her' })
    await two.getByRole('link', { name: /^Sync/ }).click()
    await expect(two.getByText(`Client details, ${name}`)).toBeVisible()
    await look(two, 'two-laptops-away')

    line.mend()
    await two.getByRole('button', { name: 'Try now' }).click()
    await two.getByRole('link', { name: /Sync conflict: phone number for Ottoline/ }).click()
    await expect(two.getByRole('heading', { level: 1 })).toHaveText(`Sync conflict: phone number for ${name}`)
    const [mine, theirs] = [
      two.getByRole('radio', { name: /^This computer/ }),
      two.getByRole('radio', { name: /^Your practice/ }),
    ]
    await expect(two.getByText('555 0122')).toBeVisible()
    await expect(two.getByText('555 0111')).toBeVisible()
    // What only one of them changed is no question.
    await expect(two.getByText('Using ottoline@example.org', { exact: false })).toBeVisible()
    await expect(two.getByText('Using she/her', { exact: false })).toBeVisible()
    const use = two.getByRole('button', { name: 'Use the chosen version' })
    for (const side of [mine, theirs]) await expect(side).not.toBeChecked()
    await expect(use).toBeDisabled()
    await look(two, 'two-laptops-both')
    // By the keyboard alone.
    await mine.focus()
    await two.keyboard.press('Space')
    await expect(mine).toBeChecked()
    await look(two, 'two-laptops-chosen')
    await use.press('Enter')
    await expect(two.getByRole('heading', { level: 1, name: 'Sync queue' })).toBeVisible()
    await expect(two.getByText('Everything has synced.')).toBeVisible()

    const decided = { Phone: '555 0122', Email: 'ottoline@example.org', Pronouns: 'she/her' }
    for (const page of [one, two]) {
      await expectDetails(page, name, decided)
      await page.getByRole('link', { name: /^Sync/ }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Sync queue' })).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Conflicts' })).toHaveCount(0)
    }
    // What was not chosen can be read again, where it was decided.
    await two.getByRole('link', { name: /Sync conflict: phone number for Ottoline.*Resolved/ }).click()
    await expect(two.getByRole('radio', { name: /^This computer/ })).toBeChecked()
    await expect(two.getByRole('radio', { name: /^Your practice.*555 0111/ })).toBeDisabled()
    await look(two, 'two-laptops-decided')
  } finally {
    for (const laptop of laptops) await laptop.close()
    await steady.close()
    await line.close()
    await service.stop()
    practice.remove()
    rmSync(folder, { recursive: true, force: true })
  }
})
