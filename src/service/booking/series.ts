import { invalidField } from '#service/kernel/problem.ts'
import type { Clock } from '#base/clock.ts'
import { newId } from '#base/ids.ts'
import { AppError } from '#contract/errors.ts'
import { LAST_YEAR } from '#contract/model/common.ts'
import type { FollowingPatch } from '#contract/model/schedule.ts'
import type { Session } from '#contract/model/session.ts'
import { isBounded, readRule, type Rule, wallsOf } from '../schedule/recurrence.ts'
import { DAY_MS, dayOf, readWall, type Wall, writeWall } from '../schedule/wall.ts'
import { type Slot, slotAt } from '../schedule/world.ts'
import { worldZones, type Zones } from '../schedule/zone.ts'
import { changed } from '../store/records.ts'
import { bookedBetween, liftSessions, otherClients } from '../store/schedule.ts'
import { changeWall, followingOf, getSession, type SeriesWall, updateSession, wallOfSession } from '../store/sessions.ts'
import type { Write } from '../store/tables.ts'
import { makeSessions } from './carry-out.ts'

interface Booking {
  readonly practice: string
  readonly now: string
  readonly clock: Clock
  readonly zones?: Zones
}

/** Throws `double-booking` if a time is taken. With `leaveOut`, adds taken times as exceptions and throws if no time is left. */
export async function makeSeries(
  db: Write,
  { practice, now, clock, zones = worldZones }: Booking,
  first: Session,
  leaveOut: boolean,
): Promise<Session[]> {
  const { recurrence, time_zone } = first
  if (recurrence === null) throw new Error('a series has a recurrence')
  const start = zones.wallOf(time_zone, Date.parse(first.starts_at))
  if (readWall(recurrence.wall_start) !== start)
    throw invalidField('/recurrence/wall_start', 'not the time of starts_at on the clock of time_zone')
  const rule = readRule(recurrence.rrule, '/recurrence/rrule')
  const walls = wallsOf(rule, start, time_zone, zones)
  if (walls === null) throw invalidField('/recurrence/rrule', `too long to work out, or beyond the year ${LAST_YEAR}`)
  if (walls[0] !== start) throw invalidField('/recurrence/rrule', 'the series does not begin at starts_at')
  if (!isBounded(rule, walls))
    throw invalidField('/recurrence/rrule', 'a series has an end: COUNT, or UNTIL, of at most 400 sessions')
  const excepted = new Set(recurrence.exdates.map((time) => Date.parse(time)))
  const slots = walls
    .map((wall) => slotAt(zones, time_zone, wall, first.duration_minutes))
    .filter(({ start: at }) => !excepted.has(at))
  const taken = leaveOut ? await takenOf(db, practice, first, slots) : new Set<Slot>()
  const held = slots.filter((slot) => !taken.has(slot))
  if (held.length === 0) throw new AppError('double-booking', 'Every time of the series is taken.')
  const exdates = [...recurrence.exdates, ...[...taken].map(({ start: at }) => new Date(at).toISOString())]
  const { id, created_at: _created, updated_at: _updated, version: _version, ...body } = first
  const making = { clock, practice, now, tzVersion: zones.version, others: [] }
  return makeSessions(db, making, { ...body, recurrence: { ...recurrence, exdates } }, held, id)
}

async function takenOf(db: Write, practice: string, session: Session, slots: readonly Slot[]): Promise<ReadonlySet<Slot>> {
  const [first, last] = [slots[0], slots.at(-1)]
  if (first === undefined || last === undefined) return new Set()
  const [from, to] = [new Date(first.start).toISOString(), new Date(last.end).toISOString()]
  const rows = await bookedBetween(db, practice, from, to)
  const others = await otherClients(db, practice, from, to)
  const clashing = rows.filter(
    (row) =>
      row.client_id === session.client_id ||
      others.get(row.id)?.includes(session.client_id) ||
      row.clinician_id === session.clinician_id ||
      (row.room_id !== null && row.room_id === session.room_id),
  )
  const isTaken = (slot: Slot): boolean =>
    clashing.some(({ starts_at, ends_at }) => Date.parse(starts_at) < slot.end && Date.parse(ends_at) > slot.start)
  return new Set(slots.filter(isTaken))
}

export async function changeFollowing(db: Write, booking: Booking, current: Session, patch: FollowingPatch): Promise<Session[]> {
  const { practice, zones = worldZones } = booking
  const own = await wallOfSession(db, practice, current.id)
  if (own === null || current.recurrence === null) throw new AppError('conflict', 'This session is of no series.')
  const following = await followingOf(db, practice, own.series_id, own.wall)
  if (patch.status === 'cancelled') return callOff(db, booking, following)
  const shift = shiftOf(zones, current, patch)
  const series_id = newId(booking.clock)
  const recurrence = continued(zones, current, current.recurrence, own, shift)
  // Free all times first, because the sessions may take each other's places.
  const ids = following.map(({ session_id }) => session_id)
  await liftSessions(db, practice, ids)
  const all: Session[] = []
  for (const one of following) all.push(await shiftOne(db, booking, one, { patch, shift, series_id, recurrence }))
  return all
}

async function callOff(db: Write, { practice, now }: Booking, following: readonly SeriesWall[]): Promise<Session[]> {
  const all: Session[] = []
  for (const { session_id } of following) {
    const session: Session = { ...changed(await getSession(db, practice, session_id), now), status: 'cancelled' }
    await updateSession(db, practice, session)
    all.push(session)
  }
  return all
}

interface Shift {
  readonly patch: FollowingPatch
  readonly shift: number
  readonly series_id: string
  readonly recurrence: Session['recurrence']
}

async function shiftOne(
  db: Write,
  { practice, now, zones = worldZones }: Booking,
  one: SeriesWall,
  { patch, shift, series_id, recurrence }: Shift,
): Promise<Session> {
  const before = await getSession(db, practice, one.session_id)
  const { starts_at: _start, ...rest } = patch
  const named = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as typeof rest
  const next = { ...changed(before, now), ...named } as Session
  const wall = zones.wallOf(one.time_zone, Date.parse(before.starts_at)) + shift
  const { start, end } = slotAt(zones, one.time_zone, wall, next.duration_minutes)
  const place = slotAt(zones, one.time_zone, readWall(one.wall) + shift, next.duration_minutes)
  const [starts_at, occurrence_start] = [start, place.start].map((instant) => new Date(instant).toISOString()) as [string, string]
  const session: Session = { ...next, starts_at, ends_at: new Date(end).toISOString(), series_id, recurrence, occurrence_start }
  await updateSession(db, practice, session)
  const kept = { series_id, wall: writeWall(place.wall), tz_version: zones.version, starts_at: occurrence_start }
  await changeWall(db, practice, one.session_id, kept)
  return session
}

function shiftOf(zones: Zones, { time_zone, starts_at }: Session, patch: FollowingPatch): number {
  if (patch.starts_at === undefined) return 0
  const isNear = Math.abs(Date.parse(patch.starts_at) - Date.parse(starts_at)) < 366 * DAY_MS
  if (!isNear) throw invalidField('/starts_at', 'a series moves by less than a year')
  return zones.wallOf(time_zone, Date.parse(patch.starts_at)) - zones.wallOf(time_zone, Date.parse(starts_at))
}

function continued(
  zones: Zones,
  session: Session,
  recurrence: NonNullable<Session['recurrence']>,
  own: SeriesWall,
  shift: number,
) {
  const rule = readRule(recurrence.rrule)
  const place = readWall(own.wall)
  const moved = place + shift
  const isOtherDay = dayOf(moved) !== dayOf(place)
  const namesTimes = /BY/.test(rule.text)
  if (shift !== 0 && namesTimes && (isOtherDay || !rule.keepsTime)) {
    throw new AppError('conflict', 'The rule of this series names its days. Call these sessions off and book others.')
  }
  const all = wallsOf(rule, readWall(recurrence.wall_start), session.time_zone, zones) ?? []
  const left = all.filter((wall) => wall >= place).length
  const exdates = recurrence.exdates.map((time) => {
    const wall: Wall = zones.wallOf(session.time_zone, Date.parse(time)) + shift
    return new Date(zones.resolve(session.time_zone, wall).instant).toISOString()
  })
  return { rrule: ruleText(rule, left), exdates, wall_start: writeWall(moved) }
}

const ruleText = (rule: Rule, count: number): string =>
  [...rule.text.split(';').filter((part) => !part.startsWith('COUNT=')), `COUNT=${Math.max(1, count)}`].join(';')
