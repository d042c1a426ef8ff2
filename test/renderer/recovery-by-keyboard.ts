import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import type { Scene } from './scene.ts'

const classOf = (page: Page, button: string) => page.getByRole('button', { name: button }).getAttribute('class')
const filled = /ui-button-filled/

export const cutOffScene: Scene = {
  name: 'today, a recording that was cut off',
  hash: '/today',
  demo: { cutOff: 'session' },
  act: (page) => page.getByText('If you resume, the break is marked in the transcript.').waitFor(),
}

/** What is shown of a recording that was cut off, and when. */
export const recoveryByKeyboard: readonly (Scene & { readonly act: (page: Page) => Promise<void> })[] = [
  {
    name: 'a recording that is cut off while the window first asks for it is shown',
    hash: '/today',
    demo: { held: ['recordings.recoverable'] },
    async act(page) {
      await page.getByRole('heading', { level: 1, name: 'Tuesday, 24 November' }).waitFor()
      await page.evaluate(() => {
        Object.assign(window.demo!, { cutOff: 'session' })
        window.demoEmit?.('records.changed', { kinds: ['recordings'] })
        window.demoAnswers?.()
      })
      await page.getByRole('dialog', { name: 'Your session with Maren Voss is safe' }).waitFor()
    },
  },
  {
    name: 'a recording that is cut off long after the window opened is shown',
    hash: '/today',
    async act(page) {
      await page.getByText('Maren Voss is next', { exact: false }).waitFor()
      await page.evaluate(() => {
        Object.assign(window.demo!, { cutOff: 'session' })
        window.demoEmit?.('records.changed', { kinds: ['recordings'] })
      })
      await page.getByRole('dialog', { name: 'Your session with Maren Voss is safe' }).waitFor()
    },
  },
  {
    name: 'until the session is read, a recording that was cut off says nothing of consent and suggests no decision',
    hash: '/today',
    demo: { cutOff: 'session', held: ['sessions.get'] },
    async act(page) {
      const dialog = page.getByRole('dialog', { name: 'Your session with Maren Voss is safe' })
      await dialog.waitFor()
      const resume = dialog.getByRole('button', { name: 'Resume recording' })
      expect(await resume.isDisabled()).toBe(true)
      expect(await classOf(page, 'Finish with what is saved')).not.toMatch(filled)
      expect(await dialog.innerText()).not.toMatch(/consent|agree|session is over/i)
      await page.evaluate(() => window.demoAnswers?.())
      await dialog.getByText('If you resume, the break is marked in the transcript.').waitFor()
      expect(await resume.isEnabled()).toBe(true)
      expect(await classOf(page, 'Resume recording')).toMatch(filled)
      await dialog.getByText('at most 43 s').waitFor()
    },
  },
  {
    name: 'without consent a recording that was cut off is finished, not resumed',
    hash: '/today',
    demo: { cutOff: 'no consent' },
    async act(page) {
      await page.getByText('There is no consent to record this session now.', { exact: false }).waitFor()
      expect(await page.getByRole('button', { name: 'Resume recording' }).count()).toBe(0)
      expect(await classOf(page, 'Finish with what is saved')).toMatch(filled)
    },
  },
  {
    name: 'a recording whose session is missing is named without a client and can be finished',
    hash: '/today',
    demo: { cutOff: 'no session' },
    async act(page) {
      await page.getByRole('dialog', { name: 'A recorded session is safe' }).waitFor()
      await page.getByText('This session is missing from your records.', { exact: false }).waitFor()
      await page.getByRole('button', { name: 'Discard…' }).click()
      await page.getByRole('alertdialog', { name: 'Erase this recording?' }).waitFor()
    },
  },
]
