import type { z } from 'zod'
import type { Log } from '#base/log.ts'
import { type Availability, availabilitySchema, type Room as RoomRecord, roomSchema } from '#contract/model/availability.ts'
import type { Coverage } from '#contract/model/coverage.ts'
import type { Client } from '#contract/model/client.ts'
import type { Call } from '#service/access/call.ts'
import { rowsWithin } from '#service/access/reach.ts'
import { DAY_MS, readClock, readWall, dateOf } from '../schedule/wall.ts'
import type { Away, Busy, ClientFacts, Clinician, Hours, Room, Stretch, World, Authorization } from '../schedule/world.ts'
import { unlimitedHours } from '../schedule/world.ts'
import type { Zones } from '../schedule/zone.ts'
import { allAvailability, allRooms } from '../store/schedule.ts'
import { bookedBetween, latelyOf, otherClients, shownBetween } from '../store/schedule.ts'
import { findStaff } from '../store/staff.ts'
import type { Database } from '../store/tables.ts'
import { listAuthorisations, completedSessions, fallsUnder, withVisits, listCoverage } from '../store/coverages.ts'
import { getClient } from '../store/clients.ts'
import { everyPage } from '../store/records.ts'

export interface View {
  readonly clinicians: readonly (string | null)[]
  readonly clients: readonly Client[]
  readonly from: number
  readonly to: number
  readonly zone: string
  readonly mayMove: boolean
}

const habitMs = 56 * DAY_MS

type Asking = Pick<Call, 'practice' | 'scope' | 'now'>

export async function loadWorld(db: Database, call: Asking, zones: Zones, log: Log, view: View): Promise<World> {
  const { practice, now } = call
  const stored = readable('availability', await allAvailability(db, practice), availabilitySchema, log)
  const kept = stored.filter(({ status }) => status === 'active')
  const rooms = readable('room', await allRooms(db, practice), roomSchema, log)
  const closures = kept.flatMap((one) => (one.kind === 'closure' ? [awayOf(one, zones)] : []))
  return {
    now: Date.parse(now),
    zones,
    busy: await busyBetween(db, call, view),
    clinicians: await Promise.all(view.clinicians.map((id) => clinicianOf(db, practice, id, kept, view.zone, zones))),
    rooms: rooms.map((room) => roomOf(room, kept, zones)),
    clients: await Promise.all(view.clients.map((client) => factsOf(db, practice, client, now))),
    closures,
  }
}

/** Skips records that do not fit the schema, so that one of them can't block the calendar. */
function readable<Item extends { readonly id: string }>(
  kind: string,
  stored: readonly Item[],
  schema: z.ZodType<Item>,
  log: Log,
): Item[] {
  return stored.flatMap((one) => {
    const read = schema.safeParse(one)
    if (!read.success) log.warn('schedule.unreadable', { kind, id: one.id })
    return read.success ? [read.data] : []
  })
}

async function busyBetween(db: Database, call: Asking, { from, to, mayMove }: View): Promise<Busy[]> {
  // Load two extra days on each side, because breaks and daily limits reach beyond the window.
  const [start, end] = [new Date(from - 2 * DAY_MS).toISOString(), new Date(to + 2 * DAY_MS).toISOString()]
  const rows = await bookedBetween(db, call.practice, start, end)
  const shown = await shownBetween(db, call.practice, rowsWithin('sessions', call.scope), start, end)
  const others = await otherClients(db, call.practice, start, end)
  return rows.map((row) => {
    const isShown = call.scope.limited === null && (shown === null || shown.has(row.id))
    return {
      id: row.id,
      client_ids: [row.client_id, ...(others.get(row.id) ?? [])],
      clinician_id: row.clinician_id,
      room_id: row.room_id,
      start: Date.parse(row.starts_at),
      end: Date.parse(row.ends_at),
      shown: isShown,
      movable: isShown && mayMove && row.status !== 'in_progress' && row.starts_at > call.now,
    }
  })
}

async function clinicianOf(
  db: Database,
  practice: string,
  id: string | null,
  kept: readonly Availability[],
  zone: string,
  zones: Zones,
): Promise<Clinician> {
  const own = kept.filter((one) => 'clinician_id' in one && one.clinician_id === id)
  const hours = own.flatMap((one) => (one.kind === 'hours' ? [hoursOf(one)] : []))
  const staff = id === null ? null : await findStaff(db, practice, id)
  return {
    id,
    zone: hours[0]?.zone ?? zone,
    hours,
    off: own.flatMap((one) => (one.kind === 'time_off' ? [awayOf(one, zones)] : [])),
    // An empty list means that no states were entered, not that the clinician has no license.
    states: staff === null || staff.licence_states.length === 0 ? null : staff.licence_states,
  }
}

function hoursOf(one: Extract<Availability, { kind: 'hours' }>): Hours {
  return {
    id: one.id,
    zone: one.time_zone,
    validFrom: one.valid_from === null ? null : readWall(`${one.valid_from}T00:00`),
    validTo: one.valid_to === null ? null : readWall(`${one.valid_to}T00:00`),
    days: daysOf(one.weekly),
    mostPerDay: one.most_per_day,
    before: one.buffer_before,
    after: one.buffer_after,
  }
}

/** Merges adjacent or overlapping hours, because a session may span the point where they meet. */
function daysOf(weekly: Extract<Availability, { kind: 'hours' }>['weekly']): Hours['days'] {
  const days: Partial<Record<(typeof weekly)[number]['day'], Stretch[]>> = {}
  for (const { day, from, to } of weekly.toSorted((left, right) => (left.from < right.from ? -1 : 1))) {
    const list = (days[day] ??= [])
    const last = list.at(-1)
    const next = { from: readClock(from), to: readClock(to) }
    if (last !== undefined && last.to >= next.from) list[list.length - 1] = { from: last.from, to: Math.max(last.to, next.to) }
    else list.push(next)
  }
  return days
}

function awayOf(one: Exclude<Availability, { kind: 'hours' }>, zones: Zones): Away {
  const at = (wall: string): number => zones.resolve(one.time_zone, readWall(wall)).instant
  return { id: one.id, start: at(one.from), end: at(one.to) }
}

function roomOf(room: RoomRecord, kept: readonly Availability[], zones: Zones): Room {
  const open = { ...unlimitedHours, id: room.id, zone: room.time_zone }
  return {
    id: room.id,
    capacity: room.capacity,
    open: room.open.length === 0 ? [] : [{ ...open, days: daysOf(room.open) }],
    closed: kept.flatMap((one) => (one.kind === 'room_closed' && one.room_id === room.id ? [awayOf(one, zones)] : [])),
    archived: room.status === 'archived',
  }
}

async function factsOf(db: Database, practice: string, client: Client, now: string): Promise<ClientFacts> {
  const since = new Date(Date.parse(now) - habitMs).toISOString()
  return {
    id: client.id,
    state: client.state ?? null,
    insured: client.insurance !== null,
    authorizations: await authorizationsOf(db, practice, client.id),
    lately: await latelyOf(db, practice, client.id, now, since),
  }
}

/** Leaves out canceled authorizations. The session's CPT code is unknown, so authorizations for certain codes cover no day. */
async function authorizationsOf(db: Database, practice: string, client: string): Promise<Authorization[]> {
  const { authorisations } = await authorisationFacts(db, practice, client)
  return authorisations.map(({ id, visits_left, covers }) => ({
    id,
    remaining: visits_left ?? Infinity,
    covers: (day) => covers(dateOf(day), null),
  }))
}

export async function authorisationFacts(db: Database, practice: string, client_id: string) {
  const { insurance } = await getClient(db, practice, client_id)
  const kept = await everyPage((cursor) => listAuthorisations(db, practice, { limit: 200, client_id, cursor }))
  const completed = kept.length === 0 ? [] : await completedSessions(db, practice, client_id)
  const authorisations = kept
    .filter(({ cancelled }) => !cancelled)
    .map((authorisation) => ({
      id: authorisation.id,
      visits_left: withVisits(authorisation, completed).visits_left,
      covers: (day: string, cpt_code: string | null) => fallsUnder(authorisation, day, cpt_code),
    }))
  return { payer_id: insurance?.payer_id ?? null, required: await lastSaid(db, practice, client_id), authorisations }
}

type Required = Coverage['mental_health']['authorization_required']

async function lastSaid(db: Database, practice: string, client_id: string): Promise<Required> {
  let required: Required = 'unknown'
  const stored = await everyPage((cursor) => listCoverage(db, practice, { limit: 200, client_id, cursor }, []))
  for (const { mental_health, status } of stored)
    if (status === 'active' && mental_health.authorization_required !== 'unknown') required = mental_health.authorization_required
  return required
}
