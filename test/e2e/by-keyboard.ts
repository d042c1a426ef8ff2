import { expect, type Locator, type Page } from '@playwright/test'

/** What a person does who has no pointer. */
export const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

/** Tab from wherever the focus is. */
export async function reach(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible()
  const isThere = () => target.evaluate((element) => element === document.activeElement)
  for (let stop = 0; stop < 80 && !(await isThere()); stop += 1) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
}

export async function activate(page: Page, target: Locator): Promise<void> {
  await reach(page, target)
  await page.keyboard.press('Enter')
}

export const button = (page: Page, name: string | RegExp, exact = true) =>
  page.getByRole('button', typeof name === 'string' ? { name, exact } : { name })
export const dialogOf = (page: Page) => page.getByRole('dialog')

/** The arrows, until the entry of the open menu or list has the focus. */
export async function choose(page: Page, role: 'menuitem' | 'option', name: string): Promise<void> {
  const entry = page.getByRole(role, { name, exact: true })
  await expect(entry).toBeVisible()
  const isThere = () => entry.evaluate((element) => element === document.activeElement)
  for (let step = 0; step < 20 && !(await isThere()); step += 1) await page.keyboard.press('ArrowDown')
  await expect(entry).toBeFocused()
  await page.keyboard.press('Enter')
}
