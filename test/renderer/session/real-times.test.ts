import { expect, test } from 'vitest'
import { realTimes, typedTimes } from '#renderer/features/session/note/real-times.ts'

const at = (day: number, hour: number, minute: number): string => new Date(2026, 10, day, hour, minute).toISOString()
const session = { starts_at: at(5, 14, 0), started_at: null, finished_at: null }

test('a typed start and stop stand on the day of the session', () => {
  expect(realTimes(session, { began: '14:02', ended: '14:55' })).toEqual({ started_at: at(5, 14, 2), finished_at: at(5, 14, 55) })
})

test('an end before its beginning lies behind midnight', () => {
  expect(realTimes(session, { began: '23:30', ended: '00:20' })).toEqual({ started_at: at(5, 23, 30), finished_at: at(6, 0, 20) })
})

test.each([
  ['half of it', { began: '14:02', ended: '' }],
  ['no time', { began: '14:02', ended: 'late' }],
  ['an hour there is not', { began: '14:02', ended: '25:00' }],
  ['a length no session has', { began: '14:02', ended: '13:58' }],
])('nothing is kept of %s', (_, typed) => {
  expect(realTimes(session, typed)).toBeNull()
})

test('both emptied are taken back', () => {
  const recorded = { ...session, started_at: at(5, 14, 1), finished_at: at(5, 14, 52) }
  expect(typedTimes(recorded)).toEqual({ began: '14:01', ended: '14:52' })
  expect(realTimes(recorded, { began: '', ended: '' })).toEqual({ started_at: null, finished_at: null })
})
