import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import { demoConflicts } from '#test/support/demo-conflicts.ts'
import { demoOutbox } from '#test/support/demo-outbox.ts'
import type { Scene } from './scene.ts'

const question = `/conflicts/${demoConflicts[1]!.id}`

/** What waits, and what is to be decided between, without a mouse; and what comes while somebody looks. */
export const syncByKeyboard: readonly (Scene & { readonly act: (page: Page) => Promise<void> })[] = [
  {
    name: 'a draft is written out of two versions by keyboard, and what was typed is still there after another page and an edit',
    hash: question,
    demo: { conflicts: true },
    async act(page) {
      const together = page.getByRole('radio', { name: /^Combine both/ })
      await page
        .getByRole('radio', { name: /^This computer/ })
        .first()
        .focus()
      for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
      await page.locator(':focus').and(together).waitFor()
      const theirs = page.getByRole('button', { name: 'Use: Continue weekly.' })
      await theirs.focus()
      await page.keyboard.press('Enter')
      // The button that took it is the one that leaves it out.
      expect(await page.locator(':focus').getAttribute('aria-label')).toMatch(/^Leave out: Continue weekly/)
      await page.getByRole('button', { name: 'Add statement to Plan' }).focus()
      await page.keyboard.press('Enter')
      const own = page.getByLabel('Plan, statement 3, Your words')
      await own.and(page.locator(':focus')).waitFor()
      await page.keyboard.type('Ask how it went.')
      await page.keyboard.press('Control+1')
      await page.getByRole('heading', { level: 1, name: 'Tuesday, November 24' }).waitFor()
      await page.evaluate(() => {
        window.demoMeanwhile = { written: 'She rang before.' }
        window.demoEmit?.('records.changed', { kinds: ['notes', 'sessions'] })
      })
      await page.goBack()
      await together.focus()
      await page.keyboard.press('Space')
      const written = page.getByLabel('Subjective, statement 2, This computer')
      await written.waitFor()
      expect(await written.inputValue()).toBe('She rang before.')
      expect(await own.inputValue()).toBe('Ask how it went.')
      expect(await page.getByRole('button', { name: 'Use your combined version' }).isEnabled()).toBe(true)
    },
  },
  {
    name: 'a sentence begun and left out again is gone, and the keyboard stays where the next one is added',
    hash: question,
    demo: { conflicts: true },
    async act(page) {
      await page.getByRole('radio', { name: /^Combine both/ }).check({ force: true })
      const add = page.getByRole('button', { name: 'Add statement to Plan' })
      await add.focus()
      await page.keyboard.press('Enter')
      const begun = page.getByLabel('Plan, statement 3, Your words')
      await begun.and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await add.and(page.locator(':focus')).waitFor()
      expect(await begun.count()).toBe(0)
    },
  },
  {
    name: 'who made the other version is asked again once the practice can be asked',
    hash: '/today',
    demo: { conflicts: true, outbox: 'weeks' },
    async act(page) {
      await page.evaluate((hash) => {
        window.demoMeanwhile = { isUnknownWho: true }
        location.hash = hash
      }, question)
      await page.getByText(/while another computer changed it too/).waitFor()
      await page.evaluate(
        (status) => {
          window.demoMeanwhile = {}
          window.demoEmit?.('outbox.changed', status)
        },
        { ...demoOutbox('weeks').status, phase: 'sending' },
      )
      await page.getByText(/while Dana Okell changed it too/).waitFor()
    },
  },
  {
    name: 'the oldest of what waits is named where all of it is listed',
    hash: '/sync',
    demo: { outbox: 'offline' },
    act: (page) => page.getByText(/The oldest is from/).waitFor(),
  },
  {
    name: 'of more than is listed nobody says which is the oldest',
    hash: '/sync',
    demo: { outbox: 'weeks' },
    async act(page) {
      await page.getByText(/240 changes will sync later/).waitFor()
      await page.getByRole('main').getByRole('listitem').first().waitFor()
      expect(await page.getByText(/The oldest is from/).count()).toBe(0)
    },
  },
  {
    name: 'at midnight what was sent today is of yesterday',
    hash: '/sync',
    demo: { outbox: 'offline' },
    async act(page) {
      const sent = page.getByRole('heading', { name: 'Synced today' }).locator('..')
      await sent.getByRole('listitem').first().waitFor()
      await page.clock.setFixedTime('2026-11-25T00:01:00+01:00')
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await sent.getByText(/Nothing synced/).waitFor()
      expect(await sent.getByRole('listitem').count()).toBe(0)
    },
  },
]
