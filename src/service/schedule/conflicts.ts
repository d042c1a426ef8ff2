import type { z } from 'zod'
import type { conflictKindSchema } from '#contract/model/schedule.ts'
import { DAY_MS, dayOf, MINUTE_MS, minuteOfDay, type Wall, weekdayOf, weekdays } from './wall.ts'
import type { Zones } from './zone.ts'
import type { Away, Busy, ClientFacts, Clinician, Room, Slot, Wanted, World, Hours, BusyIndex } from './world.ts'
import { unlimitedHours } from './world.ts'

export type ConflictKind = z.infer<typeof conflictKindSchema>

export interface Found {
  readonly kind: ConflictKind
  readonly severity: 'hard' | 'soft'
  readonly by: string
  readonly with: { readonly type: string; readonly id: string | null } | null
  readonly busy: Busy | null
}

const kinds: Readonly<Record<ConflictKind, readonly [severity: 'hard' | 'soft', message: string]>> = {
  clinician_double: ['hard', 'The clinician already has an appointment at this time.'],
  client_double: ['hard', 'The client has another appointment at this time.'],
  room_double: ['hard', 'The room is booked at this time.'],
  buffer_short: ['soft', 'It leaves less time between appointments than requested.'],
  outside_hours: ['hard', 'It’s outside the clinician’s working hours.'],
  time_off: ['hard', 'The clinician is away, or the practice is closed.'],
  room_closed: ['hard', 'The room is closed at this time.'],
  licence_state: ['hard', 'The clinician isn’t licensed in the client’s state.'],
  authorization_exhausted: ['soft', 'No authorized sessions will be left by then.'],
  payer_same_day: ['soft', 'The client has another session that day. Many payers cover one per day.'],
  max_daily_load: ['soft', 'The clinician’s daily session limit is reached.'],
  series_partial: ['soft', 'Some sessions of the series aren’t possible.'],
  dst_gap: ['soft', 'Daylight saving time begins then, so the session is an hour later that day.'],
  dst_overlap: ['soft', 'Daylight saving time ends then and this time occurs twice. The first one is used.'],
  past: ['hard', 'This time has passed.'],
  group_capacity: ['hard', 'The room is too small for the group.'],
}

type Other = { readonly kind: 'availability' | 'room' | 'client' | 'authorization'; readonly id: string }

export function found(kind: ConflictKind, by: string, other: Busy | Other | null = null, severity = kinds[kind][0]): Found {
  if (other === null) return { kind, severity, by, with: null, busy: null }
  if ('kind' in other) return { kind, severity, by, with: { type: other.kind, id: other.id }, busy: null }
  const shown = other.shown ? { type: 'session', id: other.id } : { type: 'busy', id: null }
  return { kind, severity, by, with: shown, busy: other }
}

export const isHard = ({ severity }: Found): boolean => severity === 'hard'
export const rulesOut = ({ severity, by }: Found): boolean => severity === 'hard' || by.startsWith('constraints.')

const wishMessages: Readonly<Record<string, string>> = {
  'constraints.earliest': 'It’s earlier than requested.',
  'constraints.latest': 'It ends later than requested.',
  'constraints.days': 'It’s on a day that wasn’t requested.',
  'constraints.avoid': 'It’s at a time to avoid.',
}

export const messageOf = ({ kind, by }: Found): string => wishMessages[by] ?? kinds[kind][1]

export interface Place {
  readonly clinician: Clinician
  readonly room: Room | null
}

export function conflictsAt(world: World, index: BusyIndex, wanted: Wanted, place: Place, slot: Slot): Found[] {
  return [
    ...(slot.start < world.now ? [found('past', 'past')] : []),
    ...doubles(index, wanted, place, slot),
    ...(place.room === null ? [] : roomConflictsAt(world, index, wanted, place.room, slot)),
    ...clinicianAway(world, place.clinician, slot),
    ...notLicensed(world, wanted, place.clinician),
    ...wishes(wanted, slot),
    ...sameDay(world, index, wanted, place.clinician, slot),
    ...shortBuffers(index, wanted, place.clinician, slot),
    ...(slot.flag === null ? [] : [found(slot.flag, slot.flag)]),
  ]
}

function doubles(index: BusyIndex, wanted: Wanted, { clinician }: Place, slot: Slot): Found[] {
  return [
    ...othersAt(index, wanted, 'clinician', clinician.id, slot).map((busy) =>
      found('clinician_double', 'bookings:clinician', busy),
    ),
    ...wanted.clients.flatMap((client) =>
      othersAt(index, wanted, 'client', client, slot).map((busy) => found('client_double', 'bookings:client', busy)),
    ),
  ]
}

function othersAt(index: BusyIndex, wanted: Wanted, kind: 'clinician' | 'room' | 'client', id: string | null, slot: Slot) {
  return index.of(kind, id, slot.start, slot.end).filter(({ id: other }) => other !== wanted.moving)
}

export function roomConflictsAt(world: World, index: BusyIndex, wanted: Wanted, room: Room, slot: Slot): Found[] {
  const closed = room.closed.filter((away) => overlaps(away, slot))
  const isShut = room.archived || (room.open.length > 0 && !room.open.some((hours) => isWithin(world.zones, hours, slot)))
  return [
    ...othersAt(index, wanted, 'room', room.id, slot).map((busy) => found('room_double', 'bookings:room', busy)),
    ...closed.map((away) => found('room_closed', `room_closed:${away.id}`, { kind: 'availability', id: away.id })),
    ...(isShut ? [found('room_closed', `room_closed:${room.id}`, { kind: 'room', id: room.id })] : []),
    ...(wanted.clients.length + 1 > room.capacity
      ? [found('group_capacity', 'room_capacity', { kind: 'room', id: room.id })]
      : []),
  ]
}

function clinicianAway(world: World, { hours, off }: Clinician, slot: Slot): Found[] {
  const closures = world.closures.filter((away) => overlaps(away, slot))
  return [
    ...closures.map((away) => found('time_off', `closure:${away.id}`, { kind: 'availability', id: away.id })),
    ...off
      .filter((away) => overlaps(away, slot))
      .map((away) => found('time_off', `time_off:${away.id}`, { kind: 'availability', id: away.id })),
    ...(hours.length === 0 || hours.some((one) => isWithin(world.zones, one, slot)) ? [] : [found('outside_hours', 'hours')]),
  ]
}

function notLicensed(world: World, wanted: Wanted, { states }: Clinician): Found[] {
  if (wanted.modality === 'in_person' || states === null) return []
  const elsewhere = clientsOf(world, wanted).filter(({ state }) => state !== null && !states.includes(state))
  return elsewhere.map(({ id }) => found('licence_state', 'licence_state', { kind: 'client', id }))
}

function wishes({ minutes, earliest, latest, days, avoid }: Wanted, { wall }: Slot): Found[] {
  const from = minuteOfDay(wall)
  const wish = (name: string): Found => found('outside_hours', `constraints.${name}`, null, 'soft')
  const isAvoided = avoid.some((one) =>
    one.kind === 'time'
      ? wall < one.to && wall + minutes * MINUTE_MS > one.from
      : (one.day === null || one.day === weekdayOf(wall)) && from < one.stretch.to && from + minutes > one.stretch.from,
  )
  return [
    ...(earliest !== null && from < earliest ? [wish('earliest')] : []),
    ...(latest !== null && from + minutes > latest ? [wish('latest')] : []),
    ...(days !== null && !days.has(weekdayOf(wall)) ? [wish('days')] : []),
    ...(isAvoided ? [wish('avoid')] : []),
  ]
}

function sameDay(world: World, index: BusyIndex, wanted: Wanted, clinician: Clinician, slot: Slot): Found[] {
  const day = dayOf(slot.wall)
  const limits = hoursOn(clinician, day).flatMap(({ mostPerDay }) => (mostPerDay === null ? [] : [mostPerDay]))
  const insured = clientsOf(world, wanted).filter(({ insured: isInsured }) => isInsured)
  if (limits.length === 0 && insured.length === 0) return []
  const [start, end] = [day, day + DAY_MS].map((wall) => world.zones.resolve(clinician.zone, wall).instant) as [number, number]
  const on = (kind: 'clinician' | 'client', id: string | null): readonly Busy[] =>
    index.of(kind, id, start, end).filter((busy) => busy.id !== wanted.moving && busy.start >= start)
  const isFull = limits.length > 0 && on('clinician', clinician.id).length >= Math.max(...limits)
  return [
    ...(isFull ? [found('max_daily_load', 'max_daily_load')] : []),
    ...insured.flatMap(({ id }) => on('client', id).map((busy) => found('payer_same_day', 'payer_same_day', busy))),
  ]
}

function shortBuffers(index: BusyIndex, wanted: Wanted, clinician: Clinician, slot: Slot): Found[] {
  const hours = hoursOn(clinician, dayOf(slot.wall))
  const short = (side: 'before' | 'after'): Found[] => {
    const own = Math.max(0, ...hours.map((one) => one[side]))
    const minutes = Math.max(wanted[side] ?? 0, own)
    if (minutes === 0) return []
    const [start, end] =
      side === 'before' ? [slot.start - minutes * MINUTE_MS, slot.start] : [slot.end, slot.end + minutes * MINUTE_MS]
    const near = index
      .of('clinician', clinician.id, start, end)
      .filter((busy) => busy.id !== wanted.moving && (busy.end <= slot.start || busy.start >= slot.end))
    const asked = (busy: Busy): boolean =>
      wanted[side] !== null && (side === 'before' ? slot.start - busy.end : busy.start - slot.end) < wanted[side] * MINUTE_MS
    return near.map((busy) => found('buffer_short', asked(busy) ? `constraints.buffer_${side}` : 'buffer', busy))
  }
  return [...short('before'), ...short('after')]
}

const overlaps = (away: Away, slot: Slot): boolean => away.start < slot.end && away.end > slot.start

export const clientsOf = (world: World, { clients }: Wanted): ClientFacts[] =>
  world.clients.filter(({ id }) => clients.includes(id))

const hoursOn = ({ hours }: Clinician, day: Wall): Hours[] => hours.filter((one) => holdsOn(one, day))

const holdsOn = ({ validFrom, validTo }: Hours, day: Wall): boolean =>
  (validFrom === null || day >= validFrom) && (validTo === null || day <= validTo)

export function isWithin(zones: Zones, hours: Hours, slot: Slot): boolean {
  const start = zones.wallOf(hours.zone, slot.start)
  const end = zones.wallOf(hours.zone, slot.end)
  const day = dayOf(start)
  if (!holdsOn(hours, day)) return false
  const to = minuteOfDay(start) + (end - start) / 60_000
  return (hours.days[weekdayOf(day)] ?? []).some((stretch) => stretch.from <= minuteOfDay(start) && to <= stretch.to)
}

export function supposedHours(
  zone: string,
  { earliest, latest, days }: { earliest: number | null; latest: number | null; days: ReadonlySet<string> | null },
): Hours {
  const evening = earliest !== null && earliest >= 16 * 60 ? 21 * 60 : 18 * 60
  const stretch = { from: Math.min(earliest ?? 8 * 60, 8 * 60), to: Math.max(latest ?? evening, evening) }
  const open = weekdays.filter((day, index) => index < 5 || days?.has(day))
  return { ...unlimitedHours, id: supposed, zone, days: Object.fromEntries(open.map((day) => [day, [stretch]])) }
}

export const supposed = 'supposed'

export const daysBetween = (from: Wall, to: Wall): Wall[] => {
  const days: Wall[] = []
  for (let day = dayOf(from); day < to; day += DAY_MS) days.push(day)
  return days
}
