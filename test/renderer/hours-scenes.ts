import type { Page } from '@playwright/test'
import type { Scene } from './scene.ts'

const toHours = (page: Page) => page.getByRole('button', { name: 'Add time off' }).scrollIntoViewIfNeeded()

/** Working hours and time off, also while the service that keeps them is away. */
export const hoursScenes: readonly Scene[] = [
  { name: 'settings, working hours', hash: '/settings/schedule', act: toHours },
  { name: 'settings, working hours, the service away', hash: '/settings/schedule', demo: { hours: 'last said' }, act: toHours },
  {
    name: 'settings, working hours, a time that is wrong',
    hash: '/settings/schedule',
    act: async (page) => {
      await page.getByRole('button', { name: 'Change working hours' }).click()
      await page.getByRole('button', { name: 'Second stretch on Friday' }).click()
      const to = page.getByRole('group', { name: 'Monday to', exact: true })
      await to.getByRole('spinbutton', { name: /hour/ }).fill('8')
      await to.getByRole('spinbutton', { name: /AM\/PM/ }).press('a')
      await page.getByLabel('Minutes kept free after each').fill('900')
      await page.getByRole('button', { name: 'Save working hours' }).click()
      await page.getByText('Choose a later end.').waitFor()
    },
  },
  {
    name: 'settings, working hours, time off that could not be saved',
    hash: '/settings/schedule',
    demo: { hours: 'lost on saving' },
    act: async (page) => {
      await page.getByRole('button', { name: 'Add time off' }).click()
      await page.getByLabel('What it is').fill('Training')
      await page.getByText('Whole days').click()
      await page.getByText(/booked in this time/).waitFor()
      await page.getByRole('button', { name: 'Save time off' }).click()
      await page.getByText('What you typed is still here.').waitFor()
    },
  },
]
