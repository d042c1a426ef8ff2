import { expect, test } from '@playwright/test'
import { withOneClient } from './one-client.ts'

test('a free time is booked by a click, and the appointment is dragged, made longer, refused where it is taken, and undone', () =>
  withOneClient(async ({ page, look }) => {
    await page.getByRole('link', { name: 'Calendar' }).click()
    await page.getByRole('button', { name: 'Next week' }).click()
    const columns = page.locator('[data-column]')
    const hour = async (): Promise<number> => (await columns.first().boundingBox())!.height / 13
    const list = (day: number) => columns.nth(day).getByRole('button', { name: /^Ottoline Brightwater, / })
    /** In hours of the grid, which begins at 7 AM. */
    const bookAt = async (day: number, at: number): Promise<void> => {
      await columns.nth(day).click({ position: { x: 30, y: (at - 7) * (await hour()) + 3 } })
      const dialog = page.getByRole('dialog', { name: 'New appointment' })
      await dialog.getByRole('button', { name: 'Client' }).click()
      await page.getByRole('option', { name: 'Ottoline Brightwater' }).click()
      await dialog.getByRole('button', { name: 'Add appointment' }).click()
      await expect(dialog).toBeHidden()
    }
    await bookAt(2, 9)
    await bookAt(2, 11)
    await expect(list(2)).toHaveCount(2)

    const drag = async (from: { x: number; y: number }, by: { x?: number; y?: number }, drop = true): Promise<void> => {
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(from.x + (by.x ?? 0), from.y + (by.y ?? 0), { steps: 6 })
      if (drop) await page.mouse.up()
    }
    const first = page.getByRole('button', { name: /^Ottoline Brightwater, 9:00\s–\s9:50\sAM/ })
    const middle = async (): Promise<{ x: number; y: number }> => {
      const box = (await first.boundingBox())!
      return { x: box.x + box.width / 2, y: box.y + box.height / 3 }
    }
    // Onto the other one: its name is shown, it is refused, and nothing changes.
    await drag(await middle(), { y: 1.5 * (await hour()) }, false)
    await expect(page.locator('.calendar-ghost[data-taken]')).toContainText('Overlaps Ottoline Brightwater, 11:00 AM.')
    await look('calendar-dragging')
    await page.mouse.up()
    const dialog = page.getByRole('dialog', { name: 'Reschedule Ottoline Brightwater' })
    await expect(dialog.getByText(/You already have an appointment at that time/)).toBeVisible()
    await expect(dialog.getByRole('radio').first()).toBeVisible()
    await dialog.getByRole('button', { name: 'Keep this time' }).click()
    await expect(first).toBeVisible()

    // Escape puts it back.
    await drag(await middle(), { y: -(await hour()) }, false)
    await expect(page.locator('.calendar-ghost')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('.calendar-ghost')).toBeHidden()
    await page.mouse.up()
    await expect(first).toBeVisible()
    await expect(page.getByRole('menu')).toBeHidden()

    // To the next day and an hour later, and back with Undo.
    const width = (await columns.nth(3).boundingBox())!.x - (await columns.nth(2).boundingBox())!.x
    await drag(await middle(), { x: width, y: await hour() })
    await expect(page.getByText(/^Rescheduled: Ottoline Brightwater, /)).toBeVisible()
    await expect(list(3)).toHaveAccessibleName(/10:00\s–\s10:50\sAM/)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(list(2)).toHaveCount(2)
    await expect(first).toBeVisible()

    // Its lower edge, to a full hour.
    const box = (await first.boundingBox())!
    await drag({ x: box.x + box.width / 2, y: box.y + box.height - 2 }, { y: (await hour()) / 6 })
    await expect(page.getByRole('button', { name: /^Ottoline Brightwater, 9:00\s–\s10:00\sAM/ })).toBeVisible()
    // Kept by the core, not only shown.
    await page.reload()
    await page.getByRole('button', { name: 'Next week' }).click()
    await expect(page.getByRole('button', { name: /^Ottoline Brightwater, 9:00\s–\s10:00\sAM/ })).toBeVisible()
  }))

test('by keyboard alone, a time is booked, moved to another day, undone, and canceled with a reason', () =>
  withOneClient(async ({ page }) => {
    await page.keyboard.press('Control+3')
    await expect(page.getByRole('link', { name: 'Calendar' })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('group', { name: 'Appointments and free times' })).toBeVisible()
    await page.getByRole('button', { name: 'New appointment' }).focus()
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('Tab', 'PageDown', 'Home')
    const focused = page.locator(':focus')
    await expect(focused).toHaveAccessibleName(/^Book \w+, \w+ \d+, 7:00\sAM/)
    await press('ArrowDown', 'ArrowDown', 'Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: 'Client' })).toBeFocused()
    await press('Enter', 'Enter')
    await dialog.getByRole('button', { name: 'Add appointment' }).press('Enter')
    await expect(dialog).toBeHidden()
    const booked = page.getByRole('button', { name: /^Ottoline Brightwater, 8:00\s–\s8:50\sAM/ })
    await booked.focus()
    await press('Alt+ArrowDown')
    const moved = page.getByRole('button', { name: /^Ottoline Brightwater, 8:15\s–\s9:05\sAM/ })
    await expect(moved).toBeFocused()
    await expect(page.getByText(/^Rescheduled: Ottoline Brightwater, /)).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(booked).toBeVisible()
    await booked.press('Enter')
    await page.getByRole('menuitem', { name: 'Cancel appointment…' }).press('Enter')
    await dialog.getByLabel('Reason (optional)').fill('Ill')
    await dialog.getByRole('button', { name: 'Cancel appointment' }).press('Enter')
    await expect(page.getByRole('button', { name: /^Ottoline Brightwater, 8:00\s–\s8:50\sAM, Canceled/ })).toBeVisible()
  }))

test('a weekly series is moved as a whole, put back with Undo, and canceled from one week on', () =>
  withOneClient(async ({ page, look }) => {
    await page.getByRole('link', { name: 'Calendar' }).click()
    await page.getByRole('button', { name: 'New appointment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Find a free time' }).click()
    await dialog.getByRole('button', { name: 'Client' }).click()
    await page.getByRole('option', { name: 'Ottoline Brightwater' }).click()
    await dialog.getByRole('checkbox', { name: 'Repeat every week' }).check({ force: true })
    await dialog.getByLabel('Number of weeks').fill('3')
    await dialog.getByRole('button', { name: 'Find times' }).click()
    const book = dialog.getByRole('button', { name: /^Book .* [AP]M$/ })
    const [, hour = '', half = ''] = /(\d+):\d\d\s([AP]M)$/.exec(await book.innerText())!
    await book.click()
    await expect(page.getByText(/Booked: Ottoline Brightwater, /)).toBeVisible()
    await page.reload()
    const booked = page.getByRole('button', { name: /^Ottoline Brightwater, .*repeats$/ })
    const onward = page.getByRole('button', { name: 'Next week' })
    // The first one may be in this week or in the next.
    const lead = page.getByText(/^(No appointments|1 appointment)/)
    await expect(lead).toBeVisible()
    if ((await lead.innerText()).startsWith('No')) await onward.click()
    await expect(booked).toHaveCount(1)
    const before = await booked.getAttribute('aria-label')
    await booked.click()
    await page.getByRole('menuitem', { name: 'Reschedule…' }).click()
    const later = half === 'AM' ? 'p' : 'a'
    await dialog.getByRole('spinbutton', { name: /AM\/PM/ }).press(later)
    await dialog.getByText('All upcoming appointments (3)').click()
    await look('series-moving')
    await dialog.getByRole('button', { name: 'Reschedule' }).click()
    await expect(page.getByText('Rescheduled 3 appointments with Ottoline Brightwater.')).toBeVisible()
    await expect(booked).toHaveAccessibleName(new RegExp(`, ${hour}:`))
    await expect(booked).not.toHaveAccessibleName(before!)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(booked).toHaveAccessibleName(before!)
    await onward.click()
    await booked.click()
    await page.getByRole('menuitem', { name: 'Cancel appointment…' }).click()
    await dialog.getByText('This and following appointments (2)').click()
    await dialog.getByRole('button', { name: 'Cancel appointment' }).click()
    await expect(page.getByText('Canceled 2 appointments with Ottoline Brightwater.')).toBeVisible()
    const canceled = page.getByRole('button', { name: /^Ottoline Brightwater, .*, Canceled, repeats$/ })
    await expect(canceled).toHaveCount(1)
    await onward.click()
    await expect(canceled).toHaveCount(1)
    await page.getByRole('button', { name: 'Previous week' }).click()
    await page.getByRole('button', { name: 'Previous week' }).click()
    await expect(booked).toHaveCount(1)
    await expect(canceled).toHaveCount(0)
  }))
