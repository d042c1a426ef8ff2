import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import { demoSessions } from '#test/support/demo-records.ts'
import type { Scene } from './scene.ts'

const group = (page: Page, field: string) => page.getByRole('group', { name: field, exact: true })

async function typeIn(page: Page, field: string, digits: string): Promise<void> {
  await group(page, field).getByRole('spinbutton').first().click()
  await page.keyboard.type(digits)
}

const partOf = async (page: Page, field: string, type: string): Promise<number> =>
  Number(await group(page, field).locator(`[data-type=${type}]`).innerText())

type Act = { readonly act: (page: Page) => Promise<void> }

const born = (system_locale: string, month: number, day: number): Scene & Act => ({
  name: `with ${system_locale}, 03/09/1992 as a date of birth is day ${day} of month ${month}`,
  hash: '/clients?new',
  demo: { app: { system_locale } },
  async act(page) {
    await typeIn(page, 'Date of birth', '03091992')
    const parts = await Promise.all(['month', 'day', 'year'].map((type) => partOf(page, 'Date of birth', type)))
    expect(parts).toEqual([month, day, 1992])
  },
})

const time = (system_locale: string, keys: string, shown: string): Scene & Act => ({
  name: `with ${system_locale}, half past two is typed as ${keys} and shown as ${shown}`,
  hash: '/today',
  demo: { app: { system_locale } },
  async act(page) {
    await page.getByRole('button', { name: 'New appointment' }).click()
    await typeIn(page, 'Time', keys)
    expect((await group(page, 'Time').innerText()).replace(/[^\w:]/g, '')).toBe(shown)
  },
})

export const localeByKeyboard: readonly (Scene & Act)[] = [
  born('en-US', 3, 9),
  born('en-GB', 9, 3),
  time('en-US', '230p', '2:30PM'),
  time('en-GB', '1430', '14:30'),
  {
    name: 'another locale is chosen in Settings and shows at once, also on the lock screen, and the focus is not lost',
    hash: '/settings/appearance',
    async act(page) {
      const choice = page.getByRole('button', { name: /Regional format/ })
      await page.getByText('follow this format: November 24, 2026, 2:02 PM.').waitFor()
      await choice.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('option', { name: 'System default (United States)' }).waitFor()
      await page.keyboard.press('End')
      await page.getByRole('option', { name: 'Australia' }).and(page.locator(':focus')).waitFor()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('Enter')
      await page.getByText('follow this format: 24 November 2026, 14:02.').waitFor()
      await choice.and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Control+1')
      await page.getByRole('heading', { level: 1, name: /^Tuesday,? 24 November$/ }).waitFor()
      await page.keyboard.press('Control+l')
      await page.getByText('Locked at 13:48.').waitFor()
    },
  },
  {
    name: 'Spanish is chosen in Settings and shows at once, also on the lock screen, and English comes back',
    hash: '/settings/appearance',
    async act(page) {
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('en-US')
      const choice = page.getByRole('button', { name: /Language$/ })
      await choice.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('option', { name: 'System default (English)' }).waitFor()
      await page.keyboard.press('End')
      await page.getByRole('option', { name: 'Español' }).and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Apariencia' }).waitFor()
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('es-US')
      await page.getByText('siguen este formato: 24 de noviembre de 2026, 2:02 p.m.').waitFor()
      await page.keyboard.press('Control+1')
      await page.getByRole('heading', { level: 1, name: 'Martes, 24 de noviembre' }).waitFor()
      await page.keyboard.press('Control+l')
      await page.getByRole('heading', { name: 'Afterword está bloqueado' }).waitFor()
      await page.getByText('Hora del bloqueo: 1:48 p.m.').waitFor()
    },
  },
  ...['17 de noviembre', 'martes pasado', 'el martes pasado'].map((typed) => ({
    name: `in Spanish, the search finds the appointments of a day: ${typed}`,
    hash: '/today',
    demo: { language: 'es' } as const,
    async act(page: Page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').or(page.getByRole('dialog').getByRole('searchbox')).first().fill(typed)
      const found = page.getByRole('group', { name: 'Citas' }).getByRole('option')
      await found.first().waitFor()
      expect(await found.allInnerTexts()).toSatisfy((all: string[]) => all.every((one) => one.includes('17 de noviembre')))
    },
  })),
  {
    name: 'a typed transcript that is not saved is not lost to another language',
    hash: `/sessions/${demoSessions[6]!.session.id}/transcript`,
    demo: { recorded: 'without a transcript' },
    async act(page) {
      const field = page.getByLabel('Transcript text')
      await field.fill('Therapist: How have the nights been?')
      await page.keyboard.press('Control+5')
      await page.getByRole('link', { name: 'Appearance' }).click()
      await page.getByRole('button', { name: /Language$/ }).click()
      await page.getByRole('option', { name: 'Español' }).click()
      await page.getByText('Save it first.').waitFor()
      expect(await page.getByRole('button', { name: 'Use it now' }).isDisabled()).toBe(true)
      await page.evaluate((hash) => (location.hash = hash), `/sessions/${demoSessions[6]!.session.id}/transcript`)
      await expect.poll(() => field.inputValue()).toBe('Therapist: How have the nights been?')
    },
  },
  {
    name: 'the week begins on Sunday where the locale does, and its title names its first and last day',
    hash: '/calendar',
    async act(page) {
      await page.getByRole('heading', { level: 1, name: /^November 22\s–\s28$/ }).waitFor()
      const days = await page.locator('.calendar-day-name').allInnerTexts()
      expect([days.length, days[0], days[6]]).toEqual([7, 'Sun\n22', 'Sat\n28'])
    },
  },
  {
    name: 'the week begins on Monday where the locale does',
    hash: '/calendar',
    demo: { settings: { locale: 'en-GB' } },
    async act(page) {
      await page.getByRole('heading', { level: 1, name: /^23\s?–\s?29 November$/ }).waitFor()
      expect((await page.locator('.calendar-day-name').allInnerTexts())[0]).toBe('Mon\n23')
    },
  },
]
