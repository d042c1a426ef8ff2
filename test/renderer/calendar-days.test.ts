import { expect, test } from 'vitest'
import type { SessionRow } from '#contract/bridge/sessions.ts'
import { daysOf, startOfWeek } from '#renderer/features/calendar/calendar-days.ts'
import { demoSessions } from '#test/support/demo-records.ts'
import { within } from '#test/support/locale.ts'

const tuesday = new Date(2026, 10, 24, 13, 48)
const sunday = new Date(2026, 10, 22)

function on(day: number): SessionRow {
  const row = demoSessions[0]!
  const at = (hour: number): string => new Date(2026, 10, day, hour).toISOString()
  return { ...row, session: { ...row.session, starts_at: at(10), ends_at: at(11) } }
}
const narrow = (rows: readonly SessionRow[]): boolean[] => daysOf(startOfWeek(tuesday), rows).map(({ isNarrow }) => isNarrow)

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
  expect(daysOf(sunday, [on(28)]).map(({ date }) => date.getDate())).toEqual([22, 23, 24, 25, 26, 27, 28])
  expect(narrow([])).toEqual([true, false, false, false, false, false, true])
  expect(narrow([on(28)])).toEqual([true, false, false, false, false, false, false])
})
