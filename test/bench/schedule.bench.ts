/** How long a scheduler thinks: four weeks of one clinician, a series in them, a day of a practice of twenty, room made for one. */
import { performance } from 'node:perf_hooks'
import type { Search } from '#service/schedule/propose.ts'
import { readRule } from '#service/schedule/recurrence.ts'
import { resolve } from '#service/schedule/resolve.ts'
import { DAY_MS, MINUTE_MS, readWall } from '#service/schedule/wall.ts'
import type { Busy, Clinician, Room } from '#service/schedule/world.ts'
import { slotAt } from '#service/schedule/world.ts'
import { worldZones } from '#service/schedule/zone.ts'
import { anyTime, at, client, clinician, proposed, search, world, zone } from '#test/service/schedule/engine-kit.ts'
import { percentile, report } from './records-bench-kit.ts'

const goals = { fourWeeks: 50, day: 2000 }
const monday = readWall('2026-11-02T00:00')

/** Six sessions a working day each, at hours that differ from one to the other. */
function booked(clinicians: readonly Clinician[], days: number, rooms: readonly Room[]): Busy[] {
  return clinicians.flatMap(({ id }, number) =>
    Array.from({ length: days }, (_, day) => day)
      .filter((day) => day % 7 < 5)
      .flatMap((day) =>
        [8, 9, 11, 13, 15, 16].map((hour, position): Busy => {
          const { instant } = worldZones.resolve(
            zone,
            monday + day * DAY_MS + hour * 60 * MINUTE_MS + ((number + day) % 3) * 15 * MINUTE_MS,
          )
          const room_id = rooms[number % Math.max(1, rooms.length)]?.id ?? null
          const who = { client_ids: [`c${number}-${position}`], clinician_id: id, room_id, shown: true, movable: true }
          return { id: `${number}-${day}-${hour}`, ...who, start: instant, end: instant + 50 * MINUTE_MS }
        }),
      ),
  )
}

function measure(what: string, goal: number, runs: number, work: () => unknown): void {
  work()
  const times: number[] = []
  for (let index = 0; index < runs; index += 1) {
    const start = performance.now()
    work()
    times.push(performance.now() - start)
  }
  report(what, percentile(times, 0.95), 'ms', goal)
}

const fourWeeks = { from: monday, to: monday + 28 * DAY_MS }
const one: Search = search({ world: world({ busy: booked([clinician], 200, []) }), window: fourWeeks })
measure('times of four weeks for one clinician, 95 of 100', goals.fourWeeks, 60, () => proposed(one))
const series: Search = { ...one, rule: readRule('FREQ=WEEKLY;COUNT=12'), partial: true }
measure('twelve weeks in a row, from one of four weeks, 95 of 100', goals.fourWeeks, 40, () => proposed(series))

const twenty = Array.from({ length: 20 }, (_, number): Clinician => ({ ...clinician, id: `clinician-${number}` }))
const rooms = Array.from({ length: 12 }, (_, number): Room => ({
  id: `room-${number}`,
  capacity: 3,
  open: [],
  closed: [],
  archived: false,
}))
const practice = world({ busy: booked(twenty, 28, rooms), clinicians: twenty, rooms, clients: [client] })
const day = search({ world: practice, clinicians: twenty, rooms, window: { from: monday + DAY_MS, to: monday + 2 * DAY_MS } })
measure('a day of twenty clinicians and twelve rooms, 95 of 100', goals.day, 20, () => proposed(day))
measure('room made in that day by at most three moves, 95 of 100', goals.day, 20, () => resolve(day, null, 3))
const slot = slotAt(worldZones, zone, worldZones.wallOf(zone, at('2026-11-03T11:00')), anyTime.minutes)
measure('room made at one time of it, 95 of 100', goals.day, 20, () => resolve(day, { clinician: twenty[3]!, slot }, 3))
