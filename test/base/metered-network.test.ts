import { expect, test } from 'vitest'
import { type Ask, systemNetwork } from '#base/metered-network.ts'

const clock = { elapsed: () => 0 }
const metered = (ask: Ask, platform = 'linux') => systemNetwork(platform, clock, ask).isMetered()
const devices = (...words: string[]): string =>
  words
    .map(
      (word) =>
        `GENERAL.STATE:${word.startsWith('-') ? '30 (disconnected)' : '100 (connected)'}\nGENERAL.METERED:${word.replace('-', '')}\n`,
    )
    .join('\n')

test.each([
  ['u 0', null],
  ['u 1', true],
  ['u 2', false],
  ['u 3', true],
  ['u 4', false],
])('NetworkManager says of the connection that is used: %s', async (said, outcome) => {
  expect(await metered(async (program) => (program === 'busctl' ? `${said}\n` : null))).toBe(outcome)
})

test.each([
  [devices('no (guessed)', 'unknown'), false],
  [devices('no', 'yes (guessed)'), true],
  [devices('no', '-yes'), false],
  [devices('unknown'), null],
  ['nonsense', null],
])('without a bus to ask, its own program says it of each device: %j', async (said, outcome) => {
  expect(await metered(async (program) => (program === 'nmcli' ? said : null))).toBe(outcome)
})

test('where nobody says, it is not known', async () => {
  expect(await metered(async () => null)).toBeNull()
  for (const platform of ['win32', 'darwin']) expect(await metered(() => Promise.reject(new Error('asked')), platform)).toBeNull()
})

test('programs that are not there are no failure, and are asked now and then, not each time', async () => {
  let now = 0
  let asked = 0
  const network = systemNetwork('linux', { elapsed: () => now }, async () => ((asked += 1), null))
  await Promise.all([network.isMetered(), network.isMetered()])
  expect(asked).toBe(2)
  now = 30_000
  await network.isMetered()
  expect(asked).toBe(4)
  expect([true, false, null]).toContain(await systemNetwork(process.platform, clock).isMetered())
})
