import { type BrowserContext, type Download, expect, type Locator, type Page } from '@playwright/test'

/** What a therapist does, step by step, by the roles and names that assistive technology sees. */
export const passphrase = 'four calm words here'

export async function makeRecords(page: Page, therapist: string): Promise<string> {
  await page.getByRole('radio', { name: /On this computer/ }).check({ force: true })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('radio', { name: /With a passphrase/ }).check({ force: true })
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await page.getByLabel('Confirm passphrase').fill(passphrase)
  await page.getByLabel('Your name').fill(therapist)
  await page.getByLabel('Credentials').fill('LMFT 48213')
  await page.getByRole('button', { name: 'Create my records' }).click()
  const code = await page.getByRole('group', { name: 'Recovery code' }).innerText()
  await page.getByRole('button', { name: 'I wrote the code down or printed it' }).click()
  await page.getByRole('radio', { name: /Not now/ }).check({ force: true })
  await page.getByRole('button', { name: 'Finish', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Clients' })).toBeVisible()
  return code.replace(/\s+/g, '-')
}

export async function unlock(page: Page): Promise<void> {
  await page.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await expect(page.getByRole('link', { name: 'Clients' })).toBeVisible()
}

export async function giveConsent(page: Page, { keepsAudio = false } = {}): Promise<void> {
  await page.getByRole('tab', { name: 'Record' }).click()
  await expect(page.getByRole('button', { name: 'Start recording' })).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Recording this and later sessions' }).check({ force: true })
  await page.getByRole('checkbox', { name: 'Creating a transcript from the recording' }).check({ force: true })
  await page.getByRole('checkbox', { name: 'Drafting a note from the transcript' }).check({ force: true })
  const keep = page.getByRole('checkbox', { name: 'Keeping the audio after you sign the note' })
  if (keepsAudio) await keep.check({ force: true })
  await page.getByRole('button', { name: /consent$/ }).click()
  await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible()
}

/** Somebody is at the window, which would lock by itself in a quarter of an hour. */
async function countWhileThere(page: Page, what: Locator): Promise<number> {
  await page.keyboard.press('Shift')
  return what.count()
}

/** Seconds the window says are safe on the disk. */
export async function savedSeconds(page: Page): Promise<number> {
  const text = await page.getByText(/^Saved \d\d:\d\d:\d\d$/).innerText()
  const [hours = 0, minutes = 0, seconds = 0] = text.replace('Saved ', '').split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

export async function recordUntil(page: Page, seconds: number): Promise<void> {
  const saved = async (): Promise<number> => {
    await page.keyboard.press('Shift')
    return savedSeconds(page)
  }
  await expect.poll(saved, { timeout: (seconds + 60) * 1000 }).toBeGreaterThanOrEqual(seconds)
}

interface RecordingSteps {
  /** Length of what is played into the microphone. */
  readonly seconds: number
  readonly mark: string
}

/** Starts, marks a moment, pauses and goes on, marks one without a name, and ends when all of the speech has been heard. */
export async function record(page: Page, { seconds, mark }: RecordingSteps): Promise<void> {
  await page.getByRole('button', { name: 'Start recording' }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible()
  await recordUntil(page, 3)
  await keepConsent(page)
  await page.getByRole('button', { name: 'Add bookmark' }).click()
  await page.getByLabel(/^Bookmark at/).fill(mark)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Rename ${mark}` })).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('The microphone is off.').first()).toBeVisible()
  // The WAV begins anew when the microphone opens again, so all of it is still to come.
  const before = await savedSeconds(page)
  await page.getByRole('button', { name: 'Resume' }).click()
  await recordUntil(page, before + Math.ceil(seconds) + 1)
  await page.getByRole('button', { name: 'Add bookmark' }).click()
  await expect(page.getByRole('button', { name: 'Rename Bookmark' })).toBeVisible()
  await page.getByRole('button', { name: 'End session' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
}

/** Presses `Withdraw consent…` by mistake: the recording pauses during the question and then resumes. */
async function keepConsent(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Withdraw consent…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Recording is paused.')).toBeVisible()
  await dialog.getByRole('button', { name: 'No, keep consent' }).click()
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeEnabled()
  await recordUntil(page, (await savedSeconds(page)) + 1)
}

/** Waits for the recogniser and answers the turns it wrote, those too that a long list only draws when they are in sight. */
export async function transcribe(page: Page, seconds: number): Promise<string[]> {
  await page.getByRole('tab', { name: 'Transcript' }).click()
  const turns = page.getByRole('region', { name: 'Lines' }).getByRole('listitem')
  await expect.poll(() => countWhileThere(page, turns), { timeout: 120_000 + seconds * 6000 }).toBeGreaterThan(0)
  return page.locator('.turn-list').evaluate(async (list) => {
    const found = new Map<number, string>()
    const drawn = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))
    for (list.scrollTop = 0; ; list.scrollTop += list.clientHeight / 2) {
      await drawn()
      for (const turn of list.querySelectorAll<HTMLElement>('li[data-index]')) {
        found.set(Number(turn.dataset['index']), turn.querySelector('.turn-text')?.textContent ?? '')
      }
      if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) break
    }
    list.scrollTop = 0
    await drawn()
    return [...found].toSorted(([left], [right]) => left - right).map(([, text]) => text)
  })
}

/** The recogniser does not tell voices apart: every turn is given one, by the number keys. */
export async function nameVoices(page: Page, speakers: readonly ('therapist' | 'client')[]): Promise<void> {
  const first = page.getByRole('button', { name: 'Go to the first' })
  if (await first.isVisible()) await first.click()
  for (const speaker of speakers) await page.keyboard.press(speaker === 'therapist' ? '1' : '2')
  await expect(page.getByText(/couldn’t tell the speakers apart|have no speaker/)).toHaveCount(0)
}

export async function draft(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Note' }).click()
  const write = page.getByRole('button', { name: 'Write draft' })
  const label = page.getByText('This draft was built from the transcript on this computer, without AI.')
  await expect(write.or(label).first()).toBeVisible()
  if (await write.isVisible()) await write.click()
  await expect(label).toBeVisible({ timeout: 120_000 })
}

/** Looks at everything that needs it, as a therapist would: confirms, keeps as own words, leaves out. */
export async function lookAtEverything(page: Page): Promise<void> {
  const sign = page.getByRole('button', { name: 'Sign note' })
  const next = page.getByRole('button', { name: 'Review next' })
  for (let left = 60; left > 0 && (await sign.isDisabled()); left -= 1) {
    if (await next.isVisible()) await next.click()
    const decision = page
      .getByRole('button', { name: 'Confirm', exact: true })
      .or(page.getByRole('button', { name: 'Keep as my own words' }))
      .or(page.getByRole('button', { name: 'Leave out' }))
    await decision.first().click()
  }
  await expect(sign).toBeEnabled()
}

export async function sign(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign note' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign note' }).click()
  await expect(page.getByText(/^Signed by/)).toBeVisible()
}

export async function addAddendum(page: Page, text: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: 'Add addendum' }).click()
  await page.getByLabel('Addendum text').fill(text)
  await page.getByLabel('Reason for the addendum').fill(reason)
  await page.getByRole('button', { name: 'Add to note' }).click()
  await expect(page.getByText(text)).toBeVisible()
}

export async function exportAs(page: Page, entry: string): Promise<Download> {
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: entry }).click()])
  return download
}

/** The note as it is pasted into another program. */
export async function copyAsText(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Copy as text' }).click()
  await expect(page.getByText('The note was copied to the clipboard.')).toBeVisible()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** @param beforeSaved called while the words are in the field; they are then typed letter by letter */
export async function addSentence(page: Page, sentence: string, beforeSaved?: () => Promise<void>): Promise<void> {
  const field = page.getByRole('textbox', { name: /, your own words$/ }).first()
  await typeIn(field, sentence, beforeSaved)
  await expect(page.locator('.sign-saved')).toHaveText('Saved')
  await expect(field).toHaveValue(sentence)
}

/** Replaces the words of the current turn. */
export async function correctTurn(page: Page, words: string, beforeKeeping?: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Correct the words' }).click()
  const field = page.getByRole('textbox', { name: /^Correct the words/ })
  await field.fill('')
  await typeAndKeep(field, words, beforeKeeping)
  await expect(page.getByRole('region', { name: 'Lines' }).getByText(words)).toBeVisible()
}

/** A letter every 50 ms is a fast typist. */
const MS_PER_LETTER = 50

async function typeAndKeep(field: Locator, words: string, beforeKeeping?: () => Promise<void>): Promise<void> {
  await typeIn(field, words, beforeKeeping)
  await field.press('Enter')
}

async function typeIn(field: Locator, words: string, during?: () => Promise<void>): Promise<void> {
  if (during === undefined) await field.fill(words)
  else await field.pressSequentially(words, { delay: MS_PER_LETTER })
  await during?.()
}

/** Everything the window reported while the steps were done: faults, and what the content security policy refused. */
export function watchFaults(context: BrowserContext): readonly string[] {
  const faults: string[] = []
  const watch = (page: Page): void => {
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
  }
  for (const page of context.pages()) watch(page)
  context.on('page', watch)
  return faults
}
