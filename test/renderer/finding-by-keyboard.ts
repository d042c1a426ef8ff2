import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import { settingsSections } from '#renderer/lib/routes.ts'
import { clientNamed, demoSessions } from '#test/support/demo-records.ts'
import type { Scene } from './scene.ts'

const practice = { settings: { service_address: 'https://practice.example/v1' } } as const
const note = `/sessions/${demoSessions[6]!.session.id}/note`
const focused = (page: Page) => page.locator(':focus')
const goTo = (page: Page, hash: string): Promise<string> => page.evaluate((to) => (location.hash = to), hash)

async function find(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox', { name: 'Search clients, notes, and settings' }).and(focused(page)).waitFor()
  await page.keyboard.type(typed)
}

/** The group that a result stands in, and the result. */
const result = (page: Page, group: string | RegExp, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('group', { name: group }).getByRole('option', { name })

/** Labels of what can be changed in the section that is shown. */
const labelsShown = (page: Page): Promise<string[]> =>
  page.locator('main .setting[data-setting]').evaluateAll((rows) =>
    rows.flatMap((row) => {
      const hasControl = row.querySelector('button, input') !== null
      return hasControl ? [(row as HTMLElement).dataset['setting'] ?? ''] : []
    }),
  )

export const findingByKeyboard: readonly (Scene & { readonly act: (page: Page) => Promise<void> })[] = [
  ...[
    ['laptop', {}],
    ['practice', practice],
  ].map(([name, demo]) => ({
    name: `every setting is found by its label, ${name as string}`,
    hash: '/settings',
    demo: { updates: 'idle', app: { protection: 'passphrase' }, ...(demo as object) } as const,
    async act(page: Page) {
      const search = page.getByRole('searchbox', { name: 'Search settings' })
      for (const section of settingsSections) {
        await goTo(page, `/settings/${section}`)
        await page.locator('main [data-setting]').first().waitFor()
        for (const label of await labelsShown(page)) {
          await search.fill(label)
          expect(await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').count(), label).toBeGreaterThan(0)
          await search.fill('')
        }
      }
    },
  })),
  {
    name: 'a setting is found, opened and changed from the keyboard, and only it says that it was saved',
    hash: '/settings/account',
    async act(page) {
      await page.getByRole('searchbox', { name: 'Search settings' }).focus()
      await page.keyboard.type('single let')
      await page.getByText('1 setting found').waitFor({ state: 'attached' })
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Appearance' }).waitFor()
      await page
        .getByRole('switch', { name: /Single-letter shortcuts/ })
        .and(focused(page))
        .waitFor()
      expect(await page.evaluate(() => location.hash)).toBe('#/settings/appearance')
      await page.keyboard.press('Space')
      await page.getByText('Saved', { exact: true }).waitFor()
      expect(await page.getByText('Saved', { exact: true }).count()).toBe(1)
    },
  },
  {
    name: 'Recording has the plain choice of transcription; its models are found under Advanced',
    hash: '/settings/recording',
    demo: { settings: { speech_engine: 'local' }, models: 'all there' },
    async act(page) {
      await page.getByText('Transcription is ready on this computer.').waitFor()
      expect(await page.locator('main').innerText()).not.toMatch(/Parakeet|checksum|mirror|License/)
      await page.getByRole('button', { name: 'Show models' }).press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Advanced' }).waitFor()
      await page.getByRole('list', { name: 'Speech to text' }).waitFor()
      await page.getByRole('searchbox', { name: 'Search settings' }).fill('speech to text')
      await page.getByRole('link', { name: 'Transcription models Advanced' }).waitFor()
    },
  },
  {
    name: 'Settings opens at the section that was shown last',
    hash: '/settings',
    async act(page) {
      await page.getByRole('heading', { level: 1, name: 'Account and security' }).waitFor()
      await page.getByRole('link', { name: 'Schedule' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor()
      expect(await page.getByRole('link', { name: 'Schedule' }).getAttribute('aria-current')).toBe('page')
      await page.keyboard.press('Control+1')
      await page.getByRole('heading', { level: 1, name: 'Tuesday, November 24' }).waitFor()
      await page.keyboard.press('Control+5')
      await page.getByRole('heading', { level: 1, name: 'Schedule' }).waitFor()
    },
  },
  {
    name: 'the head of a session leads to its client, and Back leads to the page before the session',
    hash: '/calendar',
    async act(page) {
      await page.getByRole('heading', { level: 1 }).waitFor()
      const { session, client_name } = demoSessions[6]!
      await goTo(page, `/sessions/${session.id}/note`)
      await page.getByRole('tab', { name: 'Transcript' }).click()
      await page.getByRole('button', { name: 'Back to Calendar' }).press('Enter')
      await page.waitForURL(/#\/calendar$/)
      await goTo(page, `/sessions/${session.id}/note`)
      await page.getByRole('link', { name: client_name }).press('Enter')
      await page.waitForURL(new RegExp(`#/clients/${session.client_id}$`))
      await goTo(page, `/sessions/${session.id}/note`)
      await page.getByRole('button', { name: 'Back to Clients' }).press('Enter')
      await page.waitForURL(new RegExp(`#/clients/${session.client_id}$`))
    },
  },
  {
    name: 'Ctrl+K finds appointments by their date, with client, time and status',
    hash: '/today',
    async act(page) {
      await find(page, 'today')
      await result(page, 'Appointments', /^Maren Voss Tuesday, November 24, 2:00 PM/).waitFor()
      const { session, client_name } = demoSessions[6]!
      const day = new Date(session.starts_at).toLocaleDateString('en-US', {
        month: 'short',
        day: 'numeric',
        timeZone: 'Europe/Prague',
      })
      await page.keyboard.press('Control+a')
      await page.keyboard.type(day.toLowerCase())
      await result(page, 'Appointments', new RegExp(`^${client_name}`))
        .first()
        .waitFor()
      await result(page, 'Appointments', new RegExp(`^${client_name}`))
        .first()
        .click()
      await page.waitForURL(/#\/sessions\//)
      expect(await page.title()).toBe('Afterword')
    },
  },
  {
    name: 'Ctrl+K finds settings and commands, and runs them',
    hash: '/today',
    async act(page) {
      await find(page, 'data fol')
      await result(page, 'Settings', /^About Advanced/).waitFor()
      await result(page, 'Settings', /^About Advanced/).click()
      await page.getByRole('heading', { level: 1, name: 'Advanced' }).waitFor()
      await page.getByRole('button', { name: 'Show shortcuts' }).and(focused(page)).waitFor()
      await find(page, 'new cl')
      await result(page, 'Commands', 'New client').waitFor()
      await result(page, 'Commands', 'New client').click()
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await find(page, 'lock')
      await result(page, 'Commands', /^Lock/).click()
      await page.getByRole('heading', { level: 1, name: 'Afterword is locked' }).waitFor()
    },
  },
  {
    name: 'words of notes and of transcripts are grouped by session, and each opens where it stands',
    hash: '/today',
    demo: { isToReview: true },
    async act(page) {
      await find(page, 'choir')
      await result(page, /^Transcript: /, /I went to choir on/)
        .first()
        .waitFor()
      await result(page, /^Note: /, 'Client reports going to choir again.')
        .first()
        .waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL(/#\/sessions\/[0-9a-f-]+\/note\?statement=plain$/)
      const sentence = (name: string) => page.getByRole('button', { name, pressed: true }).and(focused(page))
      await sentence('Client reports calling her sister.').waitFor()
      await page.evaluate(() => (location.hash = location.hash.replace('plain', 'doubt')))
      await sentence('Client sleeps eight hours.').waitFor()
    },
  },
  {
    name: 'N, C and L alone review every item of a note, also what was said and is not in it',
    hash: note,
    demo: { isToReview: true },
    async act(page) {
      const item = (id: string) => page.locator(`[data-note-item="${id}"]`)
      const decide = async (id: string, key: 'c' | 'l'): Promise<void> => {
        await item(id).locator(':focus').waitFor()
        await page.keyboard.press(key)
      }
      await page.getByRole('button', { name: 'Client denied thoughts of death.' }).waitFor()
      await decide('safety', 'c')
      await item('safety')
        .getByText(/^Safety statement, confirmed/)
        .waitFor()
      await decide('doubt', 'l')
      await item('doubt').waitFor({ state: 'detached' })
      await decide('source', 'c')
      await decide('first', 'c')
      await decide('second', 'l')
      await item('second').waitFor({ state: 'detached' })
      expect(await page.getByRole('button', { name: 'Sign note' }).isEnabled()).toBe(true)
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard' }).getByText('Leave it out').waitFor()
    },
  },
  {
    name: 'at 200% zoom most of the window is left to the note, and what is reviewed is in sight',
    hash: note,
    demo: { isToReview: true },
    async act(page) {
      await page.setViewportSize({ width: 640, height: 400 })
      await page.getByRole('button', { name: 'Client denied thoughts of death.' }).waitFor()
      for (const id of ['safety', 'doubt', 'source', 'first', 'second']) {
        if (id !== 'safety') await page.keyboard.press('n')
        await page.locator(`[data-note-item="${id}"] :focus`).waitFor()
        const row = (await page.locator(`[data-note-item="${id}"]`).boundingBox())!
        const bar = (await page.locator('.sign-bar').boundingBox())!
        expect(row.y).toBeGreaterThanOrEqual(0)
        expect(row.y + Math.min(row.height, 60)).toBeLessThanOrEqual(bar.y)
        expect(bar.height).toBeLessThan(52)
      }
      const { height } = (await page.locator('.note').boundingBox())!
      expect(height).toBeGreaterThan(290)
    },
  },
  {
    name: 'forced colors leave no text on its own color, and tell what is chosen',
    hash: note,
    demo: { isToReview: true },
    async act(page) {
      await page.emulateMedia({ forcedColors: 'active' })
      await page.getByRole('button', { name: 'Client denied thoughts of death.' }).click()
      const look = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => {
            const { color, backgroundColor, outlineColor, outlineStyle, borderBottomColor, forcedColorAdjust } =
              getComputedStyle(element)
            return { color, backgroundColor, outline: `${outlineStyle} ${outlineColor}`, borderBottomColor, forcedColorAdjust }
          })
      for (const filled of ['.ui-button-filled', '.evidence-link-selected']) {
        const { color, backgroundColor, forcedColorAdjust } = await look(filled)
        expect(forcedColorAdjust, filled).toBe('none')
        expect(color, filled).not.toBe(backgroundColor)
      }
      const { backgroundColor: highlight } = await look('.ui-button-filled')
      for (const chosen of ['.sidebar-page[aria-current]', '.statement-selected'])
        expect((await look(chosen)).outline, chosen).toBe(`solid ${highlight}`)
      expect((await look('.ui-tab[data-selected]')).borderBottomColor).toBe(highlight)
      await goTo(page, '/reports')
      await page.locator('.ui-segment[data-selected]').waitFor()
      expect((await look('.ui-segment[data-selected]')).backgroundColor).toBe(highlight)
      const parts = await Promise.all(['.report-completed', '.report-cancelled', '.report-no_show'].map(look))
      expect(new Set(parts.map(({ backgroundColor }) => backgroundColor)).size).toBe(3)
    },
  },
  {
    name: 'while nothing is synced, no page of it is in the navigation',
    hash: '/today',
    demo: { isEmpty: true },
    async act(page) {
      await page.getByRole('link', { name: 'Settings' }).waitFor()
      expect(await page.getByRole('link', { name: /^Sync/ }).count()).toBe(0)
      await page.keyboard.press('Control+6')
      expect(await page.evaluate(() => location.hash)).toBe('#/today')
    },
  },
]

export const findingScenes: readonly Scene[] = [
  {
    name: 'note, every kind of item to review',
    hash: note,
    demo: { isToReview: true },
    act: (page) => page.getByRole('button', { name: 'Client denied thoughts of death.' }).click(),
  },
  {
    name: 'find, before anything is typed',
    hash: `/clients/${clientNamed('Maren').client.id}`,
    act: (page) => page.keyboard.press('Control+k'),
  },
  { name: 'find, appointments of a day', hash: '/today', act: (page) => find(page, 'today') },
]
