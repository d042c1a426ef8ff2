import { describe, expect, test } from 'vitest'
import {
  daysFromNow,
  formatBytes,
  formatClock,
  formatClockValue,
  formatDate,
  formatDates,
  formatDay,
  formatDayAndDate,
  formatDayTime,
  formatHour,
  formatLength,
  formatMoment,
  formatSpokenLength,
  formatTimer,
  untilClock,
} from '#renderer/strings/time.ts'
import { fromLocalValues, localDateValue } from '#renderer/lib/local-values.ts'
import { reportStrings } from '#renderer/strings/reports.ts'
import { calendarStrings } from '#renderer/strings/calendar.ts'
import { within } from '#test/support/locale.ts'

const now = new Date(2026, 10, 24, 13, 48)
const on = (day: number, hour = 14, minute = 2): Date => new Date(2026, 10, day, hour, minute)

describe('time in words', () => {
  test('a clock has 12 or 24 hours, as the locale has', () => {
    expect([formatClock(on(24, 9, 5)), formatHour(14), formatClockValue('00:30')]).toEqual(['9:05 AM', '2 PM', '12:30 AM'])
    within('en-GB', () =>
      expect([formatClock(on(24, 9, 5)), formatHour(14), formatClockValue('00:30')]).toEqual(['9:05', '14', '0:30']),
    )
  })
  test('a time to wait for is told where it is more than a matter of seconds', () => {
    expect(untilClock(on(24, 14, 3).toISOString(), now)).toBe('2:03 PM')
    expect(untilClock(new Date(now.getTime() + 40_000).toISOString(), now)).toBeNull()
    expect(untilClock(null, now)).toBeNull()
  })
  test('a date names the month, and the year only where it is another one', () => {
    expect(formatDate(on(3), now)).toBe('November 3')
    expect(formatDate(new Date(2025, 4, 12), now)).toBe('May 12, 2025')
    expect(formatDayAndDate(now)).toBe('Tuesday, November 24')
    within('en-GB', () => expect(formatDayAndDate(now)).toBe('Tuesday 24 November'))
  })
  test('a week is written as a range, with its year where it is another one', () => {
    const plain = (first: Date, last: Date) => formatDates(first, last, now).replace(/\s/g, ' ')
    expect(plain(on(22), on(28))).toBe('November 22 – 28')
    expect(plain(on(29), on(35))).toBe('November 29 – December 5')
    expect(plain(new Date(2026, 11, 27), new Date(2027, 0, 2))).toBe('December 27, 2026 – January 2, 2027')
    within('en-GB', () => expect(formatDates(on(23), on(29), now).replace(/\s/g, ' ')).toBe('23 – 29 November'))
  })
  test('days near by are called by their names', () => {
    expect([23, 24, 25, 27, 18].map((day) => formatDay(on(day), now))).toEqual([
      'yesterday',
      'today',
      'tomorrow',
      'Friday',
      'Wednesday',
    ])
    expect(formatDayTime(on(27), now)).toBe('Friday 2:02 PM')
    expect(formatDayTime(on(10), now)).toBe('November 10, 2:02 PM')
  })
  test('a day is counted by the calendar, not by 24 hours', () => {
    expect(daysFromNow(on(25, 0, 1), on(24, 23, 59))).toBe(1)
    expect(daysFromNow(on(24, 23, 59), on(24, 0, 1))).toBe(0)
    // The night in which clocks go back in Europe has 25 hours.
    expect(daysFromNow(new Date(2026, 9, 26, 0, 30), new Date(2026, 9, 24, 23, 30))).toBe(2)
  })
  test.each([
    [0, '0 s'],
    [12_999, '12 s'],
    [87_000, '1 min 27 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min 59 s'],
    [3_600_000, '1 h'],
    [3_900_000, '1 h 5 min'],
  ])('%i ms is written %s: never more than there is', (milliseconds, written) => expect(formatLength(milliseconds)).toBe(written))
  test('a timer counts in whole seconds that have passed', () => {
    expect(formatTimer(751_999)).toBe('00:12:31')
    expect(formatTimer(-5)).toBe('00:00:00')
  })
  test('a moment shows hours only where there are some', () => {
    expect(formatMoment(735_000)).toBe('12:15')
    expect(formatMoment(4_335_000)).toBe('1:12:15')
  })
  test('a position is said as a person says it', () => {
    expect(formatSpokenLength(326_000)).toBe('5 minutes 26')
    expect(formatSpokenLength(60_000)).toBe('1 minute')
    expect(formatSpokenLength(1000)).toBe('1 second')
  })
  test('sizes are rounded to what a person compares', () => {
    expect([999, 13_500_000, 1_250_000_000].map(formatBytes)).toEqual(['999 bytes', '14 MB', '1.3 GB'])
    within('de-DE', () => expect(formatBytes(1_250_000_000)).toBe('1,3 GB'))
  })
  test('a sentence keeps its language, with the dates and plural forms of English in every region', () => {
    expect([reportStrings.percent(0.4), reportStrings.timeToSign(11.46)]).toEqual(['40%', '11.5 hours'])
    expect(reportStrings.timeToSign(24 * 1234.4)).toBe('1,234 days')
    within('fr-FR', () => {
      expect(formatDay(on(3), on(24))).toMatch(/^(?:3 November|November 3)$/)
      // French counts 0 in the singular.
      expect(calendarStrings.clashes({ count: 0 })).toBe(calendarStrings.clashes({ count: 2 }).replace('2', '0'))
    })
  })
})

describe('what is typed', () => {
  test('a day and a time that exist become a moment', () => {
    const at = fromLocalValues('2026-11-24', '14:02')
    expect(at?.getTime()).toBe(on(24).getTime())
    expect(localDateValue(on(24))).toBe('2026-11-24')
  })
  test.each([
    ['2026-02-31', '10:00'],
    ['2026-11-24', '25:00'],
    ['2026-11-24', ''],
    ['', '10:00'],
    ['24.11.2026', '10:00'],
  ])('%s at %s names no moment', (date, time) => expect(fromLocalValues(date, time)).toBeNull())
})
