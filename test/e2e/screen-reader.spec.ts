import { expect, type Page, test } from '@playwright/test'
import { withOneClient } from './one-client.ts'

const talk = [
  'Therapist: How was the week?',
  'Client: I slept badly, maybe three hours a night.',
  'Therapist: Any thoughts of hurting yourself?',
  'Client: No, no thoughts of hurting myself.',
  'Therapist: Please keep a sleep diary until next Thursday.',
  'Client: I will keep it every morning. I take melatonin at night.',
].join('\n\n')

const needName = [
  'button',
  'link',
  'textbox',
  'searchbox',
  'checkbox',
  'radio',
  'switch',
  'tab',
  'combobox',
  'slider',
  'option',
  'dialog',
]
const nameless = new RegExp(`^\\s*- (?:${needName.join('|')})(?! ")\\b.*$`, 'gm')

/** Reads the whole window as assistive technology is given it. */
async function read(page: Page): Promise<string> {
  const tree = await page.locator('body').ariaSnapshot()
  expect(tree.match(nameless) ?? [], tree).toEqual([])
  if (/^\s*- (alert)?dialog /m.test(tree)) return tree
  expect(tree.match(/^\s*- heading ".*" \[level=1\]/gm), tree).toHaveLength(1)
  for (const landmark of ['banner', 'navigation', 'main']) expect(tree).toMatch(new RegExp(`^\\s*- ${landmark}\\b`, 'm'))
  return tree
}

const press = (page: Page, role: 'button' | 'link' | 'tab' | 'menuitem', name: string | RegExp, key = 'Enter'): Promise<void> =>
  page
    .getByRole(role, { name, exact: typeof name === 'string' })
    .first()
    .press(key)
const announced = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).first()
const isFocusInside = (page: Page, selector: string) =>
  expect.poll(() => page.evaluate((within) => document.activeElement?.closest(within) !== null, selector)).toBe(true)

async function holdSession(page: Page): Promise<void> {
  await press(page, 'button', 'Schedule')
  await isFocusInside(page, '[role=dialog]')
  expect(await read(page)).toMatch(/- dialog ".*Ottoline Brightwater.*"/)
  await press(page, 'button', 'Add appointment')
  await expect(page.getByRole('tab', { name: 'Record', selected: true })).toBeVisible()
  await read(page)
  for (const box of [
    'Recording this and later sessions',
    'Creating a transcript from the recording',
    'Drafting a note from the transcript',
  ])
    await page.getByRole('checkbox', { name: box }).press('Space')
  await press(page, 'button', /consent$/)
  await press(page, 'button', 'Start recording')
  await expect(announced(page, 'Recording')).toBeAttached()
  await expect(page.getByText(/^Saved 00:00:0[2-9]$/)).toBeVisible()
  expect(await read(page)).toMatch(/- timer/)
  await page.keyboard.press('p')
  await expect(announced(page, 'Paused')).toBeAttached()
  await press(page, 'button', 'End session')
  await isFocusInside(page, '[role=dialog], [role=alertdialog]')
  await read(page)
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function bringTranscript(page: Page): Promise<void> {
  await press(page, 'tab', 'Transcript')
  await page.setInputFiles('input[type=file]', { name: 'turns.txt', mimeType: 'text/plain', buffer: Buffer.from(talk) })
  await expect(page.getByRole('region', { name: 'Lines' }).getByRole('listitem').first()).toBeVisible()
  expect(await read(page)).toMatch(/- region "Lines"/)
}

/** Every item to review is decided by N, C and L alone. */
async function review(page: Page): Promise<void> {
  const sign = page.getByRole('button', { name: 'Sign note' })
  for (let left = 40; left > 0 && (await sign.isDisabled()); left -= 1) {
    await page.keyboard.press('n')
    await isFocusInside(page, '[data-note-item]')
    const item = page.locator('[data-note-item]:focus-within')
    const id = await item.getAttribute('data-note-item')
    const isOffered = (await item.getByRole('button', { name: /^Leave out/ }).count()) > 0
    await page.keyboard.press(isOffered && left % 2 === 0 ? 'l' : 'c')
    await expect(
      page.locator(`[data-note-item="${id}"]`).getByRole('button', { name: /^(Confirm|Leave out|Keep as)/ }),
    ).toHaveCount(0)
  }
  await expect(sign).toBeEnabled()
}

test('the whole job is done by the names, roles and announcements a screen reader is given, from consent to the signed note', () =>
  withOneClient(async ({ page }) => {
    expect(await read(page)).toContain('- heading "Ottoline Brightwater" [level=1]')
    await holdSession(page)
    await bringTranscript(page)
    await press(page, 'tab', 'Note')
    await press(page, 'button', 'Write draft')
    await expect(
      page
        .getByRole('list', { name: /Subjective/ })
        .getByRole('listitem')
        .first(),
    ).toBeVisible()
    expect(await read(page)).toMatch(/- button "Source, .*(word for word|reworded)\. Show/)
    await review(page)
    await page.keyboard.press('Control+Enter')
    // Signing deletes the audio that the client did not agree to keep, so the dialog begins on Not yet.
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Not yet' })).toBeFocused()
    expect(await read(page)).toMatch(/audio/)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Sign note' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Signed by/)).toBeVisible()
    await read(page)
    await press(page, 'link', 'Ottoline Brightwater')
    await expect(page.getByRole('tab', { name: 'Overview', selected: true })).toBeVisible()
    await read(page)
    for (const name of ['Today', 'Calendar', 'Reports', 'Settings']) {
      await press(page, 'link', name)
      await expect(page.getByRole('link', { name, exact: true }).and(page.locator('[aria-current=page]'))).toBeVisible()
      // The page's script may still be loading.
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await read(page)
    }
  }))
