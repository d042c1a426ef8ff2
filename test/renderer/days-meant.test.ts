import { afterEach, expect, test } from 'vitest'
import { daysMeant } from '#renderer/features/search/days-meant.ts'
import { followLocale } from '#renderer/strings/locale.ts'

const tuesday = new Date(2026, 10, 24, 13, 48)
const days = (typed: string, now = tuesday): string[] =>
  daysMeant(typed, now).map((day) => `${day.getFullYear()}-${day.getMonth() + 1}-${day.getDate()}`)

afterEach(() => followLocale({ system: 'en-US', chosen: null }))

test.each([
  ['nov 17', '2026-11-17'],
  ['November 17', '2026-11-17'],
  ['17 nov', '2026-11-17'],
  ['Nov. 17th, 2025', '2025-11-17'],
  ['jan 5', '2027-1-5'],
  ['2026-11-17', '2026-11-17'],
  ['11/17', '2026-11-17'],
  ['3/9/25', '2025-3-9'],
  ['today', '2026-11-24'],
  ['Yesterday', '2026-11-23'],
  ['last Tuesday', '2026-11-17'],
  ['last mon', '2026-11-23'],
  ['next Tuesday', '2026-12-1'],
])('%s is the day it names', (typed, day) => {
  followLocale({ system: 'en-US', chosen: null })
  expect(days(typed)).toEqual([day])
})

test('a weekday alone is the last one, today included, and the next one', () => {
  followLocale({ system: 'en-US', chosen: null })
  expect(days('tuesday')).toEqual(['2026-11-24', '2026-12-1'])
  expect(days('wed')).toEqual(['2026-11-18', '2026-11-25'])
})

test('a date in numbers is read in the order of the locale', () => {
  followLocale({ system: 'en-GB', chosen: null })
  expect(days('9/3')).toEqual(['2027-3-9'])
  followLocale({ system: 'en-US', chosen: null })
  expect(days('9/3')).toEqual(['2026-9-3'])
})

test.each(['', 'maren', 'mar', 'nov', '17', 'feb 30', '13/45', 'tuesday choir', '1 2 3 4'])('%s names no day', (typed) => {
  followLocale({ system: 'en-US', chosen: null })
  expect(days(typed)).toEqual([])
})
