import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import { clientNamed, demoSessions } from '#test/support/demo-records.ts'
import type { DemoRecordings } from '#test/support/demo-recordings.ts'
import type { Scene } from './scene.ts'

const session = `/sessions/${demoSessions[6]!.session.id}`

const lacks = { isDeaf: { isDeaf: true }, refused: { refused: 'transcribe' } } as const

/** What a session's page says about consent and about a transcript before it is too late. */
export const consentScenes: readonly Scene[] = [
  {
    name: 'without consent to a drafted note, the Note tab says so and leads to the consent',
    hash: `${session}/note`,
    demo: { refused: 'draft' },
    async act(page) {
      await page.getByText('Ines Caldeira hasn’t agreed to a drafted note.').waitFor()
      expect(await page.getByRole('button', { name: 'Write draft' }).count()).toBe(0)
      await page.getByRole('button', { name: 'Save consent' }).press('Enter')
      await page.getByRole('tab', { name: 'Consent and audio', selected: true }).waitFor()
      await page.getByRole('tab', { name: 'Note' }).click()
    },
  },
  {
    name: 'without consent to a transcript, the Transcript tab says so and leads to the consent',
    hash: `${session}/transcript`,
    demo: { refused: 'transcribe', recorded: 'without a transcript' },
    async act(page) {
      await page.getByText('Ines Caldeira hasn’t agreed to a transcript.').waitFor()
      await page.getByRole('button', { name: 'Save consent' }).press('Enter')
      await page.getByRole('tab', { name: 'Consent and audio', selected: true }).waitFor()
      await page.getByRole('tab', { name: 'Transcript' }).click()
    },
  },
  {
    name: 'Start recording says beforehand that no transcript can be made yet, and where to set it up',
    hash: `/sessions/${demoSessions[8]!.session.id}/record`,
    demo: { isDeaf: true, settings: { speech_engine: 'local' } },
    async act(page) {
      await page.getByRole('button', { name: 'Start recording' }).waitFor()
      await page.getByText('No transcript can follow this recording yet').waitFor()
      await page.getByRole('button', { name: 'Set up transcription (695 MB)' }).waitFor()
    },
  },
  ...(['isDeaf', 'refused'] as const).map((lack) => ({
    name: `ending a session without ${lack === 'isDeaf' ? 'transcription' : 'consent to a transcript'} promises no transcript`,
    hash: `${session}/record`,
    demo: { isRunningElsewhere: true, ...lacks[lack] } as const,
    async act(page: Page) {
      await page.getByRole('button', { name: 'End session' }).press('Enter')
      const dialog = page.getByRole('dialog')
      const words = lack === 'isDeaf' ? /^Transcription isn’t set up\..* in Settings/ : 'Not everyone agreed to a transcript'
      await dialog.getByText(words).waitFor()
      expect(await dialog.innerText()).not.toMatch(/afterward|creates the transcript next/)
    },
  })),
  {
    name: 'a withdrawal while another window records does not claim that it is paused',
    hash: `${session}/record`,
    demo: { isRunningElsewhere: true },
    async act(page) {
      await page.getByRole('button', { name: 'Withdraw consent…' }).press('Enter')
      await page.getByRole('dialog').getByText('Another window is recording.').waitFor()
    },
  },
]

const dialogSays: readonly (readonly [NonNullable<DemoRecordings['audio']>, string])[] = [
  ['deleted by signing', 'When you sign the note, the audio is deleted and can’t be recovered.'],
  ['deleted without a transcript', 'When you sign the note, the audio is deleted and can’t be recovered. It has no transcript.'],
  ['agreed', 'The client agreed to keep the audio, so signing the note doesn’t delete it.'],
  ['not asked', 'There’s no record of whether the client agreed to keep the audio, so signing the note doesn’t delete it.'],
]

const receipt = 'The recording was deleted on November 24 at 3:20 PM. Receipt 0192.'

/** What a session's page says about its audio before the note is signed, and after. */
export const audioScenes: readonly Scene[] = [
  ...dialogSays.map(([audio, sentence]) => ({
    name: `signing says beforehand what happens to audio: ${audio}`,
    hash: `${session}/note`,
    demo: { audio } as const,
    async act(page: Page) {
      await page.getByRole('tab', { name: 'Record', exact: true }).click()
      if (audio.startsWith('deleted')) await page.getByText(sentence).waitFor()
      await page.getByRole('tab', { name: 'Consent and audio' }).click()
      await page.getByText(sentence).waitFor()
      await page.getByRole('tab', { name: 'Note' }).click()
      await page.getByRole('button', { name: 'Sign note' }).press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.getByText(sentence).waitFor()
      const focused = await page.evaluate(() => document.activeElement?.textContent)
      expect(focused).toBe(audio.startsWith('deleted') ? 'Not yet' : 'Sign note')
      const signs = dialog.getByRole('button', { name: 'Sign note' })
      expect(await signs.evaluate((one) => document.getElementById(one.getAttribute('aria-describedby')!)?.textContent)).toBe(
        sentence,
      )
    },
  })),
  {
    name: 'audio that is still owed after signing says why it is here',
    hash: `${session}/consent`,
    demo: { audio: 'signed, owed' },
    act: (page) => page.getByText('The audio is still here because the transcript isn’t finished.').waitFor(),
  },
  {
    name: 'audio of a note that was signed before can be deleted where the page says so',
    hash: `${session}/consent`,
    demo: { audio: 'signed, kept' },
    async act(page) {
      await page.getByText(/^There’s no record that everyone agreed to keep the audio\./).waitFor()
      await page.getByRole('button', { name: 'Delete recording…' }).press('Enter')
      await page.getByRole('alertdialog').waitFor()
    },
  },
  {
    name: 'deleted audio leaves a receipt, and each place that played it says Audio deleted',
    hash: `${session}/consent`,
    demo: { audio: 'signed, deleted' },
    async act(page) {
      for (const tab of ['Record', 'Transcript', 'Consent and audio']) {
        await page.getByRole('tab', { name: tab, exact: true }).click()
        await page.getByText(receipt).waitFor()
        expect(await page.getByRole('button', { name: /^Play/ }).count()).toBe(0)
      }
      await page.getByText('Dana Okell, by signing the note').waitFor()
    },
  },
  {
    name: 'evidence of deleted audio shows the words and says Audio deleted',
    hash: `${session}/note`,
    demo: { audio: 'signed, deleted' },
    async act(page) {
      await page
        .getByRole('button', { name: /^Source/ })
        .first()
        .press('Enter')
      await page.getByRole('complementary').getByText('Audio deleted').waitFor()
      expect(await page.getByRole('button', { name: /^Play/ }).count()).toBe(0)
    },
  },
]

/** A consent text is read in the client's language, not in the window's. */
export const spokenConsent = [
  {
    name: 'consent is read in Spanish, is recorded so, and is read in Spanish the next time',
    hash: `/clients/${clientNamed('Maren').client.id}`,
    async act(page: Page) {
      await page.getByRole('tab', { name: 'Consent' }).click()
      const ask = page.getByRole('button', { name: 'Ask for consent' })
      await ask.click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('I’d like to record our session').waitFor()
      await dialog.getByRole('button', { name: 'Read it in Spanish' }).press('Enter')
      const text = dialog.getByText(/^Me gustaría grabar nuestra sesión.* a menos que usted acepte que la conserve/)
      await text.waitFor()
      expect(await text.getAttribute('lang')).toBe('es')
      await dialog.getByText('Recording the session').click()
      await dialog.getByRole('button', { name: 'Save consent' }).click()
      await page.getByText('Spoken, in Spanish, November 24').waitFor()
      await ask.click()
      await text.waitFor()
      await dialog.getByRole('button', { name: 'Read it in English' }).press('Enter')
      await dialog.getByText('I’d like to record our session').waitFor()
    },
  },
  {
    name: 'where sessions are in Spanish, a client who was never asked is asked in Spanish',
    hash: `${session}/insights`,
    demo: { insights: 'not_agreed', settings: { language: 'es' }, cutOff: 'lost session' } as const,
    async act(page: Page) {
      await page.getByText(/^Me gustaría usar un programa para revisar las transcripciones/).waitFor()
      await page.getByRole('button', { name: /^Save .* consent$/ }).waitFor()
    },
  },
]
