import { expect, test } from 'vitest'
import { damageSentence, storedSentence } from '#renderer/sessions/damage.ts'
import { formatLength } from '#renderer/strings/time.ts'
import { sessionRow, at } from '#test/support/demo-records.ts'

const secondsIn = (words: string): number => Number(/^(\d+) s/.exec(words)?.[1] ?? 0)

test('what can’t be read and what can never add up to more than the length', () => {
  for (const [saved, unreadable] of [
    [41_200, 17_600],
    [41_900, 17_100],
    [59_999, 1001],
    [16_000, 8000],
  ] as const) {
    const lost = damageSentence(unreadable, saved)
    expect(lost).toBe(`${formatLength(unreadable)} of ${formatLength(saved)} can’t be read.`)
    expect(secondsIn(lost) + secondsIn(formatLength(saved - unreadable))).toBeLessThanOrEqual(secondsIn(formatLength(saved)))
  }
  expect(damageSentence(600, 41_000)).toBe('Less than 1 s of 41 s can’t be read.')
})

test('a damaged recording calls safe only what the session has', () => {
  const work = { state: 'idle', progress: 0, error: null } as const
  const note = { id: 'n', status: 'draft', template: 'soap', to_check: 0 } as const
  const transcript = { present: true, work }
  const row = sessionRow('Maren', at(24, 14))
  expect(storedSentence(row)).toBe('')
  expect(storedSentence({ ...row, note })).toBe('Your note is stored separately.')
  expect(storedSentence({ ...row, transcript })).toBe('Your transcript is stored separately.')
  expect(storedSentence({ ...row, note, transcript })).toBe('Your transcript and your note are stored separately.')
})
