import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { openSettings } from './office.ts'
import { withOneClient } from './one-client.ts'

/** Hours are in the afternoon. */
async function setHours(page: Page, days: readonly string[], from: string, to: string): Promise<void> {
  await openSettings(page, 'Schedule')
  await page.getByRole('button', { name: 'Set working hours' }).click()
  const dialog = page.getByRole('dialog')
  const part = (field: string, name: RegExp) =>
    dialog.getByRole('group', { name: field, exact: true }).getByRole('spinbutton', { name })
  for (const day of days) {
    await part(`${day} from`, /hour/).fill(from)
    await part(`${day} from`, /AM\/PM/).press('p')
    await part(`${day} to`, /hour/).fill(to)
  }
  await dialog.getByRole('button', { name: 'Save working hours' }).click()
}

test('a time is found in words and within the working hours and booked, stands in the week, and counts among the figures', () =>
  withOneClient(async ({ page, look }) => {
    await setHours(page, ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'], '1', '6')
    await expect(page.getByText('Monday to Friday, 1:00 PM to 6:00 PM')).toBeVisible()
    await page.getByRole('button', { name: 'Add time off' }).click()
    await page.getByLabel('Label').fill('Vacation')
    await page.getByRole('button', { name: 'Save time off' }).click()
    const remove = page.getByRole('button', { name: /^Remove Vacation, / })
    await expect(remove).toBeVisible()
    await look('calendar-hours')
    await remove.click()
    await expect(page.getByText('No time off scheduled.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(remove).toBeVisible()
    await remove.click()
    await expect(page.getByText('No time off scheduled.')).toBeVisible()
    await page.getByRole('link', { name: 'Calendar' }).click()
    await page.getByRole('button', { name: 'New appointment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Find a free time' }).click()
    await dialog.getByRole('button', { name: 'Find times' }).click()
    await expect(dialog.getByText('Choose a client.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Client' }).click()
    await page.getByRole('option', { name: 'Ottoline Brightwater' }).click()
    await dialog.getByLabel('Preferred times').fill('Saturday')
    await dialog.getByRole('button', { name: 'Find times' }).click()
    await expect(dialog.getByText('No available times within four weeks.')).toBeVisible()
    await expect(dialog.getByText(/your working hours/)).toBeVisible()
    await dialog.getByLabel('Preferred times').fill('not before 2 PM')
    await dialog.getByRole('checkbox', { name: 'Repeat every week' }).check({ force: true })
    await dialog.getByLabel('Number of weeks').fill('3')
    await dialog.getByRole('button', { name: 'Find times' }).click()
    const best = dialog.getByRole('radio').first()
    await expect(best).toBeChecked()
    await look('calendar-found')
    const book = dialog.getByRole('button', { name: /^Book .* PM$/ })
    const when = (await book.innerText()).replace('Book ', '')
    const hourFound = Number(/(\d+):\d\d PM$/.exec(when)?.[1])
    expect(hourFound).toBeGreaterThanOrEqual(2)
    // The last that ends within the hours begins at ten past five.
    expect(hourFound).toBeLessThan(6)
    await book.click()
    await expect(page.getByText(/Booked: Ottoline Brightwater, /)).toBeVisible()
    // The first may lie in this week or the next; the second a week later.
    const booked = page.getByRole('button', { name: /^Ottoline Brightwater, / })
    const onward = page.getByRole('button', { name: 'Next week' })
    if ((await booked.count()) === 0) await onward.click()
    await expect(booked).toHaveCount(1)
    await look('calendar-booked')
    await onward.click()
    await expect(booked).toHaveCount(1)

    await page.getByRole('link', { name: 'Reports' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()
    await page.getByText('This year').click()
    await page.getByRole('button', { name: 'Show as a table' }).click()
    await look('figures')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const table = readFileSync(await (await saving).path(), 'utf8')
    expect(table).toMatch(/^from,to,sessions_by_status\./)
    const [names = '', last = ''] = [table.split('\r\n')[0], table.trimEnd().split('\r\n').at(-1)]
    const scheduled = last.split(',')[names.split(',').indexOf('sessions_by_status.scheduled')]
    expect(Number(scheduled)).toBeGreaterThanOrEqual(1)
  }))

test('an appointment is moved, called off late, put back, deleted and brought back from where it stands', () =>
  withOneClient(async ({ page, look }) => {
    const now = new Date()
    const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
    await page.getByRole('link', { name: 'Today' }).click()
    const dialog = page.getByRole('dialog')
    const part = (name: RegExp) => dialog.getByRole('spinbutton', { name })
    const fillHour = async (hour: number): Promise<void> => {
      await part(/hour/).fill(String(hour % 12 || 12))
      await part(/AM\/PM/).press(hour < 12 ? 'a' : 'p')
    }
    const addAt = async (day: Date, hour: number): Promise<void> => {
      await page.getByRole('button', { name: 'New appointment' }).first().click()
      await dialog.getByRole('button', { name: 'Client' }).click()
      await page.getByRole('option', { name: 'Ottoline Brightwater' }).click()
      await part(/day/).fill(String(day.getDate()))
      await part(/month/).fill(String(day.getMonth() + 1))
      await part(/year/).fill(String(day.getFullYear()))
      await fillHour(hour)
      await part(/minute/).fill('00')
      await dialog.getByRole('button', { name: 'Add appointment' }).click()
    }
    await addAt(yesterday, 10)
    await expect(page.getByText(/Added: Ottoline Brightwater, /)).toBeVisible()
    const left = page.getByRole('complementary', { name: 'Notes and tomorrow' })
    const asked = left.getByRole('group', { name: 'Did the session with Ottoline Brightwater take place?' })
    await expect(asked).toBeVisible()
    await expect(page.getByText('One note to finish.')).toBeVisible()
    await look('appointment-asked')
    await asked.getByRole('button', { name: 'No-show' }).click()
    await expect(page.getByText('No notes to finish.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(asked).toBeVisible()

    await addAt(yesterday, 10)
    await expect(dialog.getByText(/You already have an appointment at that time: Ottoline Brightwater, /)).toBeVisible()
    await fillHour(12)
    await dialog.getByRole('button', { name: 'Add appointment' }).click()
    await expect(asked).toHaveCount(2)

    const bookings = page.getByRole('button', { name: /^Ottoline Brightwater, / })
    const toWeekOfYesterday = async (): Promise<void> => {
      await page.getByRole('link', { name: 'Calendar' }).click()
      if (now.getDay() === 0) await page.getByRole('button', { name: 'Previous week' }).click()
    }
    await toWeekOfYesterday()
    await expect(bookings).toHaveCount(2)
    await bookings.nth(1).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Reschedule…' }).click()
    await fillHour(10)
    await part(/minute/).fill('30')
    await dialog.getByRole('button', { name: 'Reschedule' }).click()
    await expect(dialog.getByText(/You already have an appointment at that time/)).toBeVisible()
    await look('appointment-taken')
    await fillHour(14)
    await dialog.getByRole('button', { name: 'Reschedule' }).click()
    const moved = page.getByRole('button', { name: /^Ottoline Brightwater, 2:30\s–\s3:20\sPM/ })
    await expect(moved).toBeVisible()

    await moved.click()
    await page.getByRole('menuitem', { name: 'Cancel appointment…' }).click()
    await dialog.getByText('Late cancellation', { exact: true }).click()
    await dialog.getByLabel('Reason (optional)').fill('Migraine')
    await dialog.getByRole('button', { name: 'Cancel appointment' }).click()
    const late = page.getByRole('button', { name: /^Ottoline Brightwater, 2:30\s–\s3:20\sPM, Late cancel/ })
    await expect(late).toBeVisible()
    await late.click()
    await page.getByRole('menuitem', { name: 'Open session' }).click()
    await expect(page.getByText('Migraine')).toBeVisible()
    await look('appointment-canceled')
    await page.getByRole('button', { name: 'Appointment', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete appointment…' }).click()
    await dialog.getByRole('button', { name: 'Delete appointment' }).click()
    await expect(page.getByText('One note to finish.')).toBeVisible()
    await toWeekOfYesterday()
    await expect(bookings).toHaveCount(1)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect(late).toBeVisible()
    await page.getByRole('link', { name: 'Reports' }).click()
    await expect(page.getByText('1 note to finish.')).toBeVisible()
  }))

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
      await dialog.getByRole('button', { name: 'Add session' }).click()
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
    await dialog.getByRole('button', { name: 'Add session' }).press('Enter')
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
    await dialog.getByRole('checkbox', { name: 'Every week' }).check({ force: true })
    await dialog.getByLabel('How many weeks').fill('3')
    await dialog.getByRole('button', { name: 'Find times' }).click()
    const book = dialog.getByRole('button', { name: /^Book .* [AP]M$/ })
    const [, hour = '', half = ''] = /(\d+):\d\d\s([AP]M)$/.exec(await book.innerText())!
    await book.click()
    await expect(dialog).toBeHidden()
    const booked = page.getByRole('button', { name: /^Ottoline Brightwater, .*repeats$/ })
    const onward = page.getByRole('button', { name: 'Next week' })
    if ((await booked.count()) === 0) await onward.click()
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
