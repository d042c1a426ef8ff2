import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Client } from '#contract/model/client.ts'
import type { ScheduleRequest } from '#contract/model/schedule.ts'
import type { Session } from '#contract/model/session.ts'
import { requirePeople, assignedTo } from '#service/access/people.ts'
import { requireReach } from '#service/access/reach.ts'
import { mayReach } from '#service/access/authorization.ts'
import type { Call } from '#service/access/call.ts'
import { type Search, seriesOf } from '../schedule/propose.ts'
import type { Clinician, Room, Slot, World } from '../schedule/world.ts'
import { slotAt, compare, indexBusy } from '../schedule/world.ts'
import type { Zones } from '../schedule/zone.ts'
import { getClient } from '../store/clients.ts'
import { getRoom } from '../store/schedule.ts'
import { getSession } from '../store/sessions.ts'
import type { Database } from '../store/tables.ts'
import { loadWorld } from './load-world.ts'
import { type Asked, readRequest } from './read-request.ts'
import { NotFound, invalidField } from '#service/kernel/problem.ts'

export type Question = Awaited<ReturnType<typeof questionOf>>

type Asking = Pick<Call, 'practice' | 'scope' | 'now' | 'caller'>

export interface Tools {
  readonly clock: Clock
  readonly zones: Zones
  readonly log: Log
}

export async function questionOf(db: Database, call: Asking, body: ScheduleRequest, { zones, log }: Omit<Tools, 'clock'>) {
  const { request } = body
  const asked = readRequest(body, Date.parse(call.now), zones)
  const clients: Client[] = []
  for (const id of asked.wanted.clients) {
    await requireReach(db, call, 'clients', id)
    clients.push(await getClient(db, call.practice, id))
  }
  const moving = request.session_id === undefined ? null : await movable(db, call, body)
  if (request.room_id !== null) await getRoom(db, call.practice, request.room_id)
  const clinicians = cliniciansOf(call, body, clients, moving)
  await requirePeople(db, call.caller, [
    { pointer: '/request/clinician_id', id: request.clinician_id },
    ...(request.clinician_ids ?? []).map((id, index) => ({ pointer: `/request/clinician_ids/${index}`, id })),
  ])
  const { window, start, reach } = asked
  const world = await loadWorld(db, call, zones, log, {
    clinicians,
    clients,
    from: Math.min(window.from, start ?? Infinity),
    to: reach,
    zone: request.tzid,
    mayMove: call.scope.limited === null,
  })
  const room = world.rooms.find(({ id }) => id === request.room_id) ?? null
  const clock = world.clinicians[0]!.zone
  const search: Search = {
    world,
    wanted: asked.wanted,
    window: { from: zones.wallOf(clock, window.from), to: zones.wallOf(clock, window.to) },
    clinicians: world.clinicians,
    rooms: room === null ? roomsFor(body, world) : [room],
    rule: asked.rule,
    without: asked.without,
    preferences: asked.preferences,
    partial: body.series_partial === 'allow',
    near: body.mode === 'propose' ? start : null,
  }
  return { body, asked, clients, search, index: indexBusy(world.busy), room, said: saidBack(asked) }
}

export function slotsAt({ asked, search, body }: Question, clinician: Clinician): readonly Slot[] {
  if (asked.start === null)
    throw invalidField(
      '/request/start',
      'A time to book or check is required. To book a time in words, send `text` with `propose` first, then `book` its `proposal_id`.',
    )
  const { zones } = search.world
  // If daylight saving skips a local time, converting it to an instant and back changes it, so use the requested local time.
  const wall = clinician.zone === body.request.tzid ? asked.startWall! : zones.wallOf(clinician.zone, asked.start)
  if (asked.rule === null) return [slotAt(zones, clinician.zone, wall, asked.wanted.minutes)]
  const slots = seriesOf(zones, clinician.zone, asked.wanted.minutes, asked.rule, asked.without)(wall)
  if (slots === null) throw invalidField('/request/rrule', 'the series does not begin at the start')
  return slots
}

function cliniciansOf(call: Asking, { request }: ScheduleRequest, clients: readonly Client[], moving: Session | null) {
  const named = request.clinician_ids ?? (request.clinician_id === undefined ? [] : [request.clinician_id])
  const beyond = named.find((id) => !mayReach(call.scope, id))
  if (beyond !== undefined) throw new NotFound(beyond)
  if (named.length > 0) return [...new Set(named)].toSorted(compare)
  if (moving !== null) return [moving.clinician_id]
  return [assignedTo(call, null, clients[0]?.clinician_id ?? null)]
}

/** Active rooms that are large enough, or else all active rooms, smallest first; [null] if remote or if none is active. */
function roomsFor({ request }: ScheduleRequest, { rooms }: World): (Room | null)[] {
  const open = rooms.filter(({ archived }) => !archived)
  if (request.modality !== 'in_person' || open.length === 0) return [null]
  const sorted = open.toSorted((left, right) => left.capacity - right.capacity || compare(left.id, right.id))
  const large = sorted.filter(({ capacity }) => capacity > request.client_ids.length)
  return large.length > 0 ? large : sorted
}

async function movable(db: Database, call: Asking, { request }: ScheduleRequest): Promise<Session> {
  const id = request.session_id!
  if (request.rrule !== undefined) throw invalidField('/request/rrule', 'one session moves, not a series')
  await requireReach(db, call, 'sessions', id)
  const session = await getSession(db, call.practice, id)
  if (!request.client_ids.includes(session.client_id))
    throw invalidField('/request/client_ids', 'not the client of the session that is to move')
  return session
}

function saidBack({ text }: Asked): string[] {
  if (text === null) return []
  const { said, notUnderstood } = text
  return [...said, ...(notUnderstood.length > 0 ? [`Not understood and ignored: ${notUnderstood.join('; ')}.`] : [])]
}
