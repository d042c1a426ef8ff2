import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DemoScene } from '#test/support/demo-bridge.ts'
import { leftOut } from '#test/support/left-out.ts'
import { unmet } from '#test/support/machine.ts'
import { type RendererPages, rendererPages } from '#test/support/renderer-pages.ts'
import { calendarByKeyboard } from './calendar-by-keyboard.ts'
import { spokenConsent } from './consent-scenes.ts'
import { desktopByKeyboard } from './desktop-by-keyboard.ts'
import { findingByKeyboard } from './finding-by-keyboard.ts'
import { localeByKeyboard } from './locale-by-keyboard.ts'
import { syncByKeyboard } from './sync-by-keyboard.ts'
import { recoveryByKeyboard } from './recovery-by-keyboard.ts'
import { sessionByKeyboard } from './session-by-keyboard.ts'
import { updatesByKeyboard } from './updates-by-keyboard.ts'

const why = await unmet('browser')

describe.skipIf(leftOut('the window by keyboard', why))('the window by keyboard', () => {
  let pages: RendererPages
  beforeAll(async () => {
    pages = await rendererPages()
  })
  afterAll(() => pages.close())

  async function on(hash: string, scene: DemoScene, act: (page: Page) => Promise<void>): Promise<void> {
    const { page, faults } = await pages.open(hash, scene)
    await act(page)
    expect(faults).toEqual([])
  }
  /** Typing goes to whatever has the focus: the field must have it first. */
  async function type(page: Page, label: string, text: string): Promise<void> {
    await page.getByLabel(label, { exact: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type(text)
  }
  const heading = (page: Page): Promise<string> => page.getByRole('heading', { level: 1 }).innerText()

  test('Ctrl and a number opens a page', async () => {
    await on('/today', { outbox: 'offline' }, async (page) => {
      await page.getByRole('link', { name: /^Sync/ }).waitFor()
      await page.keyboard.press('Control+5')
      await page.getByRole('heading', { level: 1, name: 'Account and security' }).waitFor()
      await page.keyboard.press('Control+6')
      await page.getByRole('heading', { level: 1, name: 'Sync queue' }).waitFor()
      await page.keyboard.press('Control+1')
      await page.getByRole('heading', { level: 1, name: 'Tuesday, November 24' }).waitFor()
    })
  })

  test('Ctrl+K finds words that were said and opens the transcript where they were', async () => {
    await on('/today', {}, async (page) => {
      await page.keyboard.press('Control+k')
      await type(page, 'Search clients, notes, and settings', 'choir')
      // Of the whole word: what was found of its beginning may still go.
      await page
        .getByRole('option', { name: /I went to choir on/ })
        .first()
        .waitFor()
      for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(/#\/sessions\/[0-9a-f-]+\/transcript\?segment=s\d$/)
      expect(await page.getByRole('dialog').count()).toBe(0)
    })
  })

  test('Ctrl+K finds a client by the start of a name, and Esc leaves everything as it was', async () => {
    await on('/settings', {}, async (page) => {
      await page.keyboard.press('Control+k')
      await type(page, 'Search clients, notes, and settings', 'vos')
      await page.getByRole('option', { name: 'Maren Voss' }).first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(await heading(page)).toBe('Account and security')
    })
  })

  test('Ctrl+Shift+H turns every name into initials, in accessible names too', async () => {
    await on('/today', {}, async (page) => {
      await page.keyboard.press('Control+Shift+H')
      await page.getByText('Next: M. V., in 12 minutes.').waitFor()
      expect(await page.locator('body').innerText()).not.toMatch(/Voss|Lindqvist|Caldeira|Orrin/)
      expect(await page.locator('[aria-label*="Caldeira"], [aria-label*="Voss"]').count()).toBe(0)
      await page.keyboard.press('Control+Shift+H')
      await page.getByText('Next: Maren Voss, in 12 minutes.').waitFor()
    })
  })

  test.each([
    { held: 'settings.get', presses: 1, seen: 'M. V.' },
    { held: 'settings.get', presses: 2, seen: 'Maren Voss' },
    { held: 'app.state', presses: 1, seen: 'M. V.' },
  ] as const)('$presses × Ctrl+Shift+H before $held is answered: nothing is lost', async ({ held, presses, seen }) => {
    await on('/today', { held: [held] }, async (page) => {
      for (let press = 0; press < presses; press += 1) await page.keyboard.press('Control+Shift+H')
      expect(await page.locator('body').innerText()).not.toContain('Voss')
      await page.evaluate(() => window.demoAnswers?.())
      await page.getByText(`Next: ${seen}, in 12 minutes.`).waitFor()
    })
  })

  test('Ctrl+L locks, and nothing of the records stays on the screen; a wrong passphrase stays typed', async () => {
    await on('/today', {}, async (page) => {
      await page.keyboard.press('Control+l')
      await page.getByRole('heading', { level: 1, name: 'Afterword is locked' }).waitFor()
      expect(await page.content()).not.toMatch(/Voss|Lindqvist/)
      await type(page, 'Passphrase', 'not this one')
      await page.keyboard.press('Enter')
      await page.getByText(/Incorrect passphrase/).waitFor()
      expect(await page.getByLabel('Passphrase', { exact: true }).inputValue()).toBe('not this one')
      await page.getByLabel('Passphrase', { exact: true }).fill('four calm words here')
      await page.keyboard.press('Enter')
      await page.getByText('Next: Maren Voss, in 12 minutes.').waitFor()
    })
  })

  test('F6 goes from part to part of the window', async () => {
    await on('/today', {}, async (page) => {
      const seen: string[] = []
      for (let step = 0; step < 4; step += 1) {
        await page.keyboard.press('F6')
        seen.push(await page.evaluate(() => document.activeElement?.closest('[data-region]')?.tagName ?? ''))
      }
      expect(seen).toEqual(['HEADER', 'NAV', 'MAIN', 'ASIDE'])
    })
  })

  test('? lists the keys, and not while words are typed', async () => {
    await on('/clients', {}, async (page) => {
      await page.getByRole('searchbox', { name: 'Filter by name' }).focus()
      await page.keyboard.type('who?')
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.getByRole('link', { name: 'Clients' }).focus()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    })
  })

  test('single keys can be switched off', async () => {
    await on('/today', { settings: { single_key_shortcuts: false } }, async (page) => {
      await page.getByText('Next: Maren Voss', { exact: false }).waitFor()
      await page.keyboard.press('?')
      await page.keyboard.press('Control+5')
      await page.getByRole('heading', { level: 1, name: 'Account and security' }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
    })
  })

  test('the list of clients is walked with the arrows, and each opens', async () => {
    await on('/clients', {}, async (page) => {
      await page.getByRole('option').first().waitFor()
      await page.getByRole('searchbox', { name: 'Filter by name' }).focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: /Ada and Jonah Pell|Bea Thornquist/ }).waitFor()
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: /Lena Marsh|Maren Voss/ }).waitFor()
    })
  })

  test('every step of the first run begins at its question, and all are answered by keyboard', async () => {
    await on('/', { app: { phase: 'first_run', protection: null } }, async (page) => {
      const focused = (name: string): Promise<void> =>
        page.getByRole('heading', { level: 1, name }).and(page.locator(':focus')).waitFor()
      await focused('Where do you want to keep your records?')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Continue' }).focus()
      await page.keyboard.press('Enter')
      await focused('How should your records be locked?')
      for (const label of ['Passphrase', 'Confirm passphrase']) {
        await page.getByLabel(label, { exact: true }).focus()
        await page.keyboard.type('four calm words here')
      }
      await page.getByLabel('Your name', { exact: true }).focus()
      await type(page, 'Your name', 'Dana Okell')
      await page.keyboard.press('Enter')
      await focused('Your recovery code')
      await page.getByRole('button', { name: 'I wrote the code down or printed it' }).press('Enter')
      await focused('Set up transcription')
      await page.getByRole('radio', { name: /On this computer/ }).focus()
      for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown')
      await page.getByRole('button', { name: 'Finish', exact: true }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Tuesday, November 24' }).waitFor()
    })
  })

  test('where the button that was pressed goes away, Tab goes on from where it stood', async () => {
    await on('/clients', {}, async (page) => {
      await page.getByRole('option', { name: /Maren Voss/ }).click()
      await page.getByRole('tab', { name: 'Details' }).click()
      const field = page.getByRole('tabpanel').locator('input, button').first()
      await field.focus()
      await field.evaluate((element) => element.remove())
      const kept = page.locator('main :focus')
      await kept.waitFor()
      expect(await kept.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('none')
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true)
    })
  })

  test.each(['/settings/account', '/settings/appearance', '/clients?new'])(
    'each field on %s has one focus ring',
    async (hash) => {
      await on(hash, {}, async (page) => {
        const fields = page.locator('.ui-field').locator('input, textarea, .ui-select-button, [role=spinbutton]')
        const outlined = (): string[] =>
          [...document.querySelectorAll('body *')].filter((each) => getComputedStyle(each).outlineStyle !== 'none').map(String)
        await fields.filter({ visible: true }).first().waitFor()
        for (const field of await fields.filter({ visible: true }).all()) {
          await field.focus()
          expect(await page.evaluate(outlined), await field.evaluate((each) => each.outerHTML)).toHaveLength(1)
        }
      })
    },
  )

  const byKeyboard = [
    ...calendarByKeyboard,
    ...desktopByKeyboard,
    ...findingByKeyboard,
    ...localeByKeyboard,
    ...spokenConsent,
    ...syncByKeyboard,
    ...recoveryByKeyboard,
    ...sessionByKeyboard,
    ...updatesByKeyboard,
  ]
  test.each(byKeyboard)('$name', async ({ hash, demo = {}, act }) => on(hash, demo, act))

  test('a keychain that is only shut asks to be tried again first, and takes the recovery code too', async () => {
    await on('/', { app: { phase: 'trouble', trouble: 'keychain-locked', protection: 'keychain' } }, async (page) => {
      await page.getByRole('button', { name: 'Try again' }).waitFor()
      expect(await page.getByRole('textbox').count()).toBe(0)
      await page.getByRole('button', { name: 'Use my recovery code' }).focus()
      await page.keyboard.press('Enter')
      await type(page, 'Recovery code', 'AAAAA')
      await page.keyboard.press('Enter')
      await page.getByText(/Incorrect recovery code/).waitFor()
    })
  })

  test('a recovery code that was made anew without a proof is said before, and stays in sight after', async () => {
    await on('/settings/account', { app: { protection: 'keychain', keychain_available: true } }, async (page) => {
      const make = page.getByRole('button', { name: 'Recovery code: Create new code' })
      await make.waitFor()
      expect(await page.getByText(/Last created/).count()).toBe(0)
      await make.click()
      await page.getByText(/keychain unlocks your records for anyone signed in here/).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Create new code' }).click()
      await page.getByRole('checkbox').focus()
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Done' }).click()
      await page.getByText(/Last created November 24, 2026, .*without a passphrase or earlier code/).waitFor()
    })
  })

  test('the recovery code alone is printed, without a button, on white in the dark theme too', async () => {
    const demo: DemoScene = { settings: { theme: 'dark' }, app: { protection: 'keychain', keychain_available: true } }
    await on('/settings/account', demo, async (page) => {
      await page.getByRole('button', { name: 'Recovery code: Create new code' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create new code' }).click()
      await page.getByRole('heading', { name: 'Your new recovery code' }).waitFor()
      await page.emulateMedia({ media: 'print' })
      const paper = page.locator('body > .recovery-paper')
      await paper.waitFor()
      expect(await paper.innerText()).toMatch(/^Afterword recovery code\s+Created on November 24, 2026\.\s+5TB2P/)
      expect(await paper.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(0, 0, 0)')
      expect(await page.locator('button:visible').count()).toBe(0)
    })
  })

  test('asking for consent has its first focus on the safe choice, and nothing is ticked', async () => {
    await on('/clients', {}, async (page) => {
      await page.getByRole('option', { name: /Maren Voss/ }).click()
      await page.getByRole('tab', { name: 'Consent' }).click()
      await page.getByRole('button', { name: 'Ask for consent' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Not now' }).and(page.locator(':focus')).waitFor()
      for (const box of await dialog.getByRole('checkbox').all()) expect(await box.isChecked()).toBe(false)
    })
  })

  test('the records lock by themselves after the minutes that were set, and say so', async () => {
    await on('/today', { settings: { idle_lock_minutes: 2 } }, async (page) => {
      await page.getByText('Next: Maren Voss', { exact: false }).waitFor()
      await page.clock.setFixedTime('2026-11-24T13:51:00+01:00')
      await page.getByRole('heading', { level: 1, name: 'Afterword is locked' }).waitFor()
      await page.getByText('Locked at 1:51 PM after 2 minutes of inactivity.').waitFor()
    })
  })
})
