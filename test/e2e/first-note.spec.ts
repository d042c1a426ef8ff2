import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { unmet } from '#test/support/machine.ts'
import { openWindow } from './main-job.ts'
import { shortDialogue } from './speeches.ts'
import * as therapist from './therapist.ts'
import { startTwoVoices, type TwoVoices } from './two-voices.ts'

const MAX_CLICKS = 12

let folder: string
let speech: TwoVoices

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-first-note-'))
  speech = await startTwoVoices()
})
test.afterEach(() => {
  speech.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a new therapist gets from an empty profile to a signed note in 12 clicks, recording aside', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const window = await openWindow({ profile: join(folder, 'profile'), browserProfile: join(folder, 'browser'), ...shortDialogue })
  const { page } = window
  try {
    await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible()
    await countInput(page)
    await setUp(page)
    await page.getByRole('button', { name: 'Add client' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Ottoline Brightwater')
    await look(page, 'e2e-new-client')
    await page.getByRole('button', { name: 'Add and start session' }).click()
    await page.getByText('Agrees to all').click()
    await look(page, 'e2e-consent')
    await page.getByRole('button', { name: /consent and start recording$/ }).click()
    await therapist.recordUntil(page, 7)
    await page.getByRole('button', { name: 'End session' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()

    // The transcript and the draft follow without a click.
    const confirm = page.getByRole('button', { name: /^Confirm (?:statement|and show the next one)$/ })
    const sign = page.getByRole('button', { name: 'Sign note' })
    await expect(sign).toBeVisible()
    await look(page, 'e2e-draft')
    const decide = confirm.or(page.getByRole('button', { name: 'Leave out' })).first()
    while (await sign.isDisabled()) await decide.click()
    await therapist.sign(page)

    const { clicks, fields } = await countedInput(page)
    const recording = clicks.filter((label) => /End session/.test(label))
    process.stdout.write(`${clicks.length} clicks, ${recording.length} of them to record: ${clicks.join(' | ')}\n`)
    process.stdout.write(`${fields.length} typed fields: ${fields.join(' | ')}\n`)
    expect(clicks.length - recording.length, clicks.join(' | ')).toBeLessThanOrEqual(MAX_CLICKS)
    expect(fields.length, fields.join(' | ')).toBeLessThanOrEqual(5)
    expect(window.faults).toEqual([])
  } finally {
    await window.close()
  }
})

test('a new therapist looks around with the sample: it plays, shows its sources, and is removed with one click', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  const window = await openWindow({ profile: join(folder, 'profile'), browserProfile: join(folder, 'browser'), ...shortDialogue })
  const { page } = window
  try {
    await therapist.makeRecords(page, 'Robin Kay')
    await look(page, 'e2e-empty-today')
    await page.getByRole('button', { name: 'Look around with a sample client' }).click()
    await expect(page.getByText('Signed by Sample therapist')).toBeVisible()
    await expect(page.getByText('This is a sample. The client and the session are fictitious.')).toBeVisible()
    await page.getByText('Client reported sleeping about six hours').click()
    await look(page, 'e2e-sample-note')
    await page.getByRole('tab', { name: 'Transcript' }).click()
    await page.getByRole('button', { name: 'Play', exact: true }).first().click()
    const audio = page.locator('audio')
    await expect.poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime)).toBeGreaterThan(0.5)
    await look(page, 'e2e-sample-transcript')
    await page.getByRole('button', { name: 'Remove sample' }).click()
    await expect(page.getByText('The sample was removed.')).toBeVisible()
    await page.getByRole('link', { name: 'Clients' }).click()
    await expect(page.getByText('No clients yet.')).toBeVisible()
    expect(window.faults).toEqual([])
  } finally {
    await window.close()
  }
})

const pictures = process.env['AFTERWORD_PICTURES']

async function look(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return
  for (const [look, size] of [
    ['light', { width: 1280, height: 800 }],
    ['dark', { width: 900, height: 620 }],
  ] as const) {
    await page.emulateMedia({ colorScheme: look })
    await page.setViewportSize(size)
    await page.screenshot({ path: join(pictures, `${name}-${look}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

async function setUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Passphrase', { exact: true }).fill(therapist.passphrase)
  await page.getByLabel('Confirm passphrase').fill(therapist.passphrase)
  await page.getByLabel('Your name').fill('Robin Kay')
  await page.getByRole('button', { name: 'Create my records' }).click()
  await page.getByRole('button', { name: 'I wrote the code down or printed it' }).click()
  await page.getByText('On a transcription server').click()
  await page.getByRole('textbox', { name: 'Address' }).fill(speech.address)
  await look(page, 'e2e-transcription')
  await page.getByRole('button', { name: 'Connect and finish' }).click()
}

interface Counted {
  readonly clicks: string[]
  readonly fields: string[]
}

/** Counts what a person really presses and types in, whatever element it is. */
async function countInput(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counted: Counted = { clicks: [], fields: [] }
    Object.assign(globalThis, { counted })
    const nameOf = (target: EventTarget | null): string => {
      const element = target as HTMLElement
      const control = element.closest('button, a, label, input, textarea') ?? element
      return (control.getAttribute('aria-label') ?? control.textContent ?? '').trim().slice(0, 40)
    }
    const press = (event: Event): void => void (event.isTrusted && counted.clicks.push(nameOf(event.target)))
    const type = ({ target }: Event): void => {
      const name = (target as HTMLInputElement).labels?.[0]?.textContent ?? nameOf(target)
      if (!counted.fields.includes(name)) counted.fields.push(name)
    }
    addEventListener('pointerdown', press, { capture: true })
    addEventListener('input', type, { capture: true })
  })
}

const countedInput = (page: Page): Promise<Counted> =>
  page.evaluate(() => (globalThis as unknown as { counted: Counted }).counted)
