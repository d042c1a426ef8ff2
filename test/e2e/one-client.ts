import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Page, test } from '@playwright/test'
import { openBrowser } from '#test/support/chromium.ts'
import { unmet } from '#test/support/machine.ts'
import { startPreview } from '#test/support/preview.ts'
import { addClient } from './office.ts'
import { shortDialogue } from './speeches.ts'
import { makeRecords } from './therapist.ts'

interface Seen {
  readonly page: Page
  /** Takes a picture, where pictures are wanted. */
  readonly look: (name: string) => Promise<void>
}

/** The app as a new therapist has it who made a page for a first client, Ottoline Brightwater. */
export async function withOneClient(use: (seen: Seen) => Promise<void>): Promise<void> {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'afterword-one-client-'))
  const preview = await startPreview({ profile: join(folder, 'profile') })
  const context = await openBrowser(join(folder, 'browser'), shortDialogue.wav)
  const pictures = process.env['AFTERWORD_PICTURES']
  try {
    const page = context.pages()[0] ?? (await context.newPage())
    await page.goto(preview.address)
    await makeRecords(page, 'Robin Kay')
    await addClient(page, 'Ottoline Brightwater')
    await use({
      page,
      look: async (name) => {
        if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) })
      },
    })
  } finally {
    await context.close()
    await preview.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
