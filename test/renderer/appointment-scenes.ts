import type { Page } from '@playwright/test'
import { expect } from 'vitest'
import { demoSessions } from '#test/support/demo-records.ts'
import type { Scene } from './scene.ts'

const isUnconfirmed = { isUnconfirmed: true }
const next = `/sessions/${demoSessions[8]!.session.id}/record`
const options = (name: string) => (page: Page) => page.getByRole('button', { name: `Appointment with ${name}: options` })

async function choose(page: Page, name: string, action: string): Promise<void> {
  await options(name)(page).first().click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').waitFor()
}

/** What can be done to an appointment, wherever it is shown. */
export const appointmentScenes: readonly Scene[] = [
  {
    name: 'today, did it take place',
    hash: '/today',
    demo: isUnconfirmed,
    act: async (page) => {
      const asked = page.getByRole('group', { name: 'Did the session with Wanda' })
      expect(await asked.getByRole('button').allInnerTexts()).toEqual(['Held', 'No-show', 'Canceled'])
      await page.getByText('Late cancel').waitFor()
    },
  },
  {
    name: 'appointment, the menu of a row',
    hash: '/today',
    demo: isUnconfirmed,
    act: async (page) => {
      await page.getByText('Priya Nandakumar').first().click({ button: 'right' })
      expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
        'Reschedule…',
        'Edit details…',
        'Cancel appointment…',
        'Delete appointment…',
      ])
    },
  },
  {
    name: 'appointment, moved to a time that is taken',
    hash: '/today',
    act: async (page) => {
      await choose(page, 'Priya Nandakumar', 'Reschedule…')
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('spinbutton', { name: /hour/ }).fill('3')
      await dialog.getByRole('spinbutton', { name: /AM\/PM/ }).press('p')
      await dialog.getByRole('spinbutton', { name: /^minute/ }).fill('00')
      await dialog.getByRole('button', { name: 'Reschedule' }).click()
      await dialog.getByText(/You already have an appointment at that time: Samuel Orrin/).waitFor()
      await dialog.getByRole('radio').first().waitFor()
    },
  },
  { name: 'appointment, its details', hash: '/today', act: (page) => choose(page, 'Priya Nandakumar', 'Edit details…') },
  { name: 'appointment, canceling', hash: '/today', act: (page) => choose(page, 'Priya Nandakumar', 'Cancel appointment…') },
  { name: 'appointment, deleting', hash: '/today', act: (page) => choose(page, 'Priya Nandakumar', 'Delete appointment…') },
  {
    name: 'appointment, with a note it is not deleted',
    hash: '/today',
    act: async (page) => {
      await choose(page, 'Ines Caldeira', 'Delete appointment…')
      await page.getByText(/can’t be deleted/).waitFor()
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel appointment' }).waitFor()
    },
  },
  {
    name: 'appointment, missed, with Undo',
    hash: '/today',
    demo: isUnconfirmed,
    act: async (page) => {
      await page.getByRole('group', { name: 'Did the session with Wanda' }).getByRole('button', { name: 'No-show' }).click()
      await page.getByText(/^Marked as no-show: Wanda/).waitFor()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
    },
  },
  {
    name: 'session, its appointment',
    hash: next,
    act: async (page) => {
      await page.getByRole('button', { name: 'Appointment', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Reschedule…' }).waitFor()
    },
  },
]
