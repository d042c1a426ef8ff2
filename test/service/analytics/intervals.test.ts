import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intervalsOf, partsIn } from '#service/analytics/count.ts'

const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

test.each(['day', 'week', 'month'] as const)('counts the parts by %s that a range is cut into', (by) => {
  fc.assert(
    fc.property(day, fc.nat(400), (from, days) => {
      const to = new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10)
      expect(partsIn(from, to, by)).toBe(intervalsOf(from, to, by, 'America/New_York').parts.length)
    }),
  )
})
