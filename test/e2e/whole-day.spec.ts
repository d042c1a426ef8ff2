import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { unmet } from '#test/support/machine.ts'
import { activate, button, choose, dialogOf, press, reach } from './by-keyboard.ts'
import { openWindow } from './main-job.ts'
import { addClient, chooseSpeechServer } from './office.ts'
import { readPdf } from './read-files.ts'
import { shortDialogue } from './speeches.ts'
import * as therapist from './therapist.ts'
import { startTwoVoices, type TwoVoices } from './two-voices.ts'

/** Noon to one o’clock there, so that some appointments of the day are over and some to come. */
function zoneAtMidday(): string {
  const hours = 12 - new Date().getUTCHours()
  // The names have the opposite sign: Etc/GMT-2 is two hours ahead.
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

const clients = ['Ottoline Brightwater', 'Jonah Reyes', 'Priya Raman'] as const
const morning = [7, 8, 9, 10, 11] as const
const afternoon = [14, 15, 16, 17, 18] as const

let folder: string
let speech: TwoVoices

test.beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'afterword-whole-day-'))
  speech = await startTwoVoices()
})
test.afterEach(() => {
  speech.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

test('a whole day is done by keyboard alone', async () => {
  const missing = await unmet('browser')
  test.skip(missing !== null, missing ?? '')
  test.setTimeout(400_000)
  const window = await openWindow({
    profile: join(folder, 'profile'),
    browserProfile: join(folder, 'browser'),
    timeZone: zoneAtMidday(),
    ...shortDialogue,
  })
  const { page } = window
  try {
    await therapist.makeRecords(page, 'Robin Kay')
    await chooseSpeechServer(page, speech.address)
    for (const client of clients) await addClient(page, client)
    await forbidPointer(page)

    await bookTheDay(page)
    await moveByKeys(page)
    await resolveDoubleBooking(page)
    await markNoShow(page)
    await cancelLate(page)
    await typeNote(page)
    await recordWalkIn(page)
    await recordBooked(page)
    await addAddendum(page)
    await exportNote(page)
    expect(window.faults).toEqual([])
  } finally {
    await window.close()
  }
})

/** From here on a click is a failure. */
async function forbidPointer(page: Page): Promise<void> {
  await page.evaluate(() =>
    addEventListener('pointerdown', () => reportError(new Error('The pointer was used.')), { capture: true }),
  )
}

const clockOf = (hour: number): string => `${hour % 12 || 12}:00\\s?${hour < 12 ? 'AM' : 'PM'}`

/** The grid of the calendar, at the first time of today. */
async function toToday(page: Page): Promise<void> {
  await press(page, 'Control+1')
  await expect(page.getByRole('link', { name: 'Today', exact: true })).toHaveAttribute('aria-current', 'page')
  await press(page, 'Control+3')
  await expect(page.getByRole('group', { name: 'Appointments and free times' })).toBeVisible()
  await reach(page, page.locator('.calendar-grid [data-current]'))
  await press(page, 'Home')
}

/** Down the day to what has this name. */
async function goDownTo(page: Page, name: RegExp): Promise<void> {
  const focused = page.locator(':focus')
  const nameNow = async () => (await focused.getAttribute('aria-label')) ?? (await focused.innerText())
  for (let step = 0; step < 60 && !name.test(await nameNow()); step += 1) await page.keyboard.press('ArrowDown')
  await expect(focused).toHaveAccessibleName(name)
}

async function bookTheDay(page: Page): Promise<void> {
  for (const [index, hour] of [...morning, ...afternoon].entries()) {
    const client = clients[index % clients.length]!
    // After an appointment that begins about now, its session is open.
    await toToday(page)
    await goDownTo(page, new RegExp(`^Book .*, ${clockOf(hour)}`))
    await press(page, 'Enter')
    const dialog = page.getByRole('dialog', { name: 'New appointment' })
    await expect(dialog.getByRole('button', { name: 'Client' })).toBeFocused()
    await press(page, 'Enter')
    await choose(page, 'option', client)
    await activate(page, dialog.getByRole('button', { name: 'Add appointment' }))
    await expect(dialog).toBeHidden()
  }
  await toToday(page)
  await expect(page.locator('.calendar-grid').getByRole('button', { name: /^(Ottoline|Jonah|Priya)/ })).toHaveCount(10)
}

async function moveByKeys(page: Page): Promise<void> {
  await toToday(page)
  await goDownTo(page, /, 6:00\s–\s6:50\sPM/)
  await page.keyboard.down('Alt')
  await press(page, 'ArrowDown', 'ArrowDown')
  await page.keyboard.up('Alt')
  await expect(page.locator('.calendar-grid').getByRole('button', { name: /, 6:30\s–\s7:20\sPM/ })).toBeFocused()
}

async function resolveDoubleBooking(page: Page): Promise<void> {
  await toToday(page)
  await goDownTo(page, /, 5:00\s–\s5:50\sPM/)
  await press(page, 'r')
  const dialog = dialogOf(page)
  await reach(page, dialog.getByRole('spinbutton', { name: /^hour/ }))
  await page.keyboard.type('4')
  await activate(page, dialog.getByRole('button', { name: 'Reschedule', exact: true }))
  await expect(dialog.getByText(/You already have an appointment at that time/)).toBeVisible()
  const suggestion = dialog.getByRole('radio').first()
  await reach(page, suggestion)
  await press(page, 'Space')
  await activate(page, dialog.getByRole('button', { name: /^(Reschedule|Book)/ }).last())
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/^Rescheduled: /).last()).toBeVisible()
}

async function openMenuAt(page: Page, name: RegExp): Promise<void> {
  await toToday(page)
  await goDownTo(page, name)
  await press(page, 'Enter')
}

async function markNoShow(page: Page): Promise<void> {
  await openMenuAt(page, /, 7:00\s–\s7:50\sAM/)
  await choose(page, 'menuitem', 'Mark as no-show')
  await expect(page.locator('.calendar-grid').getByRole('button', { name: /, 7:00\s–\s7:50\sAM, No-show/ })).toBeVisible()
}

async function cancelLate(page: Page): Promise<void> {
  await openMenuAt(page, /, 3:00\s–\s3:50\sPM/)
  await choose(page, 'menuitem', 'Cancel appointment…')
  const dialog = dialogOf(page)
  await reach(page, dialog.getByRole('checkbox', { name: /^Late cancellation/ }))
  await press(page, 'Space')
  await reach(page, dialog.getByLabel('Reason (optional)'))
  await page.keyboard.type('Her train did not come')
  await activate(page, dialog.getByRole('button', { name: 'Cancel appointment' }))
  await expect(page.locator('.calendar-grid').getByRole('button', { name: /, 3:00\s–\s3:50\sPM, Late cancel/ })).toBeVisible()
}

/** The tabs of a session: the arrows move between them. */
async function toTab(page: Page, name: string): Promise<void> {
  await reach(page, page.getByRole('tab', { selected: true }))
  const tab = page.getByRole('tab', { name, exact: true })
  for (let step = 0; step < 6 && (await tab.getAttribute('aria-selected')) !== 'true'; step += 1) await press(page, 'ArrowRight')
  await expect(tab).toHaveAttribute('aria-selected', 'true')
}

async function openSessionAt(page: Page, name: RegExp): Promise<void> {
  await openMenuAt(page, name)
  await choose(page, 'menuitem', 'Open session')
  await expect(page.getByRole('tab', { name: 'Note' })).toBeVisible()
}

async function typeNote(page: Page): Promise<void> {
  await openSessionAt(page, /, 8:00\s–\s8:50\sAM/)
  await toTab(page, 'Note')
  await activate(page, button(page, 'Type the note'))
  await expect(page.getByRole('textbox', { name: 'Subjective, your own words' })).toBeFocused()
  await page.keyboard.type('Slept well on five of seven nights.')
  await reach(page, page.getByRole('textbox', { name: 'Plan, your own words' }))
  await page.keyboard.type('Meet again in a week.')
  await dictate(page)
  await signByKeys(page)
}

/** The server answers any audio with the same conversation. */
async function dictate(page: Page): Promise<void> {
  const assessment = page.getByRole('textbox', { name: 'Assessment, your own words' })
  await press(page, 'Shift+Tab')
  while (!(await assessment.evaluate((element) => element === document.activeElement))) await press(page, 'Shift+Tab')
  await press(page, 'Control+d')
  await expect(page.locator('.dictating .tabular')).toHaveText(/0?:0[2-9]$/)
  await press(page, 'Control+d')
  await expect(assessment).toHaveValue(/I slept about six hours most nights\./, { timeout: 60_000 })
  await expect(page.getByText('The words were added. The sound was deleted.')).toBeVisible()
}

async function signByKeys(page: Page): Promise<void> {
  await expect(page.locator('.sign-saved')).toHaveText('Saved')
  await press(page, 'Control+Enter')
  await expect(dialogOf(page).getByRole('button', { name: 'Sign note' })).toBeFocused()
  await press(page, 'Enter')
  await expect(page.getByText(/^Signed by/)).toBeVisible()
}

/** Records, and signs the draft that follows without a key. */
async function recordAndSign(page: Page): Promise<void> {
  await therapist.recordUntil(page, 4)
  await press(page, 'm')
  await expect(page.getByLabel(/^Bookmark at/)).toBeFocused()
  await press(page, 'Escape')
  await expect(button(page, 'Rename Bookmark')).toBeVisible()
  await therapist.recordUntil(page, 7)
  await press(page, 'Control+Enter')
  await activate(page, dialogOf(page).getByRole('button', { name: 'End session' }))
  await reviewByKeys(page)
  await signByKeys(page)
}

async function reviewByKeys(page: Page): Promise<void> {
  const sign = button(page, 'Sign note')
  await expect(sign).toBeVisible({ timeout: 120_000 })
  for (let left = 60; left > 0 && (await sign.isDisabled()); left -= 1) {
    await press(page, 'n', 'c')
    if (await sign.isDisabled()) await press(page, 'n', 'l')
  }
  await expect(sign).toBeEnabled()
}

async function agreeToAll(page: Page): Promise<void> {
  const all = page.getByRole('checkbox', { name: /^Agrees to all/ })
  await reach(page, all)
  await press(page, 'Space')
}

async function recordWalkIn(page: Page): Promise<void> {
  await press(page, 'Control+2')
  await activate(page, button(page, 'Add client'))
  await expect(dialogOf(page).getByLabel('Name', { exact: true })).toBeFocused()
  await page.keyboard.type('Walter Ingram')
  await activate(page, dialogOf(page).getByRole('button', { name: 'Add and start session' }))
  await agreeToAll(page)
  await activate(page, button(page, /consent and start recording$/))
  await recordAndSign(page)
}

async function recordBooked(page: Page): Promise<void> {
  await openSessionAt(page, /, 2:00\s–\s2:50\sPM/)
  await toTab(page, 'Record')
  await agreeToAll(page)
  await activate(page, button(page, /consent$/))
  await activate(page, button(page, 'Start recording'))
  await recordAndSign(page)
}

async function addAddendum(page: Page): Promise<void> {
  await activate(page, button(page, 'Add addendum'))
  await reach(page, page.getByLabel('Addendum text'))
  await page.keyboard.type('The diary had eleven entries.')
  await reach(page, page.getByLabel('Reason for the addendum'))
  await page.keyboard.type('Counted after signing')
  await activate(page, button(page, 'Add to note'))
  await expect(page.getByText('The diary had eleven entries.')).toBeVisible()
}

async function exportNote(page: Page): Promise<void> {
  await activate(page, button(page, 'Export'))
  await expect(page.getByRole('menuitem', { name: 'PDF' })).toBeFocused()
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Enter')])
  expect(readPdf(readFileSync(await download.path()))).toContain('The diary had eleven entries.')
}
