import { describe, expect, test } from 'vitest'
import { expand, isBounded, MAX_OCCURRENCES, readRule } from '#service/schedule/recurrence.ts'
import { Temporal } from 'temporal-polyfill/implementation'
import { clockOf, DAY_MS, readWall, writeWall } from '#service/schedule/wall.ts'
import { worldRules, worldZones, writeOffset } from '#service/schedule/zone.ts'

const hourMs = 3_600_000

/** Both days of a year, or none, on which a zone's clocks change. */
function changesIn(zone: string, year: number): number[] {
  const [from, to] = [Date.UTC(year, 0, 2), Date.UTC(year, 11, 30)]
  return worldRules
    .spans(zone, from, to)
    .slice(1)
    .map(({ at }) => at)
}

describe('walls and instants', () => {
  test('a weekly 15:00 stays 15:00 over both changes of the clocks, in every zone there is', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    expect(zones.length).toBeGreaterThan(400)
    const weekly = readRule('FREQ=WEEKLY;COUNT=3')
    for (const zone of zones) {
      for (const change of changesIn(zone, 2026)) {
        const day = worldZones.wallOf(zone, change)
        const start = readWall(`${writeWall(day - 7 * DAY_MS).slice(0, 10)}T15:00:00`)
        for (const wall of expand(weekly, start, zone, worldZones)) {
          const { instant, flag } = worldZones.resolve(zone, wall)
          expect([zone, clockOf(worldZones.wallOf(zone, instant)), flag]).toEqual([zone, '15:00', null])
        }
      }
    }
  })
  test('on the days of the change every wall is read as Temporal reads it, gaps and repeats flagged', () => {
    let gaps = 0
    let overlaps = 0
    for (const zone of Intl.supportedValuesOf('timeZone')) {
      for (const change of changesIn(zone, 2026)) {
        const middle = worldZones.wallOf(zone, change)
        for (const wall of [-1.25, -0.75, -0.25, 0, 0.25, 0.75].map((hours) => middle + hours * hourMs)) {
          const { instant, flag } = worldZones.resolve(zone, wall)
          const plain = Temporal.PlainDateTime.from(writeWall(wall))
          const [earlier, later] = (['earlier', 'later'] as const).map(
            (disambiguation) => plain.toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
          )
          const reads = plain.toZonedDateTime(zone).epochMilliseconds
          expect([zone, writeWall(wall), instant]).toEqual([zone, writeWall(wall), reads])
          const isShown = worldZones.wallOf(zone, instant) === wall
          expect(flag).toBe(earlier === later ? null : isShown ? 'dst_overlap' : 'dst_gap')
          if (flag === 'dst_gap') gaps += 1
          if (flag === 'dst_overlap') overlaps += 1
        }
      }
    }
    expect(gaps).toBeGreaterThan(100)
    expect(overlaps).toBeGreaterThan(100)
  })
  test('offsets are written as RFC 3339 does', () => {
    expect([-5, 0, 5.5, 12.75].map((hours) => writeOffset(hours * hourMs))).toEqual(['-05:00', '+00:00', '+05:30', '+12:45'])
  })
})

describe('rules', () => {
  const walls = (rule: string) => expand(readRule(rule), readWall('2026-11-24T15:00'), 'America/Chicago', worldZones)
  const problem = expect.objectContaining({ code: 'validation-failed' })

  test.each([
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=WEEKLY;BYSETPOS=300',
    'FREQ=DAILY;UNTIL=20200101',
    'FREQ=DAILY;COUNT=1;UNTIL=20301231',
    'FREQ=DAILY;UNTIL=soon',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;INTERVAL=99999999',
    'FREQ=DAILY;DTSTART=20200101T000000Z',
    'FREQ=WEEKLY\nDTSTART:19970902T090000',
    'FREQ=DAILY;BYHOUR=99',
    'FREQ=DAILY;FREQ=WEEKLY',
    'FREQ=SOMETIMES',
    'COUNT=4',
    '',
  ])('one that gives nothing, or is none, is refused: %j', (rule) => {
    expect(() => walls(rule)).toThrow(problem)
  })
  test('what never ends gives no more than a series may hold', () => {
    for (const rule of ['FREQ=SECONDLY', 'FREQ=DAILY', 'FREQ=DAILY;COUNT=100000']) {
      expect(walls(rule)).toHaveLength(MAX_OCCURRENCES)
      expect(isBounded(readRule(rule), walls(rule))).toBe(false)
    }
    expect(isBounded(readRule('FREQ=DAILY;COUNT=3'), walls('FREQ=DAILY;COUNT=3'))).toBe(true)
    expect(isBounded(readRule('FREQ=DAILY;UNTIL=20261130'), walls('FREQ=DAILY;UNTIL=20261130'))).toBe(true)
  })
  test('an end in UTC is an instant, an end by date is all of that day', () => {
    expect(walls('FREQ=DAILY;UNTIL=20261126T210000Z')).toHaveLength(3)
    expect(walls('FREQ=DAILY;UNTIL=20261126T205959Z')).toHaveLength(2)
    expect(walls('FREQ=DAILY;UNTIL=20261126')).toHaveLength(3)
  })
})
