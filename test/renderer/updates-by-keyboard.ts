import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import { type DemoUpdates, demoUpdateStates } from '#test/support/demo-updates.ts'
import type { Scene } from './scene.ts'

/** As the main process says it. */
const become = (page: Page, name: DemoUpdates): Promise<void> =>
  page.evaluate((state) => window.demoEmit?.('updates.changed', state), demoUpdateStates[name])
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export const updatesByKeyboard: readonly (Scene & { readonly act: (page: Page) => Promise<void> })[] = [
  {
    name: 'an update is found, downloaded and offered for installation, and the focus is never lost',
    hash: '/settings/advanced',
    demo: { updates: 'idle', app: { shell: 'electron' } },
    async act(page) {
      await button(page, 'Check for updates').focus()
      await page.keyboard.press('Enter')
      expect(await page.getByText('Update available').count()).toBe(0)
      await become(page, 'available')
      await page.getByText('Version 0.2.0 is available').waitFor()
      expect(await page.getByText('Update available').count()).toBe(1)
      await button(page, 'Download').focus()
      await page.keyboard.press('Enter')
      await become(page, 'downloading')
      expect(await page.getByRole('progressbar', { name: 'Downloading version 0.2.0' }).getAttribute('value')).toBe('0.42')
      await page.waitForFunction(() => document.activeElement?.closest('main') !== null)
      await become(page, 'recording')
      await page.getByText('A recording is still open. You can install the update when it ends.').waitFor()
      expect(await button(page, 'Restart and install').isDisabled()).toBe(true)
      await become(page, 'ready')
      expect(await button(page, 'Restart and install').isEnabled()).toBe(true)
      expect(await page.getByText('A recording is still open').count()).toBe(0)
    },
  },
  {
    name: 'a mirror for updates that is not encrypted is refused in words, and what was typed stays',
    hash: '/settings/advanced',
    demo: { updates: 'idle', app: { shell: 'electron' } },
    async act(page) {
      const field = page.getByLabel('Update address')
      await field.focus()
      await page.keyboard.type('http://mirror.example')
      await page.keyboard.press('Enter')
      await page.getByText('Enter an address that begins with https://.').waitFor()
      expect(await field.inputValue()).toBe('http://mirror.example')
    },
  },
]
