import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conflictsAt, isHard, rulesOut } from '#service/schedule/conflicts.ts'
import type { Search } from '#service/schedule/propose.ts'
import { readRule } from '#service/schedule/recurrence.ts'
import type { Move } from '#service/schedule/resolve.ts'
import { cheaper, costOf, groundOf, resolveAt } from '#service/schedule/resolve.ts'
import { scorer, assess } from '#service/schedule/score.ts'
import { MINUTE_MS, readWall } from '#service/schedule/wall.ts'
import type { Busy, Slot } from '#service/schedule/world.ts'
import { slotAt, indexBusy } from '#service/schedule/world.ts'
import { worldZones } from '#service/schedule/zone.ts'
import { anyTime, busy, clinician, coreOf, proposed, search, world, zone } from './engine-kit.ts'

const runs = process.env['AFTERWORD_FAULTS'] === 'full' ? 2000 : 60

/** One Monday, 08:00 to 12:00, so that brute force can look everywhere. */
const morning = { from: readWall('2026-11-02T08:00'), to: readWall('2026-11-02T12:00') }
const quarters = fc.integer({ min: 0, max: 14 })
const clock = (quarter: number): string =>
  `2026-11-02T${String(8 + Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`

/** Appointments of one clinician that do not meet each other, some of them the wanted client's. */
const mornings = fc
  .array(fc.record({ quarter: quarters, length: fc.constantFrom(15, 30, 45), movable: fc.boolean(), isOwn: fc.boolean() }), {
    maxLength: 4,
  })
  .map((list) => {
    const made: Busy[] = []
    for (const [index, { quarter, length, movable, isOwn }] of list.entries()) {
      const one = busy(`b${index}`, clock(quarter), length, { movable, ...(isOwn ? { client_ids: ['client'] } : {}) })
      if (made.every((other) => other.end <= one.start || other.start >= one.end)) made.push(one)
    }
    return made
  })

const walls = Array.from({ length: 16 }, (_, quarter) => morning.from + quarter * 15 * MINUTE_MS)

describe('proposals', () => {
  test('the best of them is the best there is: as good as trying every time', () => {
    fc.assert(
      fc.property(mornings, fc.constantFrom(30, 45), (taken, minutes) => {
        const one = search({ world: world({ busy: taken }), window: morning, wanted: { ...anyTime, minutes } })
        const index = indexBusy(taken)
        const score = scorer(one, index)
        const scores = walls
          .filter((wall) => wall + minutes * MINUTE_MS <= morning.to)
          .map((wall) =>
            assess(one.world, index, one.wanted, { clinician, room: null }, [slotAt(worldZones, zone, wall, minutes)]),
          )
          .filter(({ conflicts }) => !conflicts.some(({ found }) => rulesOut(found)))
          .map((assessed) => score(assessed).score)
        const best = proposed(one)[0]?.score ?? null
        expect(best).toBe(scores.length === 0 ? null : Math.max(...scores))
      }),
      { numRuns: runs },
    )
  })
  test('the same question has the same answer to the byte, in whatever order the records come', () => {
    fc.assert(
      fc.property(mornings, (taken) => {
        const answer = (list: readonly Busy[]): string => JSON.stringify(proposed(search({ world: world({ busy: list }) })))
        expect(answer(taken.toReversed())).toBe(answer(taken))
      }),
      { numRuns: runs },
    )
  })
  test('the time at which a client usually comes is offered first', () => {
    const lately = ['2026-10-27T14:00', '2026-10-20T14:00', '2026-10-13T09:00'].map(
      (wall) => worldZones.resolve(zone, readWall(wall)).instant,
    )
    const known = { ...world().clients[0]!, lately }
    const [first] = proposed(search({ world: world({ clients: [known] }) }))
    expect(new Date(first!.assessed.slots[0]!.wall).toISOString()).toBe('2026-11-03T14:00:00.000Z')
  })
  test('a series keeps its clock over the change of the clocks', () => {
    const rule = readRule('FREQ=WEEKLY;COUNT=4')
    const window = { from: readWall('2026-10-26T00:00'), to: readWall('2026-10-31T00:00') }
    const now = worldZones.resolve(zone, readWall('2026-10-25T12:00')).instant
    const [first] = proposed(search({ world: world({ now }), rule, window }))
    const times = first!.assessed.slots.map(({ wall }) => new Date(wall).toISOString().slice(11, 16))
    const hours = first!.assessed.slots.map(({ start }, index, all) =>
      index === 0 ? 0 : (start - all[index - 1]!.start) / 3_600_000,
    )
    expect(new Set(times).size).toBe(1)
    expect(hours).toEqual([0, 7 * 24 + 1, 7 * 24, 7 * 24])
  })
})

describe('the core of what cannot be', () => {
  test('is enough to leave no time, and none of it can be left out', () => {
    const names = ['constraints.earliest', 'constraints.latest', 'constraints.days', 'hours', 'bookings:clinician'] as const
    const wishes = fc.record({
      earliest: fc.constantFrom(null, 600, 1020),
      latest: fc.constantFrom(null, 540, 660),
      weekend: fc.boolean(),
      full: fc.boolean(),
    })
    fc.assert(
      fc.property(wishes, ({ earliest, latest, weekend, full }) => {
        const day = busy('all', '2026-11-02T00:00', 5 * 24 * 60)
        const make = (without: ReadonlySet<string>): Search =>
          search({
            world: world({
              busy: full && !without.has('bookings:clinician') ? [day] : [],
              clinicians: [without.has('hours') ? { ...clinician, hours: [{ ...clinician.hours[0]!, days: all }] } : clinician],
            }),
            wanted: {
              ...anyTime,
              earliest: without.has('constraints.earliest') ? null : earliest,
              latest: without.has('constraints.latest') ? null : latest,
              days: weekend && !without.has('constraints.days') ? new Set(['SU']) : null,
            },
          })
        const whole = make(new Set())
        if (proposed(whole).length > 0) return
        const core = coreOf(whole).filter((name) => name !== 'past')
        const beyond = names.filter((name) => !core.includes(name))
        if (!coreOf(whole).includes('past')) expect(proposed(make(new Set(beyond)))).toEqual([])
        for (const one of core) expect([one, proposed(make(new Set([...beyond, one]))).length > 0]).toEqual([one, true])
      }),
      { numRuns: 40 },
    )
  })
  test('of a window without any time is the window', () => {
    expect(coreOf(search({ window: { from: morning.from, to: morning.from } }))).toEqual(['window'])
  })
})

describe('room made by moving others', () => {
  test('takes the fewest moves, and of those the shortest: as brute force does', () => {
    fc.assert(
      fc.property(mornings, fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 2 }), (taken, quarter, maxMoves) => {
        const wanted = { ...anyTime, minutes: 45 }
        const one = search({ world: world({ busy: taken }), window: morning, wanted })
        const slot = slotAt(worldZones, zone, morning.from + quarter * 15 * MINUTE_MS, 45)
        const found = resolveAt(groundOf(one), clinician, slot, maxMoves)
        const best = bruteForce(one, slot, maxMoves)
        expect(found && costOf(found.moves)).toEqual(best && costOf(best))
      }),
      { numRuns: runs },
    )
  })
  test('nobody moves who may not be moved, and nothing is moved where the time is free', () => {
    const fixed = busy('fixed', '2026-11-02T09:00', 50, { movable: false })
    const slot = slotAt(worldZones, zone, readWall('2026-11-02T09:15'), 50)
    expect(resolveAt(groundOf(search({ world: world({ busy: [fixed] }) })), clinician, slot, 5)).toBeNull()
    expect(resolveAt(groundOf(search()), clinician, slot, 0)?.moves).toEqual([])
  })
})

const all = Object.fromEntries((['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const).map((day) => [day, [{ from: 0, to: 1440 }]]))

/** Every way to move at most so many, each to every place. */
function bruteForce({ world: given, wanted }: Search, slot: Slot, maxMoves: number): readonly Move[] | null {
  const target = {
    id: 'new',
    client_ids: wanted.clients,
    clinician_id: clinician.id,
    room_id: null,
    shown: true,
    movable: false,
    start: slot.start,
    end: slot.end,
  }
  let best: readonly Move[] | null = null
  const visit = (rest: readonly Busy[], moves: readonly Move[], placed: readonly Busy[]): void => {
    const [next, ...others] = rest
    if (next === undefined) {
      const isBetter = best === null || cheaper(costOf(moves), costOf(best))
      if (isBetter && fits([...placed, target]) && canBe(slot, wanted.minutes)) best = moves
      return
    }
    visit(others, moves, [...placed, next])
    if (!next.movable || moves.length === maxMoves) return
    const minutes = (next.end - next.start) / MINUTE_MS
    for (const wall of walls.filter((from) => from + minutes * MINUTE_MS <= morning.to)) {
      const to = slotAt(worldZones, zone, wall, minutes)
      if (to.start !== next.start && canBe(to, minutes))
        visit(others, [...moves, { busy: next, to }], [...placed, { ...next, start: to.start, end: to.end }])
    }
  }
  visit(given.busy, [], [])
  return best

  function canBe(where: Slot, minutes: number): boolean {
    return !conflictsAt(given, indexBusy([]), { ...wanted, minutes }, { clinician, room: null }, where).some(isHard)
  }
}

const fits = (list: readonly Busy[]): boolean =>
  list.every((one, index) => list.slice(index + 1).every((other) => other.end <= one.start || other.start >= one.end))
