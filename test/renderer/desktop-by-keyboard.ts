import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import { demoSessions } from '#test/support/demo-records.ts'
import type { Scene } from './scene.ts'

const transcript = `/sessions/${demoSessions[6]!.session.id}/transcript`
const choose = (page: Page, command: string): Promise<void> =>
  page.evaluate((chosen) => window.demoEmit!('app.command', { command: chosen }), command)
const goTo = (page: Page, hash: string): Promise<string> => page.evaluate((to) => (location.hash = to), hash)
const notifications = (page: Page) => page.getByRole('switch', { name: /^Notifications/ })

/** What only the desktop app has, and places that are opened while their page is shown. */
export const desktopByKeyboard: readonly (Scene & { readonly act: (page: Page) => Promise<void> })[] = [
  {
    name: 'a command of the menu bar opens what it names',
    hash: '/today',
    demo: { app: { shell: 'electron' } },
    async act(page) {
      for (const [command, title] of [
        ['appointment', 'New appointment'],
        ['shortcuts', 'Keyboard shortcuts'],
      ] as const) {
        await choose(page, command)
        await page.getByRole('dialog', { name: title }).waitFor()
        await page.keyboard.press('Escape')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await choose(page, 'find')
      await page.getByRole('searchbox', { name: 'Search clients, notes, and settings' }).waitFor()
      await page.keyboard.press('Escape')
      await choose(page, 'reports')
      await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
      await choose(page, 'client')
      await page.getByRole('dialog', { name: 'Add client' }).waitFor()
    },
  },
  {
    name: 'notifications have a setting in the desktop app',
    hash: '/settings/account',
    demo: { app: { shell: 'electron' } },
    async act(page) {
      await notifications(page).waitFor()
      expect(await notifications(page).isChecked()).toBe(true)
      await notifications(page).focus()
      await page.keyboard.press('Space')
      await page.getByText('Afterword shows no notifications.').waitFor()
    },
  },
  {
    name: 'the preview, which cannot notify, has no setting for it',
    hash: '/settings/account',
    async act(page) {
      await page.getByRole('switch', { name: /^Hide/ }).first().waitFor()
      expect(await notifications(page).count()).toBe(0)
    },
  },
  {
    name: 'a search result in the transcript that is already open is scrolled to and focused',
    hash: `${transcript}?segment=s1`,
    async act(page) {
      await page.setViewportSize({ width: 900, height: 480 })
      const chosen = page.locator('.turn-place[data-chosen=true]')
      const isShown = async (text: string): Promise<void> => {
        await chosen.filter({ hasText: text }).waitFor()
        await chosen.locator('.turn-body').and(page.locator(':focus')).waitFor()
        expect(await chosen.evaluate((row) => row.getBoundingClientRect().bottom <= innerHeight)).toBe(true)
      }
      await isShown('I had to present on Thursday')
      await goTo(page, `${transcript}?segment=s10`)
      await isShown('I will call my father on Sunday')
    },
  },
  {
    name: 'all notes to finish can be shown on Today',
    hash: '/today',
    demo: { unsigned: 12 },
    async act(page) {
      const notes = page.getByRole('complementary').getByRole('link', { name: /Ready to sign/ })
      await page.getByRole('button', { name: 'Show all 12 notes' }).focus()
      expect(await notes.count()).toBe(5)
      await page.keyboard.press('Enter')
      await notes.nth(11).waitFor()
      expect(await notes.count()).toBe(12)
    },
  },
]
