import { expect, test } from 'vitest'
import { formatsOf, localDateIn, localTimeIn, paperOf, systemLocale } from '#base/locale.ts'

const own = Intl.DateTimeFormat().resolvedOptions().locale

test.each([
  ['en-US', 'en-US'],
  ['en_GB', 'en-GB'],
  ['de_AT.UTF-8', 'de-AT'],
  ['en_US@rg=gbzzzz', 'en-US'],
  ['C', own],
  ['C.UTF-8', own],
  ['posix', own],
  ['', own],
])('a system that says "%s" has the locale %s', (ofSystem, locale) => expect(systemLocale(ofSystem)).toBe(locale))

test('paper is letter in the regions that use it, and A4 elsewhere', () => {
  expect(['en-US', 'en', 'es-US', 'fr-CA', 'es-MX'].map(paperOf)).toEqual(Array(5).fill('LETTER'))
  expect(['en-GB', 'de-DE', 'es-ES', 'en-AU'].map(paperOf)).toEqual(Array(4).fill('A4'))
})

test.each(['de-DE', 'ja-JP', 'th-TH', 'es-US', 'en-GB'])(
  'a document is in English, in the Gregorian calendar, in the region of %s',
  (locale) => {
    const { date, clock } = formatsOf(locale, 'UTC')
    expect(date('2026-11-24T14:02:00.000Z')).toMatch(/^(?:November 24, 2026|24 November 2026)$/)
    expect(clock('2026-11-24T14:02:00.000Z')).toMatch(/^(?:2:02\sPM|14:02)$/)
  },
)

test('a local time is that of its zone, on both sides of midnight', () => {
  const at = '2026-11-25T04:30:05.000Z'
  expect(localTimeIn(at, 'America/New_York')).toBe('2026-11-24T23:30:05')
  expect(localTimeIn(Date.parse(at), 'Asia/Kathmandu')).toBe('2026-11-25T10:15:05')
  expect(localDateIn(at, 'America/New_York')).toBe('2026-11-24')
  expect(() => localTimeIn(at, 'Nowhere/Town')).toThrow(RangeError)
  expect(() => localTimeIn('never', 'UTC')).toThrow(RangeError)
})
