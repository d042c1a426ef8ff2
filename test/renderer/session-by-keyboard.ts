import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import { demoSessions } from '#test/support/demo-records.ts'
import type { Scene } from './scene.ts'

const session = `/sessions/${demoSessions[6]!.session.id}`

async function listen(page: Page): Promise<void> {
  const player = page.getByRole('group', { name: 'Place in the recording' })
  await player.getByText('of 00:16').waitFor()
  const play = player.getByRole('button', { name: 'Play the recording' })
  await play.press('Enter')
  await player.getByRole('button', { name: 'Pause' }).press('Enter')
  await play.waitFor()
  const place = player.getByRole('slider', { name: 'Place in the recording' })
  await place.press('Home')
  await place.press('ArrowRight')
  expect(await place.getAttribute('aria-valuetext')).toBe('5 seconds of 16 seconds')
  await player.getByText('00:05 of 00:16').waitFor()
}

const typed = 'Therapist: How was the week?'

async function unlock(page: Page): Promise<void> {
  await page.keyboard.press('Control+l')
  await page.getByLabel('Passphrase', { exact: true }).fill('four calm words here')
  await page.getByRole('button', { name: 'Unlock' }).click()
  await page.getByRole('tab', { name: 'Consent' }).waitFor()
}

const stored = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]))

async function toAnotherTabAndPage(page: Page, tab: string): Promise<void> {
  await page.getByRole('tab', { name: 'Consent' }).click()
  await page.getByRole('heading', { name: 'Consent' }).first().waitFor()
  await page.keyboard.press('Control+1')
  await page.getByRole('heading', { level: 1, name: 'Tuesday, November 24' }).waitFor()
  await page.goBack()
  await page.getByRole('tab', { name: tab }).click()
}

/** What a session's page offers while there is no transcript. */
export const sessionByKeyboard: readonly (Scene & { readonly act: (page: Page) => Promise<void> })[] = [
  {
    name: 'a recording without a transcript is heard on the Transcript tab',
    hash: `${session}/transcript`,
    demo: { recorded: 'without a transcript' },
    act: listen,
  },
  {
    name: 'a recording that ended is heard on the Record tab',
    hash: `${session}/record`,
    demo: { recorded: 'without a transcript' },
    act: listen,
  },
  {
    name: 'a transcript that is typed and not kept is still there after another tab and page, and gone after a lock',
    hash: `${session}/transcript`,
    demo: { recorded: 'without a transcript' },
    async act(page) {
      const field = page.getByLabel('What was said')
      await field.fill(typed)
      await toAnotherTabAndPage(page, 'Transcript')
      expect(await field.inputValue()).toBe(typed)
      expect(await stored(page)).not.toContain('How was the week')
      await page.evaluate((hash) => (location.hash = hash), `/sessions/${demoSessions[7]!.session.id}/transcript`)
      await page.getByRole('heading', { name: 'Ada and Jonah Pell' }).first().waitFor()
      await expect.poll(() => field.inputValue()).toBe('')
      await page.evaluate((hash) => (location.hash = hash), `${session}/transcript`)
      await expect.poll(() => field.inputValue()).toBe(typed)
      await unlock(page)
      await expect.poll(() => field.inputValue()).toBe('')
    },
  },
  {
    name: 'an addendum that is typed and not added is still there after another tab and page, until Cancel or a lock',
    hash: `${session}/note`,
    demo: { lost: [] },
    async act(page) {
      const add = page.getByRole('button', { name: 'Add an addendum' })
      const field = page.getByLabel('What is added')
      await add.press('Enter')
      await field.and(page.locator(':focus')).waitFor()
      await field.fill('She called on Friday.')
      await page.getByLabel('Why it is added').fill('Left out.')
      await toAnotherTabAndPage(page, 'Note')
      expect(await field.inputValue()).toBe('She called on Friday.')
      expect(await page.getByLabel('Why it is added').inputValue()).toBe('Left out.')
      expect(await field.and(page.locator(':focus')).count()).toBe(0)
      expect(await stored(page)).not.toContain('Friday')
      await page.getByRole('button', { name: 'Cancel' }).press('Enter')
      await add.press('Enter')
      expect(await field.inputValue()).toBe('')
      await field.fill('She called on Friday.')
      await unlock(page)
      await add.press('Enter')
      expect(await field.inputValue()).toBe('')
    },
  },
  {
    name: 'a lost note is called lost on Today and on the page of the client, and is not called missing',
    hash: '/today',
    demo: { lostNotes: true },
    async act(page) {
      await page.getByText('The note of this session is lost.').first().waitFor()
      await page.getByText('Note lost', { exact: true }).first().waitFor({ state: 'attached' })
      expect(await page.locator('main').innerText()).not.toMatch(/There is no draft yet|There is no note|No note/)
      await page.evaluate((hash) => (location.hash = hash), `/clients/${demoSessions[6]!.session.client_id}`)
      await page.getByText('One note is lost.').waitFor()
      await page.getByText('Note lost', { exact: true }).waitFor()
      expect(await page.locator('main').innerText()).not.toMatch(/None yet|No note/)
    },
  },
  {
    name: 'Today lists five notes to finish, the latest first, and counts the others',
    hash: '/today',
    demo: { unsigned: 7 },
    async act(page) {
      await page.getByText('Seven notes to finish.', { exact: false }).waitFor()
      const left = page.locator('.today-left li')
      expect(await left.count()).toBe(5)
      expect(await left.first().innerText()).toContain('today')
      await page.getByText('And 2 more notes.').waitFor()
    },
  },
]

const lacks = { isDeaf: { isDeaf: true }, refused: { refused: 'transcribe' } } as const

/** What a session's page says about consent and about a transcript before it is too late. */
const consentScenes: readonly Scene[] = [
  {
    name: 'without consent to a drafted note, the Note tab says so and leads to the consent',
    hash: `${session}/note`,
    demo: { refused: 'draft' },
    async act(page) {
      await page.getByText('Ines Caldeira has not agreed to a drafted note.').waitFor()
      expect(await page.getByRole('button', { name: 'Write draft' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Record consent' }).press('Enter')
      await page.getByRole('tab', { name: 'Consent and audio', selected: true }).waitFor()
      await page.getByRole('tab', { name: 'Note' }).click()
    },
  },
  {
    name: 'without consent to a transcript, the Transcript tab says so and leads to the consent',
    hash: `${session}/transcript`,
    demo: { refused: 'transcribe', recorded: 'without a transcript' },
    async act(page) {
      await page.getByText('Ines Caldeira has not agreed to a transcript.').waitFor()
      await page.getByRole('button', { name: 'Record consent' }).press('Enter')
      await page.getByRole('tab', { name: 'Consent and audio', selected: true }).waitFor()
      await page.getByRole('tab', { name: 'Transcript' }).click()
    },
  },
  {
    name: 'Start recording says beforehand that no transcript can be made yet, and where to set it up',
    hash: `/sessions/${demoSessions[8]!.session.id}/record`,
    demo: { isDeaf: true },
    async act(page) {
      await page.getByRole('button', { name: 'Start recording' }).waitFor()
      await page.getByText('No transcript can be made yet. Set up transcription in Settings, under Recording.').waitFor()
    },
  },
  ...(['isDeaf', 'refused'] as const).map((lack) => ({
    name: `ending a session without ${lack === 'isDeaf' ? 'transcription' : 'consent to a transcript'} promises no transcript`,
    hash: `${session}/record`,
    demo: { isRunningElsewhere: true, ...lacks[lack] } as const,
    async act(page: Page) {
      await page.getByRole('button', { name: 'End session' }).press('Enter')
      const dialog = page.getByRole('dialog')
      const words = lack === 'isDeaf' ? /^No transcript can be made yet\..* in Settings/ : 'Not everyone agreed to a transcript'
      await dialog.getByText(words).waitFor()
      expect(await dialog.innerText()).not.toMatch(/afterwards|is written next/)
    },
  })),
  {
    name: 'a withdrawal while another window records does not claim that it is paused',
    hash: `${session}/record`,
    demo: { isRunningElsewhere: true },
    async act(page) {
      await page.getByRole('button', { name: 'Consent withdrawn…' }).press('Enter')
      await page.getByRole('dialog').getByText('Another window is recording.').waitFor()
    },
  },
]

const client = `/clients/${demoSessions[6]!.session.client_id}`
const recorded = { recorded: 'without a transcript' } as const
const waitForSound = (page: Page) => page.getByText('of 00:16').waitFor()

export const sessionScenes: readonly Scene[] = [
  ...consentScenes,
  { name: 'session, a recording without a transcript', hash: `${session}/transcript`, demo: recorded, act: waitForSound },
  { name: 'session, a recording that ended', hash: `${session}/record`, demo: recorded, act: waitForSound },
  { name: 'note, its transcript changed', hash: `${session}/note`, demo: { isNoteOutdated: true } },
  {
    name: 'note, signing after its transcript changed',
    hash: `${session}/note`,
    demo: { isNoteOutdated: true },
    act: async (page) => {
      await page.getByRole('button', { name: 'Sign note' }).click()
      await page.getByRole('button', { name: 'Keep draft and sign' }).waitFor()
    },
  },
  { name: 'today, lost notes', hash: '/today', demo: { lostNotes: true } },
  { name: 'client, a lost note', hash: client, demo: { lostNotes: true } },
  { name: 'today, many unsigned notes', hash: '/today', demo: { unsigned: 12 } },
]
