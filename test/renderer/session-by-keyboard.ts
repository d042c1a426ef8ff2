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
]

const recorded = { recorded: 'without a transcript' } as const
const waitForSound = (page: Page) => page.getByText('of 00:16').waitFor()

export const sessionScenes: readonly Scene[] = [
  { name: 'session, a recording without a transcript', hash: `${session}/transcript`, demo: recorded, act: waitForSound },
  { name: 'session, a recording that ended', hash: `${session}/record`, demo: recorded, act: waitForSound },
]
