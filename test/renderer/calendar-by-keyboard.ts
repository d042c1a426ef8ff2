import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import type { Scene } from './scene.ts'

const focused = (page: Page, name: RegExp): Promise<void> =>
  page.getByRole('button', { name }).and(page.locator(':focus')).waitFor()
const on = (page: Page, name: RegExp) => page.getByRole('button', { name })
const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}
const timeIn = async (page: Page): Promise<(string | null)[]> => {
  const parts = page.getByRole('dialog').getByRole('spinbutton', { name: /^(hour|minute|AM\/PM)/ })
  return (await parts.allInnerTexts()).map((text) => text.trim())
}

export const calendarByKeyboard: readonly (Scene & { readonly act: (page: Page) => Promise<void> })[] = [
  {
    name: 'the calendar is one stop of Tab, at the next appointment; the arrows reach appointments and free times',
    hash: '/calendar',
    async act(page) {
      await on(page, /^New appointment$/).focus()
      await press(page, 'Tab')
      await focused(page, /^Maren Voss, 2:00\s–\s2:50\sPM, Next, in 12 minutes$/)
      await press(page, 'ArrowDown')
      await focused(page, /^Samuel Orrin, 3:00\s–\s3:50\sPM, Scheduled, video$/)
      await press(page, 'ArrowUp', 'ArrowUp')
      await focused(page, /^Book Tuesday, November 24, 1:30\sPM\.$/)
      await press(page, 'ArrowUp', 'ArrowUp')
      await focused(page, /^Book Tuesday, November 24, 12:30\sPM\. Outside your working hours\.$/)
      await press(page, 'ArrowDown', 'ArrowDown', 'ArrowRight')
      await focused(page, /^Wes Halloran, /)
      await press(page, 'ArrowRight')
      await focused(page, /^Book Thursday, November 26, .*During time off: Practice closed\.$/)
      await press(page, 'PageDown')
      await page.getByRole('heading', { level: 1, name: /^November 29\s–\sDecember 5$/ }).waitFor()
      await focused(page, /^Book Thursday, December 3, /)
    },
  },
  {
    name: 'Enter on a free time books it at that time, B at the next half hour, and a search for a free time is a step away',
    hash: '/calendar',
    async act(page) {
      await on(page, /^Maren Voss, /).focus()
      await press(page, 'ArrowUp', 'Enter')
      const dialog = page.getByRole('dialog', { name: 'New appointment' })
      await dialog.waitFor()
      expect(await timeIn(page)).toEqual(['1', '30', 'PM'])
      await press(page, 'Escape')
      await dialog.waitFor({ state: 'detached' })
      await focused(page, /^Book Tuesday, November 24, 1:30\sPM\.$/)
      await press(page, 'b')
      await dialog.waitFor()
      expect(await timeIn(page)).toEqual(['2', '00', 'PM'])
      await dialog.getByRole('button', { name: 'Find a free time' }).click()
      await page.getByRole('dialog', { name: 'Find a time' }).waitFor()
    },
  },
  {
    name: 'R reschedules and E edits the appointment that has the focus, and neither does while single keys are off',
    hash: '/calendar',
    async act(page) {
      await on(page, /^Maren Voss, /).focus()
      await press(page, 'r')
      await page.getByRole('dialog', { name: 'Reschedule Maren Voss' }).waitFor()
      await press(page, 'Escape')
      await focused(page, /^Maren Voss, /)
      await press(page, 'e')
      await page.getByRole('dialog', { name: 'Edit appointment with Maren Voss' }).waitFor()
      await press(page, 'Escape')
      await focused(page, /^Maren Voss, /)
      await press(page, 'Enter')
      await page.getByRole('menuitem', { name: 'Open session' }).and(page.locator(':focus')).waitFor()
    },
  },
  {
    name: 'Alt and the arrows move an appointment until Alt is released, with each time announced and Undo',
    hash: '/calendar',
    async act(page) {
      const status = page.locator('.calendar-grid').getByRole('status')
      await on(page, /^Maren Voss, /).focus()
      await page.keyboard.down('Alt')
      await press(page, 'ArrowDown')
      await page.waitForFunction(() => document.querySelector('.calendar-ghost[data-taken]') !== null)
      expect((await status.innerText()).replaceAll(/[  ]/g, ' ')).toBe(
        'Tuesday, November 24, 2:15 – 3:05 PM. Overlaps Samuel Orrin, 3:00 PM. Free at 2:00 PM, 5:30 PM.',
      )
      await press(page, 'Escape')
      expect(await page.locator('.calendar-ghost').count()).toBe(0)
      await press(page, 'ArrowRight')
      expect(await status.innerText()).toContain('Wednesday, November 25')
      await page.keyboard.up('Alt')
      await page.getByText('Rescheduled: Maren Voss, tomorrow 2:00 PM.', { exact: false }).waitFor()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      await page
        .getByRole('list', { name: 'Appointments on Wednesday, November 25' })
        .getByRole('button', { name: /^Maren/ })
        .waitFor()
      await focused(page, /^Maren Voss, /)
    },
  },
  {
    name: 'an appointment dropped on another one stays, and the dialog names the other and suggests times',
    hash: '/calendar',
    async act(page) {
      await on(page, /^Maren Voss, /).focus()
      await page.keyboard.down('Alt')
      for (let step = 0; step < 4; step += 1) await press(page, 'ArrowDown')
      await page.keyboard.up('Alt')
      const dialog = page.getByRole('dialog', { name: 'Reschedule Maren Voss' })
      await dialog.getByText(/You already have an appointment at that time: Samuel Orrin/).waitFor()
      await dialog.getByRole('radio').first().waitFor()
      expect(await timeIn(page)).toEqual(['3', '00', 'PM'])
      await press(page, 'Escape')
      await focused(page, /^Maren Voss, 2:00\s–\s2:50\sPM/)
    },
  },
  {
    name: 'Alt, Shift and an arrow make an appointment longer',
    hash: '/calendar',
    async act(page) {
      await on(page, /^Priya Nandakumar, /).focus()
      await press(page, 'Alt+Shift+ArrowDown')
      await focused(page, /^Priya Nandakumar, 4:30\s–\s5:30\sPM/)
    },
  },
  {
    name: 'the view is remembered, and a day of the month opens by keyboard',
    hash: '/calendar',
    async act(page) {
      await page.getByRole('radio', { name: 'Month' }).focus()
      await press(page, 'Space')
      await page.getByRole('heading', { level: 1, name: 'November 2026' }).waitFor()
      await page.keyboard.press('Control+1')
      await page.keyboard.press('Control+3')
      await page.getByRole('heading', { level: 1, name: 'November 2026' }).waitFor()
      await on(page, /^Open Tuesday, November 24$/).focus()
      await press(page, 'ArrowRight', 'Enter')
      await page.getByRole('heading', { level: 1, name: 'Wednesday, November 25' }).waitFor()
      await page.getByRole('radio', { name: 'Work week' }).focus()
      await press(page, 'Space')
      await page.getByRole('heading', { level: 1, name: /^November 23\s–\s27$/ }).waitFor()
    },
  },
]
