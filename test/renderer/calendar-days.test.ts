import { describe, expect, test } from 'vitest'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import {
  atClock,
  daysOf,
  freeStartsNear,
  rangeOf,
  startAt,
  startOfWeek,
  stepped,
  stopsOf,
  takenBy,
} from '#renderer/features/calendar/calendar-days.ts'
import { movedByKey, type Moving } from '#renderer/features/calendar/moving.ts'
import { hoursOf } from '#renderer/features/calendar/working-time.ts'
import { demoSessions, sessionRow } from '#test/support/demo-records.ts'
import { within } from '#test/support/locale.ts'

const tuesday = new Date(2026, 10, 24, 13, 48)
const sunday = new Date(2026, 10, 22)

function on(day: number): SessionRow {
  const row = demoSessions[0]!
  const at = (hour: number): string => new Date(2026, 10, day, hour).toISOString()
  return { ...row, session: { ...row.session, starts_at: at(10), ends_at: at(11) } }
}
const narrow = (rows: readonly SessionRow[]): boolean[] => daysOf(startOfWeek(tuesday), 7, rows).map(({ isNarrow }) => isNarrow)

test('a week begins on the day on which the locale begins it', () => {
  expect(startOfWeek(tuesday)).toEqual(sunday)
  expect(startOfWeek(sunday)).toEqual(sunday)
  within('en-GB', () => {
    expect(startOfWeek(tuesday)).toEqual(new Date(2026, 10, 23))
    expect(startOfWeek(sunday)).toEqual(new Date(2026, 10, 16))
  })
  within('ar-EG', () => expect(startOfWeek(tuesday)).toEqual(new Date(2026, 10, 21)))
})

test('every week has its seven days, and a day of the weekend is narrow until it has a session', () => {
  expect(daysOf(sunday, 7, [on(28)]).map(({ date }) => date.getDate())).toEqual([22, 23, 24, 25, 26, 27, 28])
  expect(narrow([])).toEqual([true, false, false, false, false, false, true])
  expect(narrow([on(28)])).toEqual([true, false, false, false, false, false, false])
})

test('a day, a week and a month are read in whole days and whole weeks, and stepped by their own length', () => {
  expect(rangeOf('day', tuesday)).toEqual({ first: new Date(2026, 10, 24), count: 1 })
  expect(rangeOf('work_week', tuesday)).toEqual({ first: sunday, count: 7 })
  expect(rangeOf('month', tuesday)).toEqual({ first: new Date(2026, 10, 1), count: 35 })
  expect(rangeOf('month', new Date(2026, 7, 20))).toEqual({ first: new Date(2026, 6, 26), count: 42 })
  expect(stepped('day', tuesday, 1)).toEqual(new Date(2026, 10, 25))
  expect(stepped('week', tuesday, -1)).toEqual(new Date(2026, 10, 17))
  expect(stepped('month', new Date(2026, 0, 31), 1)).toEqual(new Date(2026, 1, 1))
})

const at = (hour: number, minute = 0): string => new Date(2026, 10, 24, hour, minute).toISOString()
const maren = sessionRow('Maren', at(14))
const samuel = sessionRow('Samuel', at(15))
const canceled = sessionRow('Teo', at(16), { session: { status: 'cancelled' } })
const day = daysOf(new Date(2026, 10, 24), 1, [maren, samuel, canceled])[0]!
const hours = { from: 13, to: 17 }

describe('on a day', () => {
  test('the arrow keys stop at every appointment and every free half hour, in the order of time', () => {
    expect(stopsOf(day, hours).map(({ from, row }) => [from, row?.client_name.split(' ')[0] ?? null])).toEqual([
      [13, null],
      [13.5, null],
      [14, 'Maren'],
      [15, 'Samuel'],
      [16, 'Teo'],
      [16, null],
      [16.5, null],
    ])
  })

  test('a click books its half hour, or the first quarter hour after the appointment there', () => {
    expect(startAt(day, 13.9)).toBe(13.5)
    expect(startAt(day, 15.95)).toBe(16)
    expect(atClock(day.date, 13.25)).toEqual(new Date(2026, 10, 24, 13, 15))
  })

  test('a conflict is the other appointment, and never a canceled one or the appointment itself', () => {
    const { id } = maren.session
    expect(takenBy(day, id, { from: 14.5, to: 15.25 })?.client_name).toBe('Samuel Orrin')
    expect(takenBy(day, id, { from: 14, to: 15 })).toBeNull()
    expect(takenBy(day, id, { from: 16, to: 17 })).toBeNull()
  })

  test('the nearest free times before and after a conflict are suggested', () => {
    const { id } = maren.session
    expect(freeStartsNear(day, id, { from: 14.5, to: 14.5 + 5 / 6 }, hours)).toEqual([14, 16])
    expect(freeStartsNear(day, id, { from: 14.5, to: 15.5 }, { from: 14.25, to: 16 })).toEqual([])
  })

  test('7 AM to 8 PM are shown, and all appointments', () => {
    const none = { hours: null, away: [] }
    expect(hoursOf([day], none)).toEqual({ from: 7, to: 20 })
    const late = daysOf(new Date(2026, 10, 24), 1, [sessionRow('Wes', at(21)), sessionRow('Wes', at(6, 30))])
    expect(hoursOf(late, none)).toEqual({ from: 6, to: 22 })
  })
})

test('a key moves an appointment to the next quarter hour or day, or changes its end, within what is shown', () => {
  const moving: Moving = { row: maren, day: 0, from: 14 + 1 / 6, to: 15 }
  const by = (key: string, isResizing = false) => movedByKey(moving, key, isResizing, 2, hours)
  expect(by('ArrowDown').from).toBe(14.25)
  expect(by('ArrowUp').from).toBe(14)
  expect([by('ArrowRight').day, by('ArrowLeft').day]).toEqual([1, 0])
  expect(by('ArrowDown', true).to).toBe(15.25)
  expect(movedByKey({ ...moving, to: 14.25 }, 'ArrowUp', true, 2, hours).to).toBeCloseTo(14 + 1 / 6 + 0.25)
  expect(movedByKey({ ...moving, from: 16.5, to: 17 }, 'ArrowDown', false, 2, hours).to).toBe(17)
})
