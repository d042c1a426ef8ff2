import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { withOneClient } from './one-client.ts'

/** Hours are in the afternoon. */
async function setHours(page: Page, days: readonly string[], from: string, to: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click()
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
    await page.getByLabel('What it is').fill('Holiday')
    await page.getByRole('button', { name: 'Save time off' }).click()
    const remove = page.getByRole('button', { name: /^Remove Holiday, / })
    await expect(remove).toBeVisible()
    await look('week-hours')
    await remove.click()
    await expect(page.getByText('Nothing is planned.')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(remove).toBeVisible()
    await remove.click()
    await expect(page.getByText('Nothing is planned.')).toBeVisible()
    await page.getByRole('link', { name: 'Week' }).click()
    await page.getByRole('button', { name: 'New booking' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Show times' }).click()
    await expect(dialog.getByText('Choose who the session is with.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Client' }).click()
    await page.getByRole('option', { name: 'Ottoline Brightwater' }).click()
    await dialog.getByLabel('When would suit').fill('Saturday')
    await dialog.getByRole('button', { name: 'Show times' }).click()
    await expect(dialog.getByText('No time within four weeks fits.')).toBeVisible()
    await expect(dialog.getByText(/your working hours/)).toBeVisible()
    await dialog.getByLabel('When would suit').fill('not before 2 PM')
    await dialog.getByRole('checkbox', { name: 'Every week' }).check({ force: true })
    await dialog.getByLabel('How many weeks').fill('3')
    await dialog.getByRole('button', { name: 'Show times' }).click()
    const best = dialog.getByRole('radio').first()
    await expect(best).toBeChecked()
    await look('week-found')
    const book = dialog.getByRole('button', { name: /^Book .* PM$/ })
    const when = (await book.innerText()).replace('Book ', '')
    const hourFound = Number(/(\d+):\d\d PM$/.exec(when)?.[1])
    expect(hourFound).toBeGreaterThanOrEqual(2)
    // The last that ends within the hours begins at ten past five.
    expect(hourFound).toBeLessThan(6)
    await book.click()
    await expect(page.getByText(/Ottoline Brightwater, .* was booked\./)).toBeVisible()
    // The first may lie in this week or the next; the second a week later.
    const booked = page.getByRole('button', { name: /^Ottoline Brightwater, / })
    const onward = page.getByRole('button', { name: 'The week after' })
    if ((await booked.count()) === 0) await onward.click()
    await expect(booked).toHaveCount(1)
    await look('week-booked')
    await onward.click()
    await expect(booked).toHaveCount(1)

    await page.getByRole('link', { name: 'Figures' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Practice figures' })).toBeVisible()
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
