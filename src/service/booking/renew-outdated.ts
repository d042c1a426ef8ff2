import type { Clock } from '#base/clock.ts'
import { timestamp } from '#base/clock.ts'
import { inEachPractice } from '../store/in-practice.ts'
import { outdatedWalls } from '../store/series.ts'
import type { Database } from '../store/tables.ts'

/** At the start: the engine is loaded only where the world's clocks have changed since sessions were put into the calendar. */
export async function renewOutdated(db: Database, clock: Clock): Promise<void> {
  let isOutdated = false
  await inEachPractice(db, async (write, practice) => {
    if (!isOutdated)
      isOutdated = (await outdatedWalls(write, practice, process.versions.tz ?? 'unknown', timestamp(clock), 1)).length > 0
  })
  if (!isOutdated) return
  const { renewZones } = await import('./renew-zones.ts')
  const { worldZones } = await import('../schedule/zone.ts')
  await renewZones(db, clock, worldZones)
}
