import type { Page } from '@playwright/test'
import { demoConflicts, demoDecided } from '#test/support/demo-conflicts.ts'
import type { Scene } from './scene.ts'

const hash = (number: number): string => `/conflicts/${demoConflicts[number]!.id}`
const demo = { conflicts: true } as const
const choose = (name: RegExp) => async (page: Page) => {
  await page.getByRole('radio', { name }).first().waitFor()
  for (const radio of await page.getByRole('radio', { name }).all()) await radio.check({ force: true })
}

/** Two versions of one record, and what the service refused. */
export const conflictScenes: readonly Scene[] = [
  { name: 'sync, with questions after three weeks offline', hash: '/sync', demo: { ...demo, outbox: 'weeks' } },
  { name: 'a session with two versions of its draft', hash: `/sessions/${demoConflicts[1]!.session_id}/transcript`, demo },
  { name: 'two versions of details', hash: hash(0), demo },
  { name: 'two versions of a draft, one chosen', hash: hash(1), demo, act: choose(/^This computer/) },
  {
    name: 'a draft written together',
    hash: hash(1),
    demo,
    act: async (page) => {
      await choose(/^Combine both/)(page)
      await page.getByRole('button', { name: 'Use: Continue weekly.' }).click()
      await page.getByRole('button', { name: 'Add statement to Plan' }).click()
      await page.keyboard.type('Ask how the bus went.')
    },
  },
  { name: 'a note signed elsewhere', hash: hash(2), demo },
  { name: 'two versions of a transcript', hash: hash(3), demo },
  { name: 'a refused booking', hash: hash(4), demo },
  { name: 'erased at the practice', hash: hash(5), demo },
  { name: 'a question that is decided', hash: `/conflicts/${demoDecided[0]!.id}`, demo },
]
