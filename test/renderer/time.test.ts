import { describe, expect, test } from 'vitest'
import {
  daysFromNow,
  formatBytes,
  formatClock,
  formatDate,
  formatDay,
  formatDayAndDate,
  formatDayTime,
  formatLength,
  formatMoment,
  formatSpokenLength,
  formatTimer,
  untilClock,
} from '#renderer/strings/time.ts'
import { fromLocalValues, localDateValue } from '#renderer/lib/local-values.ts'

const now = new Date(2026, 10, 24, 13, 48)
const on = (day: number, hour = 14, minute = 2): Date => new Date(2026, 10, day, hour, minute)

describe('time in words', () => {
  test('a clock has two digits and 24 hours', () => expect(formatClock(on(24, 9, 5))).toBe('09:05'))
  test('a time to wait for is told where it is more than a matter of seconds', () => {
    expect(untilClock(on(24, 14, 3).toISOString(), now)).toBe('14:03')
    expect(untilClock(new Date(now.getTime() + 40_000).toISOString(), now)).toBeNull()
    expect(untilClock(null, now)).toBeNull()
  })
  test('a date names the month, and the year only where it is another one', () => {
    expect(formatDate(on(3), now)).toBe('3 November')
    expect(formatDate(new Date(2025, 4, 12), now)).toBe('12 May 2025')
    expect(formatDayAndDate(now)).toBe('Tuesday, 24 November')
  })
  test('days near by are called by their names', () => {
    expect([23, 24, 25, 27, 18].map((day) => formatDay(on(day), now))).toEqual([
      'yesterday',
      'today',
      'tomorrow',
      'Friday',
      'Wednesday',
    ])
    expect(formatDayTime(on(27), now)).toBe('Friday 14:02')
    expect(formatDayTime(on(10), now)).toBe('10 November, 14:02')
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
