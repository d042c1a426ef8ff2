import { newId } from '#base/ids.ts'
import { type Clock, timestamp } from '#base/clock.ts'
import { AppError } from '#contract/errors.ts'
import { readWall } from '../schedule/wall.ts'
import { slotAt } from '../schedule/world.ts'
import type { Zones } from '../schedule/zone.ts'
import { appendAudit } from '../store/audit.ts'
import { acrossPractices, inPractice } from '../store/in-practice.ts'
import { changed } from '../store/records.ts'
import { changeWall, outdatedWalls, practicesWithOutdatedWalls, getSession, updateSession } from '../store/sessions.ts'
import type { SeriesWall } from '../store/sessions.ts'
import type { Database, Write } from '../store/tables.ts'

export interface Renewed {
  readonly moved: string[]
  readonly clashing: string[]
}

const BATCH = 500

/**
 * After a change to time zone rules, recomputes the instants of future series sessions from their stored local times.
 * Sessions that were rescheduled or would collide keep their times.
 */
export async function renewZones(db: Database, clock: Clock, zones: Zones): Promise<Renewed> {
  const renewed: Renewed = { moved: [], clashing: [] }
  const outdated = await acrossPractices(db, (read) => practicesWithOutdatedWalls(read, zones.version, timestamp(clock)))
  for (const practice of outdated) {
    const { moved, clashing } = await renewPractice(db, clock, zones, practice)
    renewed.moved.push(...moved)
    renewed.clashing.push(...clashing)
  }
  return renewed
}

export function renewPractice(db: Database, clock: Clock, zones: Zones, practice: string): Promise<Renewed> {
  return inPractice(db, practice, async (write) => {
    const moved: string[] = []
    const clashing: string[] = []
    const now = timestamp(clock)
    const outdated: SeriesWall[] = []
    for (;;) {
      const rows = await outdatedWalls(write, practice, zones.version, now, BATCH)
      for (const row of rows) await changeWall(write, practice, row.session_id, { tz_version: zones.version })
      outdated.push(...rows.filter((row) => startOf(zones, row) !== row.starts_at))
      if (rows.length < BATCH) break
    }
    // Process sessions that move later in reverse order, so none collides with its own series.
    const [later, sooner] = [
      outdated.filter((row) => startOf(zones, row) > row.starts_at),
      outdated.filter((row) => startOf(zones, row) < row.starts_at),
    ]
    const touched: string[] = []
    for (const row of [...later.toReversed(), ...sooner]) {
      const outcome = await renew(write, practice, now, zones, row)
      if (outcome === 'moved') moved.push(row.session_id)
      if (outcome === 'clash') clashing.push(row.session_id)
      if (outcome !== 'kept') touched.push(row.session_id)
    }
    if (touched.length > 0) await appendAudit(write, practice, auditOf(touched, now, newId(clock)))
    return { moved, clashing }
  })
}

const startOf = (zones: Zones, { time_zone, wall }: SeriesWall): string =>
  new Date(slotAt(zones, time_zone, readWall(wall), 0).start).toISOString()

async function renew(write: Write, practice: string, now: string, zones: Zones, row: SeriesWall) {
  const session = await getSession(write, practice, row.session_id)
  if (Date.parse(session.starts_at) !== Date.parse(row.starts_at)) return 'kept'
  const slot = slotAt(zones, row.time_zone, readWall(row.wall), session.duration_minutes)
  const [starts_at, ends_at] = [slot.start, slot.end].map((instant) => new Date(instant).toISOString()) as [string, string]
  try {
    await updateSession(write, practice, { ...changed(session, now), starts_at, ends_at, occurrence_start: starts_at })
  } catch (error) {
    if (error instanceof AppError && error.code === 'double-booking') return 'clash'
    throw error
  }
  await changeWall(write, practice, row.session_id, { starts_at })
  return 'moved'
}

function auditOf(entities: readonly string[], recorded: string, request_id: string) {
  const agent = { person: 'service', key: null, roles: [] }
  const what = { operation: 'renewZones', action: 'U', outcome: '200', consent: null, purpose: null } as const
  return { ...what, recorded, agent, source: 'service', entities, request_id }
}
