import { conflictsAt, roomConflictsAt, daysBetween, isWithin, supposedHours, supposed } from './conflicts.ts'
import { isHard, rulesOut, messageOf } from './found.ts'
import type { Zones } from './zone.ts'
import { MAX_OCCURRENCES, lastOf, wallsUntil } from './recurrence.ts'
import type { Rule } from './recurrence.ts'
import type { Preferences, Scored, Assessed } from './score.ts'
import { scorer, assess } from './score.ts'
import { setImmediate } from 'node:timers/promises'
import { DAY_MS, MINUTE_MS, dayOf } from './wall.ts'
import type { Wall } from './wall.ts'
import type { Clinician, Room, Slot, Wanted, World, BusyIndex } from './world.ts'
import { slotAt, compare, indexBusy } from './world.ts'

export const GRID_MINUTES = 15
/** Times looked at before others have their turn: of a series of 100 sessions, these take about 10 ms. */
export const TIMES_PER_STEP = 96

/** A question to the engine: what is wanted, and where to look for it. */
export interface Search {
  readonly world: World
  readonly wanted: Wanted
  /** On each clinician's own clock. */
  readonly window: { readonly from: Wall; readonly to: Wall }
  readonly clinicians: readonly Clinician[]
  /** Any of these will do; `[null]`: no room is needed. */
  readonly rooms: readonly (Room | null)[]
  readonly rule: Rule | null
  /** Walls a series leaves out. */
  readonly without: ReadonlySet<Wall>
  readonly preferences: Preferences
  /** A series may leave out times that cannot be. */
  readonly partial: boolean
  /** The instant that was asked for: the times nearest to it come first. */
  readonly near?: number | null
}

/** The best times there are, best first; no two of them nearly the same. */
export function* propose(search: Search, most = 6): Steps<Scored[]> {
  const index = indexBusy(search.world.busy)
  const score = scorer(search, index)
  const scored = (yield* candidates(search, index)).map((assessed) => score(assessed))
  scored.sort(better(search.near ?? null))
  return apart(scored, search.wanted.minutes, most)
}

/** Deterministic to the last: nearness to the time asked for, score, then time, then who and where. */
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

/** More than this takes longer than anybody should wait: days, clinicians, and sessions of a series, together. */
const MAX_WORK = 2000

export function isTooMuch({ window, clinicians, rule }: Search): boolean {
  const days = Math.max(1, (window.to - window.from) / DAY_MS)
  const sessions = rule === null ? 1 : (rule.count ?? MAX_OCCURRENCES)
  return days * clinicians.length * Math.max(1, sessions / 4) > MAX_WORK
}

/** Every time on the grid at which the appointment can be, in order of time and clinician. */
function* candidates(search: Search, index: BusyIndex): Steps<Assessed[]> {
  const found: Assessed[] = []
  for (const clinician of search.clinicians) {
    const supposing = supposedFor(clinician, search.wanted)
    const series = seriesOf(search.world.zones, clinician.zone, search.wanted.minutes, search.rule, search.without)
    const near = search.near === null || search.near === undefined ? null : search.world.zones.wallOf(clinician.zone, search.near)
    // The time asked for need not be on the grid, nor within hours that are only supposed.
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

/** Quickly: most times fall here. */
function rulesItOut({ world, wanted }: Search, index: BusyIndex, clinician: Clinician, slot: Slot): boolean {
  if (clinician.hours.length > 0 && !clinician.hours.some((hours) => isWithin(world.zones, hours, slot))) return true
  return conflictsAt(world, index, wanted, { clinician, room: null }, slot).some(rulesOut)
}

/** In the first room that serves for all of it; the rooms stand in order of preference. */
function fit(search: Search, index: BusyIndex, clinician: Clinician, slots: readonly Slot[]): Assessed | null {
  const { world, wanted, partial } = search
  // Without a room first: what speaks against the time itself speaks against every room.
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

/** A series may do without some of its later times, never without most of them. */
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

/** Quarter hours of one afternoon are one offer to a person who looks for a time. */
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

/** Why a time is offered, in plain words that name nobody. */
export function whyOf({ rule, wanted }: Search, index: BusyIndex, { assessed, measures }: Scored): string[] {
  const { place, slots } = assessed
  const first = slots[0]!
  const touches = (start: number, end: number): boolean => index.of('clinician', place.clinician.id, start, end).length > 0
  const isBeside = touches(first.start - 16 * MINUTE_MS, first.start) || touches(first.end, first.end + 16 * MINUTE_MS)
  return [
    place.room === null ? 'Client and clinician are free.' : 'Client, clinician and room are free.',
    ...(rule === null
      ? []
      : [`${slots.length - assessed.blocked.size} of ${slots.length} sessions of the series can take place.`]),
    ...(measures.same_time_each_week === 1 ? ['It is the weekday and time at which the client usually comes.'] : []),
    ...(measures.keep_existing !== null && measures.keep_existing > 0.85 ? ['It is within a day of the present time.'] : []),
    ...(measures.min_gaps === 1 && isBeside ? ['It follows on another appointment without a gap.'] : []),
    ...(place.clinician.hours[0]?.id === supposed && wanted.earliest === null && wanted.latest === null
      ? ['No working hours are stored, so Monday to Friday from 08:00 to 18:00 was assumed.']
      : []),
  ]
}

/** What speaks against it all the same. */
export function tradeoffsOf({ assessed, measures }: Scored): string[] {
  const { slots, blocked, conflicts } = assessed
  const soft = conflicts.filter(({ slot, found }) => !blocked.has(slot) && found.kind !== 'series_partial')
  const kinds = new Map(
    soft.map(({ found }) => [messageOf(found), soft.filter((one) => messageOf(one.found) === messageOf(found))]),
  )
  return [
    ...(blocked.size === 0 ? [] : [`${blocked.size} of ${slots.length} sessions cannot take place and are left out.`]),
    ...[...kinds].map(([message, those]) =>
      slots.length === 1 ? message : `${message} (${those.length} of ${slots.length} sessions)`,
    ),
    ...(measures.same_time_each_week !== null && measures.same_time_each_week < 1
      ? ['It is not the usual weekday and time.']
      : []),
    ...(measures.min_gaps < 1 ? ['It leaves a pause too short for another session.'] : []),
  ]
}

/** When a series with this first session takes place; null where the rule does not begin with it. */
type Series = (first: Wall) => readonly Slot[] | null

/** Rules that leave the time of day alone are worked out once a day, for all times of it. */
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

/** A long search that pauses now and then, so that other calls are answered meanwhile. */
export type Steps<Result> = Generator<undefined, Result>

export async function inSteps<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    await setImmediate()
  }
}
