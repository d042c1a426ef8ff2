import { expect, test } from 'vitest'
import type { Question } from '#service/booking/ask.ts'
import { offer } from '#service/booking/answer.ts'
import { indexBusy } from '#service/schedule/world.ts'
import { readRule } from '#service/schedule/recurrence.ts'
import { DAY_MS } from '#service/schedule/wall.ts'
import { search } from '../schedule/engine-kit.ts'

const days = 28
const usual = search()
const long = {
  ...usual,
  window: { from: usual.window.from, to: usual.window.from + days * DAY_MS },
  rule: readRule('FREQ=WEEKLY;COUNT=8'),
}

test.each([
  ['times are found', long],
  [
    'nothing fits',
    { ...long, clinicians: long.clinicians.map((one) => ({ ...one, off: [{ id: 'away', start: 0, end: Infinity }] })) },
  ],
])('other calls have their turn during a long search, where %s', async (_, asked) => {
  const question = { asked: { start: null }, search: asked, index: indexBusy([]), said: [] } as unknown as Question
  let turns = 0
  let isOver = false
  const takeTurn = (): void => {
    turns += 1
    if (!isOver) setImmediate(takeTurn)
  }
  setImmediate(takeTurn)
  await offer(question)
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(days)
})
