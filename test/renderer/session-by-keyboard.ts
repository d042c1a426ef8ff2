import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import { demoSessions } from '#test/support/demo-records.ts'
import { audioScenes, consentScenes } from './consent-scenes.ts'
import type { Scene } from './scene.ts'
import { chooseTemplate, fieldOf, typedNotes, typeInIntake } from './typed-notes.ts'

const session = `/sessions/${demoSessions[6]!.session.id}`

async function listen(page: Page): Promise<void> {
  const player = page.getByRole('group', { name: 'Position in the recording' })
  await player.getByText('of 00:16').waitFor()
  const play = player.getByRole('button', { name: 'Play the recording' })
  await play.press('Enter')
  await player.getByRole('button', { name: 'Pause' }).press('Enter')
  await play.waitFor()
  const place = player.getByRole('slider', { name: 'Position in the recording' })
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
    name: 'the evidence link of a sentence with two sources names the first and counts the other',
    hash: `${session}/note`,
    demo: { isToReview: true },
    act: (page) => page.getByRole('button', { name: 'Source, 12:15 and 1 more, reworded. Show and play', exact: true }).waitFor(),
  },
  {
    name: 'a note opens at a typed sentence, which is selected in its text field',
    hash: `${session}/note?statement=she-described-pride-after-the-call-followed-by-guilt-when-he`,
    demo: { typing: 'draft' },
    async act(page) {
      await page.getByRole('textbox', { name: 'Subjective, your own words' }).and(page.locator(':focus')).waitFor()
      const selected = await page.evaluate(() => window.getSelection()?.toString())
      expect(selected).toBe('She described pride after the call, followed by guilt when her mother texted.')
    },
  },
  {
    name: 'a signed note opens at a sentence, and its source is beside it',
    hash: `${session}/note?statement=said`,
    demo: { audio: 'signed, kept' },
    async act(page) {
      await page.locator('.statement-selected[data-note-item="said"] :focus').waitFor()
      await page.getByRole('complementary').getByRole('button', { name: 'Show in transcript' }).waitFor()
    },
  },
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
      const field = page.getByLabel('Transcript text')
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
      const add = page.getByRole('button', { name: 'Add addendum' })
      const field = page.getByLabel('Addendum text')
      await add.press('Enter')
      await field.and(page.locator(':focus')).waitFor()
      await field.fill('She called on Friday.')
      await page.getByLabel('Reason for the addendum').fill('Left out.')
      await toAnotherTabAndPage(page, 'Note')
      expect(await field.inputValue()).toBe('She called on Friday.')
      expect(await page.getByLabel('Reason for the addendum').inputValue()).toBe('Left out.')
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
      await page.getByText('This session’s note is lost.').first().waitFor()
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
      await page.getByText('You have 7 notes to finish.', { exact: false }).waitFor()
      const left = page.locator('.today-left li')
      expect(await left.count()).toBe(5)
      expect(await left.first().innerText()).toContain('today')
      await page.getByRole('button', { name: 'Show all 7 notes' }).waitFor()
    },
  },
  ...typedNotes,
]

const client = `/clients/${demoSessions[6]!.session.client_id}`
const recorded = { recorded: 'without a transcript' } as const
const waitForSound = (page: Page) => page.getByText('of 00:16').waitFor()

/** A steady tone stands in for the microphone. */
async function dictate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const hear = async (): Promise<MediaStream> => {
      const context = new AudioContext()
      const [tone, target] = [context.createOscillator(), context.createMediaStreamDestination()]
      tone.connect(target)
      tone.start()
      return target.stream
    }
    Object.defineProperty(navigator, 'mediaDevices', { value: Object.assign(new EventTarget(), { getUserMedia: hear }) })
  })
  await page.getByRole('region', { name: 'Subjective' }).getByRole('button', { name: 'Dictate' }).click()
  await page.locator('.dictating').getByText('00:02').waitFor()
}

export const sessionScenes: readonly Scene[] = [
  ...audioScenes,
  ...consentScenes,
  { name: 'session, a recording without a transcript', hash: `${session}/transcript`, demo: recorded, act: waitForSound },
  { name: 'session, a recording that ended', hash: `${session}/record`, demo: recorded, act: waitForSound },
  { name: 'note, none and no transcript', hash: `${session}/note`, demo: { typing: 'nothing' } },
  {
    name: 'note, typed, with snippets open',
    hash: `${session}/note`,
    demo: { typing: 'nothing' },
    act: async (page) => {
      await page.getByRole('button', { name: 'Type the note' }).click()
      await fieldOf(page, 'Subjective').fill('Slept well on five of seven nights.\nCalled her sister.')
      await fieldOf(page, 'Objective').pressSequentially('Arrived on time. /ms')
      await page.getByRole('option', { name: '/mse Alert' }).waitFor()
    },
  },
  {
    name: 'note, a dictation waits, and the microphone is on for another',
    hash: `${session}/note`,
    demo: { typing: 'draft', dictation: 'waiting' },
    act: dictate,
  },
  {
    name: 'note, its history',
    hash: `${session}/note`,
    demo: { typing: 'draft' },
    act: async (page) => {
      await fieldOf(page, 'Plan').fill('See her on Tuesday at nine. Keep the sleep diary.')
      await page.getByRole('button', { name: 'History' }).click()
      await page.getByRole('deletion').waitFor()
    },
  },
  {
    name: 'note, dictation is not set up',
    hash: `${session}/note`,
    demo: { typing: 'draft', dictation: 'not set up' },
    act: async (page) => {
      await page.getByRole('region', { name: 'Subjective' }).getByRole('button', { name: 'Dictate' }).click()
      await page.getByText('Dictation needs transcription on this computer').waitFor()
    },
  },
  {
    name: 'note, typed beside a draft',
    hash: `${session}/note`,
    demo: { typing: 'draft' },
    act: async (page) => {
      await fieldOf(page, 'Plan').fill('See her Tuesday.')
      await page.getByRole('button', { name: 'Add', exact: true }).click()
    },
  },
  {
    name: 'note, switched to a template without all of its sections',
    hash: `${session}/note`,
    demo: { typing: 'nothing' },
    act: async (page) => {
      await typeInIntake(page)
      await chooseTemplate(page, 'DAP')
      await page.getByText('1 sentence from Diagnosis has no place in DAP.').waitFor()
    },
  },
  {
    name: 'note, carried forward from the last one',
    hash: `${session}/note`,
    demo: { typing: 'nothing' },
    act: async (page) => {
      await page.getByRole('button', { name: 'Type the note' }).click()
      await page.getByRole('button', { name: 'Carry forward Plan' }).click()
      await page.getByText('2 sentences from the last note to confirm').waitFor()
    },
  },
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
  {
    name: 'note, choices of the export',
    hash: `${session}/note`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Export' }).press('Enter')
      for (const name of ['PDF', 'Word (.docx)', 'Plain text (.txt)', 'Copy as text', 'Copy “Plan” only'])
        await page.getByRole('menuitem', { name, exact: true }).waitFor()
    },
  },
  {
    name: 'note, a PDF that lacks characters',
    hash: `${session}/note`,
    act: async (page) => {
      await page.getByRole('button', { name: 'Export' }).press('Enter')
      await page.getByRole('menuitem', { name: 'PDF', exact: true }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'The PDF can’t show every character' })
      await dialog.getByText('Its font doesn’t have: 王 ע.').waitFor()
      await dialog.getByRole('button', { name: 'Save Word document' }).waitFor()
    },
  },
  {
    name: 'note, codes for the payer',
    hash: `${session}/note`,
    demo: { isNoteOutdated: true },
    act: async (page) => {
      for (const [field, option] of [
        ['CPT code', '90839 Psychotherapy for crisis'],
        ['Place of service', '10 Telehealth, client at home'],
        ['Modifier', '95 video'],
      ] as const) {
        await page.getByRole('button', { name: field }).press('Enter')
        await page.getByRole('option', { name: option }).press('Enter')
      }
      await page.getByRole('button', { name: 'Place of service' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'today, lost notes', hash: '/today', demo: { lostNotes: true } },
  { name: 'client, a lost note', hash: client, demo: { lostNotes: true } },
  { name: 'today, many unsigned notes', hash: '/today', demo: { unsigned: 12 } },
]
