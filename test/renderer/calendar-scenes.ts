import type { Page } from '@playwright/test'
import type { Scene } from './scene.ts'

const isUnconfirmed = { isUnconfirmed: true, hasSeries: true }
const view = (name: string) => (page: Page) => page.getByRole('radio', { name, exact: true }).click()

/** Takes hold of an appointment and pulls it, without letting go. */
async function pull(page: Page, name: RegExp, { byX = 0, byY = 0 }): Promise<void> {
  const box = (await page.getByRole('button', { name }).first().boundingBox())!
  const from = { x: box.x + box.width / 2, y: box.y + 10 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + byX, from.y + byY, { steps: 4 })
}

export const calendarScenes: readonly Scene[] = [
  { name: 'calendar', hash: '/calendar', demo: isUnconfirmed },
  { name: 'calendar, a clash', hash: '/calendar', demo: { isClashing: true } },
  { name: 'calendar, nothing yet', hash: '/calendar', demo: { isEmpty: true } },
  { name: 'calendar, a day', hash: '/calendar', demo: isUnconfirmed, act: view('Day') },
  { name: 'calendar, a work week', hash: '/calendar', demo: isUnconfirmed, act: view('Work week') },
  { name: 'calendar, a month', hash: '/calendar', demo: isUnconfirmed, act: view('Month') },
  {
    name: 'calendar, the menu of an appointment',
    hash: '/calendar',
    demo: isUnconfirmed,
    act: async (page) => {
      await page.getByRole('button', { name: /^Maren Voss, / }).click()
      await page.getByRole('menuitem', { name: 'Open session' }).waitFor()
    },
  },
  {
    name: 'calendar, the pointer on a free time',
    hash: '/calendar',
    act: async (page) => {
      const box = (await page.locator('[data-column]').nth(5).boundingBox())!
      await page.mouse.move(box.x + 40, box.y + 5.2 * 62)
      await page.locator('.calendar-slot[data-pointed]').waitFor()
    },
  },
  {
    name: 'calendar, a click on a free time',
    hash: '/calendar',
    act: async (page) => {
      await page
        .locator('[data-column]')
        .nth(5)
        .click({ position: { x: 40, y: 5.2 * 62 } })
      await page.getByRole('dialog', { name: 'New appointment' }).waitFor()
    },
  },
  {
    name: 'calendar, an appointment pulled onto another',
    hash: '/calendar',
    act: async (page) => {
      await pull(page, /^Maren Voss, /, { byY: 62 })
      await page.locator('.calendar-ghost[data-taken]').waitFor()
    },
  },
  {
    name: 'calendar, an appointment pulled to another day',
    hash: '/calendar',
    act: async (page) => {
      await pull(page, /^Priya Nandakumar, /, { byX: 170, byY: -62 })
      await page.locator('.calendar-ghost:not([data-taken])').waitFor()
    },
  },
  {
    name: 'calendar, rescheduling a series',
    hash: '/calendar',
    demo: isUnconfirmed,
    act: async (page) => {
      await page.getByRole('button', { name: /^Teo Lindqvist, 10:00.*repeats$/ }).click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Reschedule…' }).click()
      await page.getByText('This and following appointments (3)').waitFor()
    },
  },
  {
    name: 'calendar, finding a time',
    hash: '/calendar',
    act: async (page) => {
      await page.getByRole('button', { name: 'New appointment' }).click()
      await page.getByRole('button', { name: 'Find a free time' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Client' }).click()
      await page.getByRole('option', { name: 'Kofi Amadi-Reyes' }).click()
      await page.getByRole('button', { name: 'Find times' }).click()
      await page.getByText('Available times').waitFor()
    },
  },
]
