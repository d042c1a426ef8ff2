import { expect, test } from 'vitest'
import type { SessionPatch } from '#contract/model/session.ts'
import { movedSeries, shifted } from '#renderer/sessions/series-times.ts'
import { sessionRow } from '#test/support/demo-records.ts'

const at = (month: number, day: number, hour: number, minute = 0): string =>
  new Date(2026, month - 1, day, hour, minute).toISOString()

test('a series keeps its local time through a change of the clocks', () => {
  expect(shifted(at(3, 31, 14), at(3, 3, 14), at(3, 4, 15, 30))).toBe(at(4, 1, 15, 30))
  expect(shifted(at(11, 24, 14), at(10, 6, 14), at(10, 5, 9))).toBe(at(11, 23, 9))
})

test('a series is moved from its end to later times and from its start to earlier ones, so that it never meets itself', () => {
  const rows = [24, 1, 8].map((day, index) => sessionRow('Maren', at(index === 0 ? 11 : 12, day, 14)))
  const changed = (patch: SessionPatch) => {
    const moved = movedSeries(rows, rows[0]!, patch)
    return moved.rows.map(moved.patchOf)
  }
  const starts = (to: string) => changed({ starts_at: to }).map(({ starts_at }) => starts_at)
  expect(starts(at(12, 1, 14))).toEqual([at(12, 15, 14), at(12, 8, 14), at(12, 1, 14)])
  expect(starts(at(11, 24, 13))).toEqual([at(11, 24, 13), at(12, 1, 13), at(12, 8, 13)])
  expect(changed({ duration_minutes: 60 })[2]).toEqual({ duration_minutes: 60, starts_at: at(12, 8, 14) })
})
