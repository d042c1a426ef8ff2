import type { Locator, Page } from '@playwright/test'
import { expect } from 'vitest'
import { demoSessions } from '#test/support/demo-records.ts'
import type { Scene } from './scene.ts'

const hash = `/sessions/${demoSessions[6]!.session.id}/note`

export const fieldOf = (page: Page, section: string): Locator => page.getByRole('textbox', { name: `${section}, your own words` })

const bar = (page: Page): Locator => page.locator('.sign-bar')
const saved = (page: Page) => bar(page).getByText('Saved', { exact: true }).waitFor()
const focused = (page: Page, field: Locator) => field.and(page.locator(':focus')).waitFor()

export async function chooseTemplate(page: Page, name: string): Promise<void> {
  const choice = page.locator('.template-choice button, .no-note-form .ui-select-button').first()
  await choice.press('Enter')
  await page.getByRole('option', { name }).first().waitFor()
  await page.keyboard.type(name.slice(0, 3))
  await page.keyboard.press('Enter')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
}

export async function typeInIntake(page: Page): Promise<void> {
  await chooseTemplate(page, 'Intake')
  await page.getByRole('button', { name: 'Type the note' }).press('Enter')
  await fieldOf(page, 'Diagnosis').fill('Insomnia disorder, F51.01.')
  await fieldOf(page, 'Presenting problem').fill('Wakes at four.')
}

/** Pastes as a therapist would from another program. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((words) => navigator.clipboard.writeText(words), text)
  await page.keyboard.press('Control+v')
}

/** Notes that are typed, on the Note tab. */
export const typedNotes: readonly (Scene & { readonly act: (page: Page) => Promise<void> })[] = [
  {
    name: 'a note is typed from nothing: the first field has the focus, an empty note cannot be signed, text is saved',
    hash,
    demo: { typing: 'nothing' },
    async act(page) {
      expect(await page.getByRole('button', { name: 'Write draft' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Type the note' }).press('Enter')
      await focused(page, fieldOf(page, 'Subjective'))
      await bar(page).getByText('The note is empty. Type at least one sentence to sign it.').waitFor()
      expect(await page.getByRole('button', { name: 'Sign note' }).isDisabled()).toBe(true)
      await page.keyboard.type('Slept well. ')
      await paste(page, 'Called her sister.\n\nWoke at four.')
      await saved(page)
      await bar(page).getByText('Ready').or(bar(page).getByText('Everything is looked at.')).waitFor()
      expect(await fieldOf(page, 'Subjective').inputValue()).toBe('Slept well. Called her sister.\n\nWoke at four.')
      await page.getByRole('tab', { name: 'Consent' }).click()
      await page.getByRole('tab', { name: 'Note' }).click()
      await expect.poll(() => fieldOf(page, 'Subjective').inputValue()).toBe('Slept well. Called her sister.\nWoke at four.')
    },
  },
  {
    name: 'Tab goes from section to section, and a single letter is text and no shortcut',
    hash,
    demo: { typing: 'nothing' },
    async act(page) {
      await page.getByRole('button', { name: 'Type the note' }).press('Enter')
      for (const section of ['Subjective', 'Objective', 'Assessment', 'Plan']) {
        await focused(page, fieldOf(page, section))
        await page.keyboard.type('npc')
        await page.keyboard.press('Tab')
      }
      expect(await fieldOf(page, 'Plan').inputValue()).toBe('npc')
    },
  },
  {
    name: 'a slash offers snippets by keyboard: arrows choose, Enter inserts, Esc closes and keeps what is typed',
    hash,
    demo: { typing: 'nothing' },
    async act(page) {
      await page.getByRole('button', { name: 'Type the note' }).press('Enter')
      const field = fieldOf(page, 'Subjective')
      await focused(page, field)
      await page.keyboard.type('Calm. /ms')
      const first = page.getByRole('option', { name: '/mse Alert' })
      await first.and(page.locator('[aria-selected=true]')).waitFor()
      expect(await field.getAttribute('aria-activedescendant')).toBe(await first.getAttribute('id'))
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      expect(await field.inputValue()).toBe('Calm. Restless and tense. Speech rapid. Thought process linear.')
      await page.keyboard.type(' Seen 11/17, and/or /m')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('Escape')
      expect(await page.getByRole('option').count()).toBe(0)
      expect(await field.inputValue()).toMatch(/and\/or \/m$/)
      await saved(page)
    },
  },
  {
    name: 'another template keeps every sentence: it offers a place to what has none, and Undo brings all of it back',
    hash,
    demo: { typing: 'nothing' },
    async act(page) {
      await typeInIntake(page)
      await chooseTemplate(page, 'DAP')
      expect(await fieldOf(page, 'Data').inputValue()).toBe('Wakes at four.')
      expect(await fieldOf(page, 'Diagnosis').inputValue()).toBe('Insomnia disorder, F51.01.')
      await page.getByRole('button', { name: 'Undo' }).press('Enter')
      await fieldOf(page, 'Presenting problem').waitFor()
      await chooseTemplate(page, 'DAP')
      await page.getByText('1 sentence from Diagnosis has no place in DAP.').waitFor()
      await page.getByRole('button', { name: 'Put in Data' }).press('Enter')
      expect(await fieldOf(page, 'Data').inputValue()).toBe('Wakes at four.\nInsomnia disorder, F51.01.')
      expect(await fieldOf(page, 'Diagnosis').count()).toBe(0)
      await saved(page)
    },
  },
  {
    name: 'a sentence of the last note is carried forward on request, marked, and confirmed before signing',
    hash,
    demo: { typing: 'nothing' },
    async act(page) {
      await page.getByRole('button', { name: 'Type the note' }).press('Enter')
      await page.getByRole('button', { name: 'Carry forward Assessment' }).press('Enter')
      await page.getByText('From November 17', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Sign note' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Confirm' }).press('Enter')
      await page.getByText('From November 17', { exact: true }).waitFor()
      expect(await page.getByRole('button', { name: 'Sign note' }).isDisabled()).toBe(false)
      expect(await page.getByText('This note already has these sentences.').count()).toBe(1)
    },
  },
  {
    name: 'a sentence box that is still open is saved before signing, and when another tab is opened',
    hash,
    demo: { typing: 'draft' },
    async act(page) {
      await page.locator('.statement-text').first().dblclick()
      const box = page.getByRole('textbox', { name: 'Statement', exact: true })
      await box.fill('Kept before another tab.')
      await page.getByRole('tab', { name: 'Consent' }).click()
      await page.getByRole('tab', { name: 'Note' }).click()
      await page.getByText('Kept before another tab.').waitFor()
      await page.getByText('Kept before another tab.').dblclick()
      await box.fill('Kept before signing.')
      await page.keyboard.press('Control+Enter')
      await box.waitFor({ state: 'detached' })
      await page.getByText('Kept before signing.').waitFor()
    },
  },
  {
    name: 'beside a draft: typed sentences follow drafted ones, and Add writes who said it with its source',
    hash,
    demo: { typing: 'draft' },
    async act(page) {
      await fieldOf(page, 'Subjective').press('End')
      expect(await fieldOf(page, 'Subjective').inputValue()).toMatch(/^She described pride/)
      await fieldOf(page, 'Plan').fill('See her Tuesday.')
      await page.getByText('Not stated in session.').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Add', exact: true }).press('Enter')
      const added = page.getByRole('listitem').filter({ hasText: /^(Client|Therapist|Maren Voss|Ines Caldeira) stated: “/ })
      await added.getByRole('button', { name: /^Source, / }).waitFor()
      await saved(page)
    },
  },
  {
    name: 'a dictation that was cut off blocks signing until its words are in the note, at the caret, or it is deleted',
    hash,
    demo: { typing: 'draft', dictation: 'waiting' },
    async act(page) {
      const plan = fieldOf(page, 'Plan')
      await plan.fill('Keep the diary. Call on Monday.')
      await page.keyboard.press('Home')
      for (let letter = 0; letter < 15; letter += 1) await page.keyboard.press('ArrowRight')
      await bar(page).getByText('A dictation is not in the note yet. Transcribe it or delete it.').waitFor()
      expect(await page.getByRole('button', { name: 'Sign note' }).isDisabled()).toBe(true)
      await page.getByText('A dictation of 14 s was not transcribed.').waitFor()
      await page.getByRole('button', { name: 'Transcribe', exact: true }).press('Enter')
      await page.getByText('The words were added. The sound was deleted.').waitFor()
      expect(await plan.inputValue()).toBe('Keep the diary. See her in a week. Call on Monday.')
      await page.getByText('A dictation of 14 s was not transcribed.').waitFor({ state: 'detached' })
      await saved(page)
    },
  },
  {
    name: 'the history compares an earlier version word by word and restores it, by keyboard',
    hash,
    demo: { typing: 'draft' },
    async act(page) {
      await fieldOf(page, 'Plan').fill('See her on Tuesday at nine.')
      await page.getByRole('button', { name: 'History' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'History of this note' })
      await dialog.getByRole('deletion').getByText('Monday').waitFor()
      await dialog.getByRole('insertion').getByText('Tuesday').waitFor()
      await dialog.getByRole('radio', { name: /current/ }).press('Space')
      await dialog.getByText('This version has the same text as the note now.').waitFor()
      await page.keyboard.press('ArrowDown')
      await dialog.getByRole('button', { name: 'Restore this version' }).press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => fieldOf(page, 'Plan').inputValue()).toBe('See her on Monday at nine.')
    },
  },
  {
    name: 'a dictation without words says so and stays until it is deleted',
    hash,
    demo: { typing: 'draft', dictation: 'silent' },
    async act(page) {
      await page.getByRole('button', { name: 'Transcribe', exact: true }).press('Enter')
      await page.getByText('No words were heard. Transcribe again, or delete the dictation.').waitFor()
      await page.getByText('A dictation of 14 s was not transcribed.').waitFor()
      await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
      await page.getByText('A dictation of 14 s was not transcribed.').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'without transcription a dictation says what to set up, and the microphone stays off',
    hash,
    demo: { typing: 'draft', dictation: 'not set up' },
    async act(page) {
      await page.getByRole('region', { name: 'Plan' }).getByRole('button', { name: 'Dictate' }).press('Enter')
      await page.getByText('Dictation needs transcription on this computer').waitFor()
      await page
        .getByRole('button', { name: /Settings|Other ways|Set up/ })
        .first()
        .waitFor()
      await focused(page, fieldOf(page, 'Plan'))
    },
  },
  {
    name: 'a dictation without a microphone says so at its section and leaves the text as it is',
    hash,
    demo: { typing: 'draft' },
    async act(page) {
      await fieldOf(page, 'Plan').fill('See her Tuesday.')
      await page.keyboard.press('Control+d')
      await page.getByText(/No microphone found|isn’t allowed to use the microphone|microphone stopped/).waitFor()
      expect(await fieldOf(page, 'Plan').inputValue()).toBe('See her Tuesday.')
      await saved(page)
    },
  },
]
