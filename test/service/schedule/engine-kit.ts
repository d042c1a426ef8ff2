import { infeasibleCore, propose } from '#service/schedule/propose.ts'
import { supposedHours } from '#service/schedule/conflicts.ts'
import type { Search, Steps } from '#service/schedule/propose.ts'
import type { Scored } from '#service/schedule/score.ts'
import { readWall } from '#service/schedule/wall.ts'
import type { Busy, ClientFacts, Clinician, Wanted, World } from '#service/schedule/world.ts'
import { worldZones } from '#service/schedule/zone.ts'

export const zone = 'America/Chicago'

/** An instant by the clock of Chicago. */
export const at = (wall: string): number => worldZones.resolve(zone, readWall(wall)).instant

export const clinician: Clinician = {
  id: 'clinician',
  zone,
  hours: [{ ...supposedHours(zone, { earliest: null, latest: null, days: null }), id: 'hours-1' }],
  off: [],
  states: null,
}

export const client: ClientFacts = { id: 'client', state: null, insured: false, authorizations: [], lately: [] }

export const anyTime: Wanted = {
  clients: ['client'],
  type: 'individual',
  minutes: 50,
  modality: 'in_person',
  moving: null,
  before: null,
  after: null,
  earliest: null,
  latest: null,
  days: null,
  avoid: [],
}

export function busy(id: string, wall: string, minutes = 50, more: Partial<Busy> = {}): Busy {
  const start = at(wall)
  const who = { client_ids: [`client of ${id}`], clinician_id: 'clinician', room_id: null, shown: true, movable: true }
  return { id, ...who, start, end: start + minutes * 60_000, ...more }
}

export function world(more: Partial<World> = {}): World {
  const now = at('2026-11-02T07:00')
  return { now, zones: worldZones, busy: [], clinicians: [clinician], rooms: [], clients: [client], closures: [], ...more }
}

/** Monday to Friday of one week, unless said. */
export function search(more: Partial<Search> = {}): Search {
  const given = more.world ?? world()
  return {
    world: given,
    wanted: anyTime,
    window: { from: readWall('2026-11-02T00:00'), to: readWall('2026-11-07T00:00') },
    clinicians: given.clinicians,
    rooms: [null],
    rule: null,
    without: new Set(),
    preferences: { same_time_each_week: 3, keep_existing: 5, min_gaps: 1 },
    partial: false,
    ...more,
  }
}

function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

export const proposed = (asked: Search): Scored[] => atOnce(propose(asked))
export const coreOf = (asked: Search): string[] => atOnce(infeasibleCore(asked))
