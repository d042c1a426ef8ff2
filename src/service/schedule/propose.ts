import {
  conflictsAt,
  roomConflictsAt,
  daysBetween,
  isWithin,
  supposedHours,
  supposed,
  isHard,
  rulesOut,
  messageOf,
} from './conflicts.ts'
import type { Found } from './conflicts.ts'
import type { Zones } from './zone.ts'
import { lastOf, MAX_OCCURRENCES, type Rule, wallsUntil } from './recurrence.ts'
import { assess, type Assessed, type Preferences, type Scored, scorer } from './score.ts'
import { setImmediate } from 'node:timers/promises'
import { DAY_MS, dayOf, MINUTE_MS, type Wall } from './wall.ts'
import type { Clinician, Room, Slot, Wanted, World, BusyIndex } from './world.ts'
import { slotAt, compare, indexBusy } from './world.ts'

export const GRID_MINUTES = 15
/** Start times tried before the search yields to the event loop. */
const TIMES_PER_STEP = 96

export interface Search {
  readonly world: World
  readonly wanted: Wanted
  readonly window: { readonly from: Wall; readonly to: Wall }
  readonly clinicians: readonly Clinician[]
  readonly rooms: readonly (Room | null)[]
  readonly rule: Rule | null
  readonly without: ReadonlySet<Wall>
  readonly preferences: Preferences
  readonly partial: boolean
  readonly near?: number | null
}

export function* propose(search: Search, most = 6): Steps<Scored[]> {
  const index = indexBusy(search.world.busy)
  const score = scorer(search, index)
  const scored = (yield* candidates(search, index)).map((assessed) => score(assessed))
  scored.sort(better(search.near ?? null))
  return apart(scored, search.wanted.minutes, most)
}

const better = (near: number | null) => (left: Scored, right: Scored) => {
  const [one, other] = [left.assessed, right.assessed]
  const distance = ({ slots }: Assessed): number => (near === null ? 0 : Math.abs(slots[0]!.start - near))
  return (
    distance(one) - distance(other) ||
    right.score - left.score ||
    one.slots[0]!.start - other.slots[0]!.start ||
    compare(one.place.clinician.id ?? '', other.place.clinician.id ?? '') ||
    compare(one.place.room?.id ?? '', other.place.room?.id ?? '')
  )
}

const MAX_WORK = 2000

export function isTooMuch({ window, clinicians, rule }: Search): boolean {
  const days = Math.max(1, (window.to - window.from) / DAY_MS)
  const sessions = rule === null ? 1 : (rule.count ?? MAX_OCCURRENCES)
  return days * clinicians.length * Math.max(1, sessions / 4) > MAX_WORK
}

function* candidates(search: Search, index: BusyIndex): Steps<Assessed[]> {
  const found: Assessed[] = []
  for (const clinician of search.clinicians) {
    const supposing = supposedFor(clinician, search.wanted)
    const series = seriesOf(search.world.zones, clinician.zone, search.wanted.minutes, search.rule, search.without)
    const near = search.near === null || search.near === undefined ? null : search.world.zones.wallOf(clinician.zone, search.near)
    const walls = [...(near === null ? [] : [near]), ...gridOf(search).filter((wall) => wall !== near)]
    for (const [at, wall] of walls.entries()) {
      if (at % TIMES_PER_STEP === 0) yield
      const who = wall === near ? clinician : supposing
      const first = slotAt(search.world.zones, clinician.zone, wall, search.wanted.minutes)
      if (rulesItOut(search, index, who, first)) continue
      const slots = series(wall)
      const fitting = slots === null ? null : fit(search, index, who, slots)
      if (fitting !== null) found.push(fitting)
    }
  }
  return found
}

function rulesItOut({ world, wanted }: Search, index: BusyIndex, clinician: Clinician, slot: Slot): boolean {
  if (clinician.hours.length > 0 && !clinician.hours.some((hours) => isWithin(world.zones, hours, slot))) return true
  return conflictsAt(world, index, wanted, { clinician, room: null }, slot).some(rulesOut)
}

function fit(search: Search, index: BusyIndex, clinician: Clinician, slots: readonly Slot[]): Assessed | null {
  const { world, wanted, partial } = search
  const bare = assess(world, index, wanted, { clinician, room: null }, slots)
  if (!isTolerable(bare, partial)) return null
  let nearly: Assessed | null = null
  for (const room of search.rooms) {
    const isRefused = (slot: Slot): boolean =>
      room !== null && !bare.blocked.has(slot) && roomConflictsAt(world, index, wanted, room, slot).some(rulesOut)
    if (!partial && slots.some(isRefused)) continue
    const assessed = room === null ? bare : assess(world, index, wanted, { clinician, room }, slots)
    if (assessed.blocked.size === 0) return assessed
    if (isTolerable(assessed, partial) && (nearly === null || assessed.blocked.size < nearly.blocked.size)) nearly = assessed
  }
  return nearly
}

function isTolerable({ conflicts, blocked, slots }: Assessed, partial: boolean): boolean {
  const against = conflicts.filter(({ found }) => rulesOut(found))
  if (against.length === 0) return true
  return partial && against.every(({ found }) => isHard(found)) && !blocked.has(slots[0]!) && blocked.size * 2 <= slots.length
}

export function gridOf({ window, wanted }: Pick<Search, 'window' | 'wanted'>): Wall[] {
  return daysBetween(window.from, window.to).flatMap((day) =>
    Array.from({ length: (24 * 60) / GRID_MINUTES }, (_, step) => day + step * GRID_MINUTES * MINUTE_MS).filter(
      (wall) => wall >= window.from && wall + wanted.minutes * MINUTE_MS <= window.to,
    ),
  )
}

export function supposedFor(clinician: Clinician, wanted: Wanted): Clinician {
  return clinician.hours.length > 0 ? clinician : { ...clinician, hours: [supposedHours(clinician.zone, wanted)] }
}

function apart(scored: readonly Scored[], minutes: number, most: number): Scored[] {
  const chosen: Scored[] = []
  for (const one of scored) {
    if (chosen.length === most) break
    const { start } = one.assessed.slots[0]!
    const isNear = chosen.some(({ assessed }) => Math.abs(assessed.slots[0]!.start - start) < minutes * MINUTE_MS)
    if (!isNear) chosen.push(one)
  }
  return chosen
}

export function whyOf({ rule, wanted }: Search, index: BusyIndex, { assessed, measures }: Scored): string[] {
  const { place, slots } = assessed
  const first = slots[0]!
  const touches = (start: number, end: number): boolean => index.of('clinician', place.clinician.id, start, end).length > 0
  const isBeside = touches(first.start - 16 * MINUTE_MS, first.start) || touches(first.end, first.end + 16 * MINUTE_MS)
  return [
    place.room === null ? 'Client and clinician are free.' : 'Client, clinician, and room are free.',
    ...(rule === null ? [] : [`${slots.length - assessed.blocked.size} of ${slots.length} sessions of the series are possible.`]),
    ...(measures.same_time_each_week === 1 ? ['It’s the client’s usual day and time.'] : []),
    ...(measures.keep_existing !== null && measures.keep_existing > 0.85 ? ['It’s within a day of the current time.'] : []),
    ...(measures.min_gaps === 1 && isBeside ? ['It’s right next to another appointment.'] : []),
    ...(place.clinician.hours[0]?.id === supposed && wanted.earliest === null && wanted.latest === null
      ? ['No working hours are set, so Afterword assumed Monday to Friday, 8 AM to 6 PM.']
      : []),
  ]
}

export function tradeoffsOf({ assessed, measures }: Scored): string[] {
  const { slots, blocked, conflicts } = assessed
  const soft = conflicts.filter(({ slot, found }) => !blocked.has(slot) && found.kind !== 'series_partial')
  const kinds = new Map(
    soft.map(({ found }) => [messageOf(found), soft.filter((one) => messageOf(one.found) === messageOf(found))]),
  )
  return [
    ...(blocked.size === 0 ? [] : [`${blocked.size} of ${slots.length} sessions aren’t possible and are left out.`]),
    ...[...kinds].map(([message, those]) =>
      slots.length === 1 ? message : `${message} (${those.length} of ${slots.length} sessions)`,
    ),
    ...(measures.same_time_each_week !== null && measures.same_time_each_week < 1
      ? ['It isn’t the client’s usual day and time.']
      : []),
    ...(measures.min_gaps < 1 ? ['It leaves a gap too short for another session.'] : []),
  ]
}

type Series = (first: Wall) => readonly Slot[] | null

export function seriesOf(
  zones: Zones,
  zone: string,
  minutes: number,
  rule: Rule | null,
  without: ReadonlySet<Wall> = new Set(),
): Series {
  const byDay = new Map<Wall, readonly Wall[]>()
  const last = rule === null ? Infinity : lastOf(rule, zone, zones)
  return (first) => {
    if (rule === null) return [slotAt(zones, zone, first, minutes)]
    const walls = onDaysOf(rule, first).filter((wall) => wall <= last)
    if (walls[0] !== first || without.has(first)) return null
    return walls.filter((wall) => !without.has(wall)).map((wall) => slotAt(zones, zone, wall, minutes))
  }

  function onDaysOf(given: Rule, first: Wall): readonly Wall[] {
    if (!given.keepsTime) return wallsUntil(given, first, last) ?? []
    const day = dayOf(first)
    const days = byDay.get(day) ?? wallsUntil(given, day, last) ?? []
    byDay.set(day, days)
    return days.map((wall) => wall + (first - day))
  }
}

export type Steps<Result> = Generator<undefined, Result>

export async function inSteps<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await setImmediate()
  }
}

/** A minimal set of reasons that together block every slot (deletion filter), or `window` if the window has no slots. */
export function* infeasibleCore(search: Search): Steps<string[]> {
  const reasons = yield* reasonsOf(search)
  if (reasons.length === 0) return ['window']
  let kept = [...new Set(reasons.flatMap((set) => [...set]))].toSorted(wishesLast)
  for (const name of kept) {
    yield
    const without = new Set(kept.filter((one) => one !== name))
    if (reasons.every((set) => [...set].some((one) => without.has(one)))) kept = [...without]
  }
  return kept
}

function wishesLast(left: string, right: string): number {
  const rank = (name: string): number => (name.startsWith('constraints.') ? 1 : 0)
  return rank(left) - rank(right) || (left < right ? -1 : 1)
}

function* reasonsOf(search: Search): Steps<ReadonlySet<string>[]> {
  const { world, wanted, rooms } = search
  const index = indexBusy(world.busy)
  const reasons: ReadonlySet<string>[] = []
  for (const one of search.clinicians) {
    const clinician = supposedFor(one, wanted)
    const series = seriesOf(world.zones, clinician.zone, wanted.minutes, search.rule, search.without)
    for (const [at, wall] of gridOf(search).entries()) {
      if (at % TIMES_PER_STEP === 0) yield
      const slots = series(wall)
      if (slots === null) {
        reasons.push(new Set(['request.rrule']))
        continue
      }
      const bare = firstReasons(slots, (slot) => conflictsAt(world, index, wanted, { clinician, room: null }, slot))
      const inRoom = (room: Room | null): ReadonlySet<string> =>
        (room && firstReasons(slots, (slot) => roomConflictsAt(world, index, wanted, room, slot))) ?? new Set(['series'])
      reasons.push(...(bare === null ? rooms.map(inRoom) : [bare]))
    }
  }
  return reasons
}

function firstReasons(slots: readonly Slot[], conflicts: (slot: Slot) => readonly Found[]): ReadonlySet<string> | null {
  for (const slot of slots) {
    const against = conflicts(slot).filter(rulesOut)
    if (against.length > 0) return new Set(against.map(({ by }) => by))
  }
  return null
}
