import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test'
import { openBrowser } from '#test/support/chromium.ts'
import { unmet } from '#test/support/machine.ts'
import { startPreview } from '#test/support/preview.ts'
import { addClient, bookSession, openLastSession } from './office.ts'
import { readPdf } from './read-files.ts'
import { shortDialogue } from './speeches.ts'
import { makeRecords, unlock, watchFaults } from './therapist.ts'

const client = 'Ottoline Brightwater'
const MS_PER_LETTER = 40
/** An edit is saved after three seconds at the latest; the fourth is for the save itself. */
const MAX_LOST_MS = 4000

async function tabTo(page: Page, target: Locator): Promise<void> {
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let press = 0; press < 60 && !(await isThere()); press += 1) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
}

const field = (page: Page, section: string) => page.getByRole('textbox', { name: `${section}, your own words` })

test('a note is typed from nothing, outlives a kill while typing, is signed and exported, by keyboard alone', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-typed-note-'))
  let preview = await startPreview({ profile: join(folder, 'profile') })
  let context: BrowserContext = await openBrowser(join(folder, 'browser'), shortDialogue.wav)
  try {
    let page = context.pages()[0] ?? (await context.newPage())
    await page.goto(preview.address)
    await makeRecords(page, 'Robin Kay')
    await addClient(page, client)
    await bookSession(page, client)

    await page.getByRole('tab', { name: 'Record' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('tab', { name: 'Note', selected: true })).toBeFocused()
    await tabTo(page, page.getByRole('button', { name: 'Type the note' }))
    await page.keyboard.press('Enter')
    await expect(field(page, 'Subjective')).toBeFocused()
    await expect(page.getByText('The note is empty. Type at least one sentence to sign it.')).toBeVisible()
    const typed = Array.from({ length: 16 }, (_, index) => `Night ${index + 1}: asleep`).join(', ')
    await page.keyboard.type(typed, { delay: MS_PER_LETTER })
    await preview.kill()
    await context.close()

    preview = await startPreview({ profile: join(folder, 'profile') })
    context = await openBrowser(join(folder, 'browser'), shortDialogue.wav)
    const faults = watchFaults(context)
    page = context.pages()[0] ?? (await context.newPage())
    await page.goto(preview.address)
    await unlock(page)
    await openLastSession(page, client)
    await page.getByRole('tab', { name: 'Note' }).press('Enter')
    const kept = await field(page, 'Subjective').inputValue()
    expect(typed.startsWith(kept)).toBe(true)
    expect(typed.length - kept.length).toBeLessThanOrEqual(MAX_LOST_MS / MS_PER_LETTER)

    await tabTo(page, field(page, 'Subjective'))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Slept well on five of seven nights.')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Called her sister on Sunday.')
    await tabTo(page, field(page, 'Plan'))
    await page.keyboard.type('See her in a week.')
    await expect(page.locator('.sign-saved')).toHaveText('Saved')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Sign note' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Signed by/)).toBeVisible()

    await tabTo(page, page.getByRole('button', { name: 'Export' }))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'PDF' })).toBeFocused()
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    const text = readPdf(readFileSync(await download.path()))
    for (const sentence of ['Slept well on five of seven nights.', 'Called her sister on Sunday.', 'See her in a week.'])
      expect(text).toContain(sentence)
    expect(faults).toEqual([])
  } finally {
    await context.close().catch(() => {}) // it may be closed already
    await preview.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})
