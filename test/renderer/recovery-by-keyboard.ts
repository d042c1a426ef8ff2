import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import type { Scene } from './scene.ts'

const classOf = (page: Page, button: string) => page.getByRole('button', { name: button }).getAttribute('class')
const filled = /ui-button-filled/

export const cutOffScene: Scene = {
  name: 'today, a recording that was cut off',
  hash: '/today',
  demo: { cutOff: 'session' },
  act: (page) => page.getByText('If you resume, the transcript shows the gap.').waitFor(),
}

/** What is shown of a recording that was cut off, and when. */
export const recoveryByKeyboard: readonly (Scene & { readonly act: (page: Page) => Promise<void> })[] = [
  {
    name: 'a recording that is cut off while the window first asks for it is shown',
    hash: '/today',
    demo: { held: ['recordings.recoverable'] },
    async act(page) {
      await page.getByRole('heading', { level: 1, name: 'Tuesday, November 24' }).waitFor()
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
      await page.getByText('Next: Maren Voss', { exact: false }).waitFor()
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
      expect(await classOf(page, 'Finish with what’s saved')).not.toMatch(filled)
      expect(await dialog.innerText()).not.toMatch(/consent|agree|session is over/i)
      await page.evaluate(() => window.demoAnswers?.())
      await dialog.getByText('If you resume, the transcript shows the gap.').waitFor()
      expect(await resume.isEnabled()).toBe(true)
      await expect.poll(() => classOf(page, 'Resume recording')).toMatch(filled)
      await dialog.getByText('up to 43 s').waitFor()
    },
  },
  {
    name: 'without consent a recording that was cut off is finished, not resumed',
    hash: '/today',
    demo: { cutOff: 'no consent' },
    async act(page) {
      await page.getByText('There’s no current consent to record this session.', { exact: false }).waitFor()
      expect(await page.getByRole('button', { name: 'Resume recording' }).count()).toBe(0)
      await expect.poll(() => classOf(page, 'Finish with what’s saved')).toMatch(filled)
    },
  },
  {
    name: 'what was lost is read first, then the recording that was cut off is decided',
    hash: '/today',
    demo: { cutOff: 'session', recovery: 'with losses' },
    async act(page) {
      const report = page.getByRole('dialog', { name: 'Some of your records couldn’t be recovered' })
      const recording = page.getByRole('dialog', { name: 'Your session with Maren Voss is safe' })
      await report.waitFor()
      await report.getByText('put the copy in the data folder and name it vault.db', { exact: false }).waitFor()
      expect(await recording.count()).toBe(0)
      await page.getByText('Some of your records are missing.').first().waitFor({ state: 'attached' })
      expect(await page.getByText('Saved on this computer.').count()).toBe(0)
      await report.getByRole('button', { name: 'I’ve read this' }).click()
      await page.evaluate(() => window.demoEmit?.('records.changed', { kinds: ['recovery'] }))
      await recording.waitFor()
      expect(await report.count()).toBe(0)
    },
  },
  {
    name: 'a report that was read can be read again in Settings, and deleted there',
    hash: '/settings/advanced',
    demo: { recovery: 'with losses' },
    async act(page) {
      const report = page.getByRole('dialog', { name: 'Some of your records couldn’t be recovered' })
      const isGone = async (): Promise<boolean> => {
        await page.evaluate(() => window.demoEmit?.('records.changed', { kinds: ['recovery'] }))
        return (await report.count()) === 0
      }
      await report.getByText('Your data folder is /data/Afterword.').waitFor()
      await report.getByRole('button', { name: 'I’ve read this' }).press('Enter')
      await expect.poll(isGone).toBe(true)
      await page.getByRole('button', { name: 'Show report' }).press('Enter')
      await report.getByRole('heading', { name: 'Not recovered' }).waitFor()
      await page.keyboard.press('Escape')
      await report.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Show report' }).press('Enter')
      await report.getByRole('button', { name: 'Delete report' }).press('Enter')
      await expect.poll(isGone).toBe(true)
      await page.getByText('Repair reports').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'a recording that had ended is not called interrupted, and nothing of it is missing',
    hash: '/today',
    demo: { cutOff: 'ended' },
    async act(page) {
      const dialog = page.getByRole('dialog', { name: 'Your session with Maren Voss is safe' })
      await dialog.getByText('The recording ended at', { exact: false }).waitFor()
      const text = await dialog.innerText()
      expect(text).not.toMatch(/interrupted|at most|consent/i)
      expect(await dialog.getByRole('button', { name: 'Resume recording' }).count()).toBe(0)
      await expect.poll(() => classOf(page, 'Finish with what’s saved')).toMatch(filled)
      expect(await classOf(page, 'Discard…')).not.toMatch(/filled|erasing/)
    },
  },
  {
    name: 'a recording whose consent was lost says so, and guesses nothing about what is missing',
    hash: '/today',
    demo: { cutOff: 'lost session' },
    async act(page) {
      const dialog = page.getByRole('dialog', { name: 'A recorded session is safe' })
      await dialog.getByText('There’s no record of consent to record this session.', { exact: false }).waitFor()
      expect(await dialog.innerText()).not.toMatch(/interrupted|at most|no consent/i)
      await dialog.getByText('unknown').waitFor()
      expect(await classOf(page, 'Discard…')).not.toMatch(/filled|erasing/)
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
      await page.getByRole('alertdialog', { name: 'Delete this recording?' }).waitFor()
    },
  },
  {
    name: 'a recording that was cut off and then damaged says what can’t be read, and calls nothing safe',
    hash: '/today',
    demo: { cutOff: 'damaged' },
    async act(page) {
      const dialog = page.getByRole('dialog', { name: 'Part of your session with Maren Voss can’t be read' })
      await dialog.getByText('8 s of 12 min 5 s can’t be read.').waitFor()
      await dialog.getByText('11 min 57 s').waitFor()
      expect(await dialog.innerText()).not.toMatch(/safe|saved up to/i)
      await expect.poll(() => classOf(page, 'Resume recording')).toMatch(filled)
    },
  },
  {
    name: 'a recording that was cut off and can’t be read offers nothing to play and no sound to finish with',
    hash: '/today',
    demo: { cutOff: 'file missing' },
    async act(page) {
      const dialog = page.getByRole('dialog', { name: 'The recording of Maren Voss can’t be read' })
      await dialog.getByText('This recording of 12 min 5 s can’t be read.').waitFor()
      await dialog.getByRole('button', { name: 'Finish without sound' }).waitFor()
      expect(await dialog.getByRole('button', { name: 'Play what’s saved' }).count()).toBe(0)
      expect(await dialog.innerText()).not.toMatch(/safe|saved up to|what is saved/i)
    },
  },
]
